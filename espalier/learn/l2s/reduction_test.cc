#include "espalier/learn/l2s/reduction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/parser/l2s/imperative.h"

namespace espalier {
namespace {

void teach(Reduction& reduction, const FeatureBag& bag, const std::vector<int>& allowed,
           const std::vector<float>& costs, int learner, float weight = 1) {
  reduction.learn({bag, {}, allowed, costs, learner, weight});
}

LearnerOptions linear(const std::string& name) {
  LearnerOptions options(name);
  options.bits = 8;
  return options;
}

TEST(Reduction, OneAgainstAllLearnsTheCostsOfAllowedActionsOnly) {
  Reduction reduction(linear("adaptive"), Reduction::Kind::kOneAgainstAll, std::vector<int>{4});
  FeatureBag bag;
  bag.add(mix(3));
  const std::vector<int> allowed = {0, 2, 3};
  for (int i = 0; i < 200; ++i) teach(reduction, bag, allowed, std::vector<float>{2, 0, 1}, 0);
  const auto p = reduction.predict(bag, {}, 0);
  EXPECT_NEAR(p[0], 2, 0.02);
  EXPECT_EQ(p[1], 0);
  EXPECT_NEAR(p[2], 0, 0.02);
  EXPECT_NEAR(p[3], 1, 0.02);
}

TEST(Reduction, LaterLearnersMayHaveARateOfTheirOwn) {
  LearnerOptions options = linear("sgd");
  options.later_rates = 0.25;
  Reduction reduction(options, Reduction::Kind::kOneAgainstAll, std::vector<int>{2, 2, 2});
  FeatureBag bag;
  bag.add(mix(3));
  std::vector<float> moved;
  for (int learner : {0, 1, 2}) {
    teach(reduction, bag, std::vector<int>{0, 1}, std::vector<float>{0, 1}, learner);
    moved.push_back(reduction.predict(bag, {}, learner)[1]);
  }
  EXPECT_GT(moved[0], 0);
  EXPECT_FLOAT_EQ(moved[1], moved[0] / 4);
  EXPECT_EQ(moved[2], moved[1]);
}

TEST(Reduction, PredictionsBeyondTheSeenCostsDoNotPull) {
  Reduction reduction(linear("sgd"), Reduction::Kind::kOneAgainstAll, std::vector<int>{2});
  FeatureBag a, b;
  a.add(mix(1));
  b.add(mix(2));
  for (int i = 0; i < 100; ++i) {
    teach(reduction, a, std::vector<int>{0, 1}, std::vector<float>{0, 1}, 0);
    teach(reduction, b, std::vector<int>{0, 1}, std::vector<float>{0, 1}, 0);
  }
  FeatureBag both;
  both.add(mix(1));
  both.add(mix(2));
  const std::vector<float> before(reduction.predict(both, {}, 0).begin(), reduction.predict(both, {}, 0).end());
  ASSERT_GT(before[1], 1);
  teach(reduction, both, std::vector<int>{0, 1}, std::vector<float>{0, 1}, 0);
  EXPECT_EQ(reduction.predict(both, {}, 0)[1], before[1]);
}

TEST(Reduction, TellsWhenPredictionsRunAway) {
  FeatureBag a, both;
  a.add(mix(1));
  both.add(mix(1)), both.add(mix(2));
  const auto error = [&](const std::string& name, double rate, Reduction::Kind kind) {
    LearnerOptions options = linear(name);
    options.rate = options.ftrl_alpha = rate;
    Reduction reduction(options, kind, std::vector<int>{2});
    for (int i = 0; i < 50; ++i) {
      teach(reduction, a, {0, 1}, {0, 1}, 0);
      teach(reduction, both, {0, 1}, {1, 0}, 0);
    }
    const double all = reduction.error_over_variance();
    reduction.forget_errors();
    EXPECT_EQ(reduction.error_over_variance(), 0);
    return all;
  };
  using enum Reduction::Kind;
  EXPECT_GT(error("adaptive", 0.5, kOneAgainstAll), 0);
  for (const char* name : {"sgd", "adaptive", "ftrl", "nn", "nn+ftrl"})
    EXPECT_LT(error(name, 0.1, kOneAgainstAll), 5) << name;
  for (const char* name : {"sgd", "ftrl"}) EXPECT_GT(error(name, 100, kOneAgainstAll), 1000) << name;
  EXPECT_EQ(error("adaptive", 0.5, kWeighted), 0);
}

TEST(Reduction, WeightedMovesTwoActionsByTheDifferenceOfTheirCosts) {
  Reduction reduction(linear("perceptron"), Reduction::Kind::kWeighted, std::vector<int>{3});
  FeatureBag bag;  // the constant alone
  teach(reduction, bag, std::vector<int>{0, 1, 2}, std::vector<float>{3, 0, 0}, 0);
  auto p = reduction.predict(bag, {}, 0);
  EXPECT_EQ(std::vector(p.begin(), p.end()), (std::vector<float>{3, -3, 0}));
  // The cheapest-looking action is right now: no update.
  teach(reduction, bag, std::vector<int>{0, 1, 2}, std::vector<float>{3, 0, 0}, 0);
  p = reduction.predict(bag, {}, 0);
  EXPECT_EQ(std::vector(p.begin(), p.end()), (std::vector<float>{3, -3, 0}));
}

TEST(Reduction, AMarginIsScaledByTheCosts) {
  Reduction reduction(linear("perceptron"), Reduction::Kind::kWeighted, std::vector<int>{2}, 2.5f);
  FeatureBag bag;
  for (const float gap : {0, 4, 8, 8}) {  // grows by 4 until it is more than margin * cost = 5
    auto p = reduction.predict(bag, {}, 0);
    EXPECT_EQ(p[0] - p[1], gap);
    teach(reduction, bag, std::vector<int>{0, 1}, std::vector<float>{2, 0}, 0);
  }
}

TEST(Reduction, PassiveAggressiveStepsMakeUpTheMarginAndNoMore) {
  FeatureBag bag;
  for (uint64_t key : {1, 2, 3}) bag.add(mix(key));
  const auto gap_after = [&](double aggressiveness, const std::vector<float>& costs) {
    LearnerOptions options = linear("pa");
    options.aggressiveness = aggressiveness;
    Reduction reduction(options, Reduction::Kind::kWeighted, std::vector<int>{2}, 2);
    teach(reduction, bag, {0, 1}, costs, 0);
    const auto p = reduction.predict(bag, {}, 0);
    return p[0] - p[1];
  };
  EXPECT_NEAR(gap_after(1e6, {1, 0}), 2, 1e-5);  // margin * cost
  EXPECT_NEAR(gap_after(1e6, {3, 0}), 6, 1e-5);
  EXPECT_NEAR(gap_after(1e6, {0, 1}), -2, 1e-5);
  EXPECT_NEAR(gap_after(0.125, {1, 0}), 0.125 * 2 * 4, 1e-5);  // three features and the constant
}

// The perceptron's rule moves by the gradient itself: that of -log of the right actions' probability.
TEST(Reduction, SoftmaxFollowsTheGradientOfTheLogLoss) {
  const std::vector<int> allowed = {0, 2, 3, 4};
  const std::vector<float> costs = {0, 1.5f, 0, 0.5f};
  FeatureBag bag;  // the constant alone
  for (const float margin : {0.0f, 0.7f}) {
    Reduction reduction(linear("perceptron"), Reduction::Kind::kSoftmax, std::vector<int>{5}, margin);
    const auto predicted = [&] {
      const auto p = reduction.predict(bag, {}, 0);
      return std::vector<double>(p.begin(), p.end());
    };
    const auto loss = [&](const std::vector<double>& p) {
      double all = 0, right = 0;
      for (size_t i = 0; i < allowed.size(); ++i) {
        const double e = std::exp(static_cast<double>(margin * costs[i]) - p[static_cast<size_t>(allowed[i])]);
        all += e;
        if (costs[i] == 0) right += e;
      }
      return std::log(all) - std::log(right);
    };
    for (int step = 0; step < 3; ++step) {
      const std::vector<double> before = predicted();
      teach(reduction, bag, allowed, costs, 0);
      const std::vector<double> after = predicted();
      for (size_t a = 0; a < before.size(); ++a) {
        std::vector<double> up = before, down = before;
        up[a] += 1e-4, down[a] -= 1e-4;
        EXPECT_NEAR(before[a] - after[a], (loss(up) - loss(down)) / 2e-4, 1e-3) << a;
      }
      EXPECT_LT(loss(after), loss(before));
    }
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
  for (int i = 0; i < 50; ++i) teach(reduction, bag, std::vector<int>{0, 1, 2}, std::vector<float>{1, 0, 1}, 1);
  EXPECT_EQ(reduction.predict(bag, {}, 0)[0], 0);
  EXPECT_GT(reduction.predict(bag, {}, 1)[0], 0.5);
  const auto frozen = reduction.freeze();
  ASSERT_EQ(frozen.size(), 2u);
  EXPECT_EQ(frozen[1].shape().actions, 3);
}

// Things with features of their own: the one whose feature is marked is right, at whatever place it stands.
TEST(Reduction, ChoosesAmongAlternatives) {
  using enum Reduction::Kind;
  for (const auto& [name, kind] : {std::pair("adaptive", kOneAgainstAll), std::pair("adaptive", kWeighted),
                                   std::pair("adaptive", kSoftmax), std::pair("pa", kWeighted)}) {
    Reduction reduction(linear(name), kind, std::vector<int>{1}, kind == kWeighted ? 1 : 0);
    const auto things = [](size_t count, size_t right) {
      std::vector<FeatureBag> bags(count);
      for (size_t i = 0; i < count; ++i) bags[i].add(mix(i == right ? 1 : 2)), bags[i].add(mix(10 + i));
      return bags;
    };
    const std::vector<int> allowed = {0, 1, 2};
    for (size_t i = 0; i < 60; ++i) {
      std::vector<float> costs(3, 1);
      costs[i % 3] = 0;
      reduction.learn({{}, things(3, i % 3), allowed, costs, 0});
    }
    const auto costs = reduction.predict({}, things(5, 4), 0);
    EXPECT_EQ(cheapest(costs, std::vector<int>{0, 1, 2, 3, 4}), 4);
  }
}

// The closed form of a weight is that of as many steps; rules with rates that fall come near it.
TEST(Reduction, AWeightCountsLikeSoManyExamples) {
  FeatureBag bag;
  bag.add(5);
  for (const char* name : {"sgd", "adaptive"}) {
    const auto learned = [&](float weight, int times) {
      LearnerOptions options = linear(name);
      options.rate = 0.05;
      Reduction reduction(options, Reduction::Kind::kOneAgainstAll, std::vector<int>{2});
      for (int i = 0; i < times; ++i) teach(reduction, bag, {0, 1}, {0, 1}, 0, weight);
      return reduction.predict(bag, {}, 0)[1];
    };
    EXPECT_GT(learned(2, 1), learned(1, 1)) << name;
    EXPECT_NEAR(learned(2, 1), learned(1, 2), 0.3 * learned(1, 2)) << name;
    EXPECT_LE(learned(1000, 1), name[0] == 'a' ? 1.0f : 1e9f) << name;  // never past the target
  }
}

}  // namespace
}  // namespace espalier
