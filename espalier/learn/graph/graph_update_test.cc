// How far MIRA goes. That training as a whole fits is tested by parser/graph/graph_parser_test.cc.
#include "espalier/learn/graph/graph_update.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

GraphSettings settings_of(const char* learner) {
  Settings settings;
  settings.set("learner", learner);
  SettingsReader reader(settings);
  return read_graph_settings(reader, true);
}

constexpr auto kSecondTime = OnlineLinear::Delay::kSecondTime;

/// One step over features that all have columns 0 and, by value, 1 or -1.
void prepare(Correction& correction, double loss, std::initializer_list<std::pair<uint64_t, float>> features) {
  correction.used = 0;
  Correction::Step& step = correction.next();
  step.loss = loss;
  for (const auto& [key, value] : features) step.delta.add(key, 0, value, true);
}

TEST(GraphUpdate, FeaturesWithoutARowDoNotCountInTheNorm) {
  OnlineLinear arcs(8, kSecondTime), parts(kHashedColumns, kSecondTime);
  arcs.locate(mix(1));
  const uint32_t known = arcs.locate(mix(1));
  ASSERT_NE(known, 0u);
  Correction correction;
  // Three of four features are met for the first time: the fourth alone must bring the margin.
  prepare(correction, 2, {{mix(1), 1.f}, {mix(2), 1.f}, {mix(3), -1.f}, {mix(4), -1.f}});
  EXPECT_TRUE(apply_correction(settings_of("mira"), correction, arcs, parts));
  EXPECT_FLOAT_EQ(arcs.value(known, 0), 2);
  EXPECT_EQ(arcs.find(mix(2)), 0u);
  // The second time all four share it.
  prepare(correction, 2 + 4, {{mix(1), 1.f}, {mix(2), 1.f}, {mix(3), -1.f}, {mix(4), -1.f}});
  EXPECT_TRUE(apply_correction(settings_of("mira"), correction, arcs, parts));
  EXPECT_FLOAT_EQ(arcs.value(known, 0), 2 + 1);
  EXPECT_FLOAT_EQ(arcs.value(arcs.find(mix(4)), 0), -1);
}

TEST(GraphUpdate, NothingHappensWhereNothingIsMissing) {
  OnlineLinear arcs(8, kSecondTime), parts(kHashedColumns, kSecondTime);
  Correction correction;
  prepare(correction, 2, {{mix(1), 1.f}});
  EXPECT_FALSE(apply_correction(settings_of("mira"), correction, arcs, parts)) << "no feature has a row yet";
  EXPECT_TRUE(apply_correction(settings_of("mira"), correction, arcs, parts));
  EXPECT_FALSE(apply_correction(settings_of("mira"), correction, arcs, parts)) << "the margin is there";
  EXPECT_TRUE(apply_correction(settings_of("perceptron"), correction, arcs, parts));
  EXPECT_FLOAT_EQ(arcs.value(arcs.find(mix(1)), 0), 2 + 1);
}

}  // namespace
}  // namespace espalier
