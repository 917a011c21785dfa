#include "espalier/base/suggest.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Suggest, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("beam", "bema"), 2u);
}

TEST(Suggest, OnlyWhatIsNear) {
  const std::vector<std::string> known = {"greedy", "beam", "tagger"};
  EXPECT_EQ(suggestion("graedy", known), " (did you mean 'greedy'?)");
  EXPECT_EQ(suggestion("bean", known), " (did you mean 'beam'?)");
  EXPECT_EQ(suggestion("gredey", known), " (did you mean 'greedy'?)");
  EXPECT_EQ(suggestion("eisner", known), "");
  EXPECT_EQ(suggestion("x", {}), "");
}

}  // namespace
}  // namespace espalier
