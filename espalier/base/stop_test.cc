#include "espalier/base/stop.h"

#include <gtest/gtest.h>

#include "espalier/base/parallel.h"
#include "espalier/base/stop_point.h"

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

TEST(StopPoint, AsksTheInnermostScope) {
  stop_point();  // nothing is asked
  const std::atomic<bool> flag = true;
  Stop stop;
  stop.flag = &flag;
  {
    const StopScope scope(stop);
    EXPECT_THROW(stop_point(), Stopped);
    {
      const StopScope never{Stop()};  // changes nothing
      EXPECT_THROW(stop_point(), Stopped);
    }
    {
      const StopScope whole(nullptr);
      EXPECT_NO_THROW(stop_point());
    }
    EXPECT_THROW(stop_point(), Stopped);
  }
  EXPECT_NO_THROW(stop_point());
}

TEST(StopPoint, SeesAFlagAtOnceAndADeadlineSoon) {
  std::atomic<bool> flag = false;
  Stop stop = Stop::after(std::chrono::milliseconds(20));
  stop.flag = &flag;
  const StopScope scope(stop);
  EXPECT_NO_THROW(stop_point());
  flag = true;
  EXPECT_THROW(stop_point(), Stopped);
  flag = false;
  EXPECT_THROW(for (;;) stop_point(), Stopped);
}

TEST(StopPoint, ThreadsAreStoppedWithTheirCaller) {
  std::atomic<int> asked = 0;
  const std::function<bool()> ask = [&] { return ++asked > 50; };
  const StopScope scope(ask);
  EXPECT_THROW(parallel_for(4, 4,
                            [](int, size_t) {
                              for (;;) stop_point();
                            }),
               Stopped);
}

}  // namespace
}  // namespace espalier
