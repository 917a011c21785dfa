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

}  // namespace
}  // namespace espalier
