#include "espalier/learn/tuner.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace espalier {
namespace {

using Point = std::array<int, 2>;

TEST(Tuner, ClimbsRoundByRoundUntilNothingIsBetter) {
  int asked = 0;
  const auto score = [&](const Point& p) {
    ++asked;
    return -std::abs(p[0] - 3) - std::abs(p[0] + p[1] - 7);  // the best value of each depends on the other
  };
  Tuner tuner(Point{0, 0}, score);
  int rounds = 0;
  tuner.climb(10, [&] {
    ++rounds;
    for (size_t i = 0; i < 2; ++i)
      for (int value = 0; value < 10; ++value) {
        Point point = tuner.best();
        point[i] = value;
        tuner.offer(point);
      }
  });
  EXPECT_EQ(tuner.best(), (Point{3, 4}));
  EXPECT_EQ(tuner.score(), 0);
  EXPECT_EQ(asked, 1 + 20 * rounds);
  EXPECT_LT(rounds, 10);
}

TEST(Tuner, AsksForAGainAndKeepsTheFirstOfEquals) {
  Tuner tuner(0, [](int x) { return x; });
  EXPECT_FALSE(tuner.offer(2, 3));
  EXPECT_TRUE(tuner.offer(3, 3));
  EXPECT_TRUE(tuner.offer(4));
  EXPECT_FALSE(tuner.offer(4));

  Tuner level(7, [](int) { return 1; });
  EXPECT_FALSE(level.offer(1));
  level.reopen();
  EXPECT_TRUE(level.offer(2));
  EXPECT_FALSE(level.offer(3));
  EXPECT_EQ(level.best(), 2);
}

}  // namespace
}  // namespace espalier
