#include "espalier/learn/graph/graph_settings.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"

namespace espalier {
namespace {

TEST(GraphSettings, AlphaOfMaxMarginalsIsAtMostOne) {
  Settings settings;
  const auto read = [&] {
    SettingsReader reader(settings);
    read_graph_settings(reader, true);
  };
  settings.set("filter", "max-marginal");
  settings.set("filter_threshold", "0.5");
  EXPECT_NO_THROW(read());
  settings.set("filter_threshold", "5");
  EXPECT_THROW(read(), Error);
  settings.set("filter", "posterior");
  EXPECT_NO_THROW(read());
}

TEST(GraphSettings, TheFilterIsTrainedAtTheAlphaThatItUses) {
  Settings settings;
  const auto alpha = [&] {
    SettingsReader reader(settings);
    return read_graph_settings(reader, true).filter.alpha;
  };
  settings.set("filter", "max-marginal");
  EXPECT_EQ(alpha(), 0.5f);
  settings.set("filter_threshold", "0.125");
  EXPECT_EQ(alpha(), 0.125f);
  settings.set("filter_alpha", "0.25");
  EXPECT_EQ(alpha(), 0.25f);
}

TEST(GraphSettings, ScaledGapsAreThoseThatAModelMayHave) {
  Settings settings;
  settings.set("arc_gap", "1000000");
  settings.set("seed_gap", "2");
  settings.set("beam_gap", "1000000000");
  SettingsReader reader(settings);
  GraphSettings read = read_graph_settings(reader, true);
  read.scale_gaps(3);
  EXPECT_EQ(read.arc_gap, GraphModel::kLargestGap);  // the loader refuses larger ones
  EXPECT_EQ(read.parsing.beam_gap, CubeOptions::kNoGap);
  EXPECT_EQ(read.parsing.seed_gap, 6);
}

}  // namespace
}  // namespace espalier
