// How far MIRA goes. That training as a whole fits is tested by parser/graph/graph_parser_test.cc.
#include "espalier/learn/graph/graph_update.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

GraphSettings settings_of(const char* learner, const char* forced = "loss") {
  Settings settings;
  settings.set("learner", learner);
  settings.set("forced_step", forced);
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

TEST(GraphUpdate, StandardIsForcedWhereNothingIsViolated) {
  // The gold tree is ahead by 5 already, three more than the loss of 2 asks for; two features share a step.
  const auto moved = [](const char* learner, const char* forced) {
    OnlineLinear arcs(8, kSecondTime), parts(kHashedColumns, kSecondTime);
    for (const uint64_t feature : {1, 2}) {
      arcs.locate(mix(feature));
      arcs.adjust(arcs.locate(mix(feature)), 0, 1, feature == 1 ? 5.f : 0.f);
    }
    Correction correction;
    prepare(correction, 2, {{mix(1), 1.f}, {mix(2), -1.f}});
    correction.steps[0].forced = true;
    const bool updated = apply_correction(settings_of(learner, forced), correction, arcs, parts);
    EXPECT_EQ(updated, arcs.value(arcs.find(mix(2)), 0) != 0);
    return arcs.value(arcs.find(mix(1)), 0) - 5;
  };
  EXPECT_FLOAT_EQ(moved("mira", "loss"), 2 / 2.f) << "as if the margin were zero";
  EXPECT_FLOAT_EQ(moved("mira", "signed"), (2 - 5) / 2.f) << "back to where the margin is the loss";
  EXPECT_FLOAT_EQ(moved("mira", "none"), 0);
  for (const char* forced : {"loss", "signed", "none"}) EXPECT_FLOAT_EQ(moved("perceptron", forced), 1) << forced;
}

TEST(GraphUpdate, SeparateStepsSeeEachOther) {
  // Two items share feature 1 and lack a loss of 1 each: a joint step brings both at once, of separate ones the second
  // finds that the first has brought half of what it needs.
  const auto weight = [](bool separate) {
    OnlineLinear arcs(8, kSecondTime), parts(kHashedColumns, kSecondTime);
    for (const uint64_t feature : {1, 2, 3}) arcs.locate(mix(feature));
    Correction correction;
    if (separate) {
      prepare(correction, 1, {{mix(1), 1.f}, {mix(2), 1.f}});
      Correction::Step& second = correction.next();
      second.loss = 1;
      second.delta.add(mix(1), 0, 1.f, true);
      second.delta.add(mix(3), 0, 1.f, true);
    } else {
      prepare(correction, 2, {{mix(1), 2.f}, {mix(2), 1.f}, {mix(3), 1.f}});
    }
    EXPECT_TRUE(apply_correction(settings_of("mira"), correction, arcs, parts));
    std::vector<float> weights;
    for (const uint64_t feature : {1, 2, 3}) weights.push_back(arcs.value(arcs.find(mix(feature)), 0));
    return weights;
  };
  EXPECT_EQ(weight(false), (std::vector<float>{2 / 3.f, 1 / 3.f, 1 / 3.f}));
  EXPECT_EQ(weight(true), (std::vector<float>{0.75f, 0.5f, 0.25f}));
}

}  // namespace
}  // namespace espalier
