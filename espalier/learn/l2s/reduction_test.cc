#include "espalier/learn/l2s/reduction.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

LearnerOptions linear(const std::string& name) {
  LearnerOptions options;
  options.name = name;
  options.bits = 8;
  options.hidden = 0;
  return options;
}

TEST(Reduction, OneAgainstAllLearnsTheCostsOfAllowedActionsOnly) {
  Reduction reduction(linear("adaptive"), Reduction::Kind::kOneAgainstAll, std::vector<int>{4});
  FeatureBag bag;
  bag.add(mix(3));
  const std::vector<int> allowed = {0, 2, 3};
  for (int i = 0; i < 200; ++i) reduction.learn(bag, allowed, std::vector<float>{2, 0, 1}, 0, false);
  const auto p = reduction.predict(bag, 0);
  EXPECT_NEAR(p[0], 2, 0.02);
  EXPECT_EQ(p[1], 0);
  EXPECT_NEAR(p[2], 0, 0.02);
  EXPECT_NEAR(p[3], 1, 0.02);
}

TEST(Reduction, PredictionsBeyondTheSeenCostsDoNotPull) {
  Reduction reduction(linear("sgd"), Reduction::Kind::kOneAgainstAll, std::vector<int>{2});
  FeatureBag a, b;
  a.add(mix(1));
  b.add(mix(2));
  for (int i = 0; i < 100; ++i) {
    reduction.learn(a, std::vector<int>{0, 1}, std::vector<float>{0, 1}, 0, false);
    reduction.learn(b, std::vector<int>{0, 1}, std::vector<float>{0, 1}, 0, false);
  }
  FeatureBag both;
  both.add(mix(1));
  both.add(mix(2));
  const std::vector<float> before(reduction.predict(both, 0).begin(), reduction.predict(both, 0).end());
  ASSERT_GT(before[1], 1);
  reduction.learn(both, std::vector<int>{0, 1}, std::vector<float>{0, 1}, 0, false);
  EXPECT_EQ(reduction.predict(both, 0)[1], before[1]);
}

TEST(Reduction, WeightedMovesTwoActionsByTheDifferenceOfTheirCosts) {
  Reduction reduction(linear("perceptron"), Reduction::Kind::kWeighted, std::vector<int>{3});
  FeatureBag bag;  // the constant alone
  reduction.learn(bag, std::vector<int>{0, 1, 2}, std::vector<float>{3, 0, 0}, 0, false);
  auto p = reduction.predict(bag, 0);
  EXPECT_EQ(std::vector(p.begin(), p.end()), (std::vector<float>{3, -3, 0}));
  // The cheapest-looking action is right now: no update.
  reduction.learn(bag, std::vector<int>{0, 1, 2}, std::vector<float>{3, 0, 0}, 0, false);
  p = reduction.predict(bag, 0);
  EXPECT_EQ(std::vector(p.begin(), p.end()), (std::vector<float>{3, -3, 0}));
}

TEST(Reduction, AMarginIsScaledByTheCosts) {
  Reduction reduction(linear("perceptron"), Reduction::Kind::kWeighted, std::vector<int>{2}, 2.5f);
  FeatureBag bag;
  for (const float gap : {0, 4, 8, 8}) {  // grows by 4 until it is more than margin * cost = 5
    auto p = reduction.predict(bag, 0);
    EXPECT_EQ(p[0] - p[1], gap);
    reduction.learn(bag, std::vector<int>{0, 1}, std::vector<float>{2, 0}, 0, false);
  }
}

TEST(CollisionCounter, CountsFeaturesThatShareARow) {
  const auto key = [](uint64_t row, uint64_t rest) { return row << 60 | rest; };
  CollisionCounter all(4, 1);
  all.see(std::vector{key(0, 1), key(0, 2), key(3, 1), key(3, 1), key(15, 7)});
  EXPECT_EQ(all.features(), 4);
  EXPECT_EQ(all.rate(), 0.5);
  CollisionCounter half(4, 2);  // rows 0, 2, 4, ...
  half.see(std::vector{key(0, 1), key(0, 2), key(3, 1), key(3, 2), key(4, 7), key(6, 7)});
  EXPECT_EQ(half.features(), 8);
  EXPECT_EQ(half.rate(), 0.5);
  EXPECT_EQ(CollisionCounter(4).rate(), 0);
}

TEST(Reduction, LearnersAreSeparate) {
  Reduction reduction(linear("adaptive"), Reduction::Kind::kOneAgainstAll, std::vector<int>{2, 3});
  FeatureBag bag;
  for (int i = 0; i < 50; ++i) reduction.learn(bag, std::vector<int>{0, 1, 2}, std::vector<float>{1, 0, 1}, 1, false);
  EXPECT_EQ(reduction.predict(bag, 0)[0], 0);
  EXPECT_GT(reduction.predict(bag, 1)[0], 0.5);
  const auto frozen = reduction.freeze();
  ASSERT_EQ(frozen.size(), 2u);
  EXPECT_EQ(frozen[1].shape().actions, 3);
}

}  // namespace
}  // namespace espalier
