#include "espalier/learn/reduction.h"

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
