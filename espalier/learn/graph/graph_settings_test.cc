#include "espalier/learn/graph/graph_settings.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"

namespace espalier {
namespace {

TEST(GraphSettings, AlphaOfMaxMarginalsIsAtMostOne) {
  Settings settings;
  settings.set("filter", "max-marginal");
  settings.set("filter_threshold", "0.5");
  EXPECT_NO_THROW(read_graph_settings(settings, true));
  settings.set("filter_threshold", "5");
  EXPECT_THROW(read_graph_settings(settings, true), Error);
  settings.set("filter", "posterior");
  EXPECT_NO_THROW(read_graph_settings(settings, true));
}

}  // namespace
}  // namespace espalier
