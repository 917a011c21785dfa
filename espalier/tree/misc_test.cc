#include "espalier/tree/misc.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Misc, EntriesComeAndGo) {
  std::string misc = "_";
  set_misc(misc, "A", "1");
  EXPECT_EQ(misc, "A=1");
  set_misc(misc, "B", "x=y");
  set_misc(misc, "A", "2");
  EXPECT_EQ(misc, "B=x=y|A=2");
  erase_misc(misc, "b");
  EXPECT_EQ(misc, "B=x=y|A=2");
  erase_misc(misc, "B");
  EXPECT_EQ(misc, "A=2");
  erase_misc(misc, "A");
  EXPECT_EQ(misc, "_");
  misc = "A|AB=1|A=2";
  erase_misc(misc, "A");
  EXPECT_EQ(misc, "AB=1");
}

TEST(Misc, TheValueOfAnEntry) {
  EXPECT_EQ(misc_value("AB=1|A=x=y|A=2|C", "A"), "x=y");
  EXPECT_EQ(misc_value("A=", "A"), "");
  for (const char* without : {"", "_", "AB=1", "A|B=A=1"}) EXPECT_EQ(misc_value(without, "A"), std::nullopt) << without;
}

}  // namespace
}  // namespace espalier
