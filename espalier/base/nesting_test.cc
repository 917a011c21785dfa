#include "espalier/base/nesting.h"

#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

TEST(Nesting, CountsBracketsOutsideOfStrings) {
  EXPECT_EQ(json_depth("3"), 0);
  EXPECT_EQ(json_depth(R"({"a": [1, {"b": 2}], "c": [[]]})"), 3);
  EXPECT_EQ(json_depth(R"(["[[[[", "\"[[", "\\", []])"), 2);
  EXPECT_EQ(json_depth(std::string(20'000, '[')), 20'000);
}

TEST(Nesting, CountsDotsOfOneKey) {
  EXPECT_EQ(most_dots_in_key("a = 1.5\nb.c.d = [0.1, 0.2, 0.3, 0.4]\n"), 2);
  EXPECT_EQ(most_dots_in_key("[[a.b.c.d]]\nx = {e.f = 1.0} # ......\ny = \"........\"\nz = '.......'"), 3);
  std::string key = "a";
  for (int i = 0; i < 50'000; ++i) key += ".a";
  EXPECT_EQ(most_dots_in_key(key + " = 1"), 50'000);
}

}  // namespace
}  // namespace espalier
