#include "espalier/base/stop.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Stop, NeverUnlessAsked) { EXPECT_NO_THROW(Stop().check()); }

TEST(Stop, AtTheDeadline) {
  EXPECT_FALSE(Stop::after(std::chrono::hours(1)).requested());
  EXPECT_TRUE(Stop::after(std::chrono::seconds(0)).requested());
  EXPECT_THROW(Stop::after(std::chrono::seconds(-1)).check(), Stopped);
}

TEST(Stop, WhenTheFlagIsSet) {
  std::atomic<bool> flag = false;
  Stop stop;
  stop.flag = &flag;
  EXPECT_FALSE(stop.requested());
  flag = true;
  EXPECT_THROW(stop.check(), Error);
}

}  // namespace
}  // namespace espalier
