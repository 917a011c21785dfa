// Base learners against their formulas: gradients by finite differences, closed forms, portable = AVX2.
#include <gtest/gtest.h>

#include <cmath>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/learn/l2s/rule/base_learner.h"
#include "espalier/learn/l2s/rule/row_updates.h"
#include "espalier/learn/l2s/rule/rules.h"
#include "espalier/weights/hashed_rows.h"

namespace espalier {
namespace {

LearnerOptions options_of(const std::string& name) {
  LearnerOptions options(name);
  options.bits = 16;
  options.rate = 0.5;
  options.direct = false;
  return options;
}

// Whoever makes options in C++ gets what a recipe gets that says no more than the learner's name.
TEST(LearnerOptions, AreThoseOfRecipes) {
  for (const std::string name : {"sgd", "adaptive", "nn", "ftrl", "nn+ftrl", "perceptron", "pa"}) {
    SettingsReader bare{Settings()};
    const LearnerOptions ours(name), theirs = LearnerOptions::from(bare, name);
    const auto values = [](const LearnerOptions& o) {
      return std::tuple(o.name, o.bits, o.hidden, o.shared, o.direct, o.dropout, o.rate, o.later_rates,
                        o.aggressiveness, o.ftrl_alpha, o.ftrl_beta, o.l1, o.l2, o.seed);
    };
    EXPECT_EQ(values(ours), values(theirs)) << name;
  }
  EXPECT_TRUE(LearnerOptions("nn").direct);
  EXPECT_NE(LearnerOptions("sgd").rate, LearnerOptions("adaptive").rate);
}

FeatureBag random_bag(Rng& rng, size_t count, bool values = false) {
  FeatureBag bag;
  for (size_t i = 0; i < count; ++i) {
    values ? bag.add(rng.next(), static_cast<float>(rng.uniform() + 0.1)) : bag.add(rng.next());
  }
  return bag;
}

TEST(RowUpdates, BothVersionsAgreeToTheBit) {
  Rng rng(3, "test");
  const size_t width = 24, planes = 3, rows = 20;
  std::vector<float> start(rows * width * planes);
  for (float& cell : start) cell = static_cast<float>(rng.uniform());
  std::vector<float> gradient(width), values, norms;
  for (float& g : gradient) g = static_cast<float>(rng.uniform() - 0.5);
  std::vector<uint32_t> which;
  for (size_t i = 0; i < 12; ++i) {
    which.push_back(static_cast<uint32_t>(rng.below(rows)));
    values.push_back(static_cast<float>(rng.uniform() + 0.1));
    norms.push_back(static_cast<float>(rng.uniform() + 1));
  }
  const std::vector<uint32_t> blocks = {0, 16};
  const auto all = [&](const RowUpdates& updates, bool valued) {
    std::vector<float> cells = start, reach(width);
    const RowUpdate u{
        cells.data(), width, width * planes, which, valued ? values.data() : nullptr, valued ? norms.data() : nullptr,
        blocks};
    std::vector<float> squared = gradient;
    for (float& g : squared) g *= g;
    updates.add(u, 1, squared.data());
    updates.adaptive_reach(u, squared.data(), reach.data());
    updates.adaptive_step(u, gradient.data());
    updates.ftrl(u, gradient.data(), {0.1f, 0.5f, 0.01f, 0.1f});
    cells.insert(cells.end(), reach.begin(), reach.end());
    return cells;
  };
  for (bool valued : {false, true}) {
    const auto portable = all(kPortableRowUpdates, valued), fast = all(row_updates(), valued);
    EXPECT_EQ(portable, fast);
    EXPECT_NE(std::vector(portable.begin(), portable.begin() + 8), std::vector(start.begin(), start.begin() + 8));
    // The block between is untouched.
    for (uint32_t row : which) {
      for (size_t j = 8; j < 16; ++j) EXPECT_EQ(portable[row * width * planes + j], start[row * width * planes + j]);
    }
  }
}

// The change of a prediction per update must have the sign and, for sgd, the size of the gradient step.
TEST(Sgd, MovesThePredictionByTheStepTimesTheSquaredNorm) {
  Rng rng(4, "test");
  auto learner = make_base_learner(options_of("sgd"), 2);
  const FeatureBag bag = random_bag(rng, 20);  // with the constant: |x|^2 = 21
  std::vector<float> before(2), after(2);
  learner->score(bag, before);
  learner->update(bag, std::vector<float>{-2, 0}, LossShape::kSquared);
  learner->score(bag, after);
  EXPECT_NEAR(after[0] - before[0], 0.5 / 21 * 2 * 21 * std::sqrt(1e5 / (1e5 + 1)), 1e-5);
  EXPECT_EQ(after[1], before[1]);
}

// One step of the closed form against very many small gradient steps of the same metric.
TEST(Adaptive, IsTheLimitOfInfinitesimalSteps) {
  Rng rng(5, "test");
  auto learner = make_base_learner(options_of("adaptive"), 1);
  const FeatureBag bag = random_bag(rng, 9);
  const double y = 1, eta = 0.5;
  std::vector<float> p(1);
  learner->score(bag, p);
  const double g = 2 * (p[0] - y);
  learner->update(bag, std::vector<float>{static_cast<float>(g)}, LossShape::kSquared);
  learner->score(bag, p);
  // Ten features of value 1: G = g^2 each, k = 1 / sqrt(10), so p moves by k / |g| * 10 per unit.
  const double reach = 10 / std::sqrt(10.0) / std::abs(g);
  double expected = 0;
  for (int i = 0; i < 100000; ++i) expected -= eta / 100000 * 2 * (expected - y) * reach;
  EXPECT_NEAR(p[0], expected, 1e-3);
  EXPECT_LT(p[0], y);
}

TEST(Adaptive, NeverOvershootsAndComesCloser) {
  Rng rng(6, "test");
  for (bool values : {false, true}) {
    auto learner = make_base_learner(options_of("adaptive"), 3);
    const FeatureBag bag = random_bag(rng, 12, values);
    float last = 2;
    for (int i = 0; i < 20; ++i) {
      std::vector<float> p(3);
      learner->score(bag, p);
      EXPECT_LE(p[1], 2.0001f);
      EXPECT_LE(std::abs(p[1] - 2), last + 1e-6f);
      last = std::abs(p[1] - 2);
      learner->update(bag, std::vector<float>{0, 2 * (p[1] - 2), 0}, LossShape::kSquared);
    }
    EXPECT_LT(last, 0.05f);
  }
}

// Scaling a feature's unit must not change what is learned: the point of normalisation.
TEST(Adaptive, DoesNotDependOnTheScaleOfAFeature) {
  std::vector<float> reached;
  for (float scale : {1.0f, 100.0f}) {
    auto learner = make_base_learner(options_of("adaptive"), 1);
    Rng rng(7, "test");
    std::vector<float> p(1);
    for (int i = 0; i < 50; ++i) {
      FeatureBag bag;
      bag.add(0x1111111111111111u, scale * static_cast<float>(0.5 + 0.5 * rng.uniform()));
      bag.add(0x7777777777777777u, 1);
      learner->score(bag, p);
      learner->update(bag, std::vector<float>{2 * (p[0] - 1)}, LossShape::kSquared);
    }
    reached.push_back(p[0]);
  }
  EXPECT_NEAR(reached[0], reached[1], 1e-3);
}

// FTRL-proximal minimises sum q w + sum sigma/2 (w - w_s)^2 + l1 |w| + l2/2 w^2; check w against that objective.
TEST(Ftrl, StepMinimisesItsObjective) {
  const FtrlRates rates{0.1f, 1, 0.05f, 0.2f};
  Rng rng(8, "test");
  float w = 0, z = 0, n = 0;
  double linear = 0, curvature = 1 / 0.1, anchor = 0;  // sum q; sum sigma (with beta/alpha at 0); sum sigma w_s
  for (int i = 0; i < 30; ++i) {
    const float q = static_cast<float>(rng.uniform() - 0.3);
    const double sigma = (std::sqrt(n + q * q) - std::sqrt(n)) / rates.alpha;
    linear += q;
    curvature += sigma;
    anchor += sigma * w;
    ftrl_step(w, z, n, q, rates);
    const auto objective = [&](double v) {
      return linear * v + curvature / 2 * v * v - anchor * v + rates.l1 * std::abs(v) + rates.l2 / 2 * v * v;
    };
    for (double step : {-1e-2, 1e-2}) EXPECT_LE(objective(w), objective(w + step));
  }
  EXPECT_NE(w, 0);
}

// The same feature with and without a value, whichever comes first: N is 1 without, and grows with larger values.
TEST(Adaptive, RescalesRowsThatWereSeenWithoutValues) {
  const auto learned = [](bool said) {
    auto learner = make_base_learner(options_of("adaptive"), 1);
    std::vector<float> p(1);
    for (int i = 0; i < 40; ++i) {
      FeatureBag bag;
      if (i < 20 && !said) {
        bag.add(0x1111111111111111u);
      } else {
        bag.add(0x1111111111111111u, i < 20 ? 1.0f : 5.0f);
      }
      learner->score(bag, p);
      learner->update(bag, std::vector<float>{2 * (p[0] - 1)}, LossShape::kSquared);
    }
    return p[0];
  };
  EXPECT_EQ(learned(false), learned(true));
}

// A network's output and hidden units are examples of one normaliser, k^2 = examples / sum of squares, and N of an
// activation is 1, however small it is. The first step of a weight is then rate k against the gradient's sign.
TEST(Adaptive, OutputsAndHiddenUnitsOfANetworkShareOneNormaliser) {
  Adaptive rule(options_of("nn"));
  std::vector<float> neuron(4);  // w, w, G, G
  rule.update_neuron({std::vector<float>{0.5f, 1}, neuron.data()}, 2, LossShape::kLinear, 1);
  const double output_squares = 0.25 + 1;
  for (const size_t i : {0, 1}) EXPECT_NEAR(neuron[i], -0.5 * std::sqrt(1 / output_squares), 1e-6);

  const size_t width = 8, planes = 2;
  std::vector<float> cells(3 * width * planes), gradient(width);
  const std::vector<uint32_t> rows = {0, 1, 2}, blocks = {0};
  gradient[0] = 1, gradient[1] = -3;  // two hidden units move, each an example with three features
  rule.update_rows({cells.data(), width, width * planes, rows, nullptr, nullptr, blocks}, gradient, LossShape::kLinear,
                   1);
  const double k = std::sqrt((1 + 2) / (output_squares + 2 * 3));
  for (const uint32_t row : rows) {
    EXPECT_NEAR(cells[row * width * planes], -0.5 * k, 1e-6);
    EXPECT_NEAR(cells[row * width * planes + 1], 0.5 * k, 1e-6);
  }
}

TEST(BaseLearner, SaysThatItDiverged) {
  for (const char* name : {"sgd", "nn"}) {
    LearnerOptions options = options_of(name);
    options.rate = 50;
    auto learner = make_base_learner(options, 1);
    FeatureBag bag;
    bag.add(1);
    std::vector<float> p(1);
    for (int i = 0; i < 200; ++i) {
      learner->score(bag, p);
      learner->update(bag, std::vector<float>{name[0] == 's' ? 2 * (p[0] - 1) : 3e38f}, LossShape::kLinear);
    }
    try {
      learner->freeze();
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find("learner=" + std::string(name)), std::string::npos) << said;
      EXPECT_NE(said.find("rate=50"), std::string::npos) << said;
    }
  }
}

// What an update does to the weights of a row against finite differences of the costs. FTRL's first step from 0 is
// w = -alpha q / (beta + |q|), so that the gradient q can be read off the weights.
class NetGradients : public ::testing::TestWithParam<bool> {};

TEST_P(NetGradients, WeightsMoveAgainstTheGradient) {
  LearnerOptions options = options_of("nn+ftrl");
  options.bits = 8;
  options.hidden = 3;
  options.direct = GetParam();
  options.ftrl_alpha = 1;
  options.ftrl_beta = 10;
  auto learner = make_base_learner(options, 2);
  FeatureBag bag;
  bag.add(0x1234567890abcdefu);
  const HashedRegressor before = learner->freeze();
  std::vector<float> costs(2);
  learner->score(bag, costs);
  const float g = 0.8f;  // of action 1 alone
  learner->update(bag, std::vector<float>{0, g}, LossShape::kLinear);
  const HashedRegressor after = learner->freeze();

  const RegressorShape shape = before.shape();
  ASSERT_EQ(shape.cells(), options.direct ? 8u : 6u);
  std::vector<uint32_t> rows;
  find_rows(bag.keys(), shape.bits, rows);  // the feature's, then the constant's
  const auto weight = [&](const HashedRegressor& r, uint32_t row, size_t j) {
    return r.scale() * static_cast<float>(r.cells()[row * padded_width(shape.cells()) + j]);
  };
  std::vector<float> z(shape.cells());
  for (size_t j = 0; j < z.size(); ++j) z[j] = weight(before, rows.back(), j);
  const auto cost_of = [&](std::vector<float> sums) {
    std::vector<float> predicted(2);
    activate(shape, sums);
    run_output_layer(shape, sums, after.output(), predicted);  // back through the output weights after their step
    return predicted[1];
  };
  for (size_t j = 0; j < z.size(); ++j) {
    auto up = z, down = z;
    up[j] += 1e-2f;
    down[j] -= 1e-2f;
    const float q = g * (cost_of(up) - cost_of(down)) / 2e-2f;
    EXPECT_NEAR(weight(after, rows.front(), j), -q / (10 + std::abs(q)), 1e-4) << j;
    const size_t action = j < 6 ? j / 3 : j - 6;
    EXPECT_EQ(action == 0, std::abs(q) < 1e-6) << "cells of the other action have no part in it";
  }
}
INSTANTIATE_TEST_SUITE_P(All, NetGradients, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Direct" : "Hidden"; });

/// A network with one action whose parts can be looked at: sums of a feature's and the constant's row, output weights.
struct LookedAt {
  explicit LookedAt(const LearnerOptions& options) : learner(make_base_learner(options, 1)) {
    bag.add(0x1234567890abcdefu);
  }
  /// One step towards `target` with a weight so large that nothing of the way is left.
  void learn(float target) {
    std::vector<float> p(1);
    learner->score(bag, p);
    learner->update(bag, std::vector<float>{2 * (p[0] - target)}, LossShape::kSquared, 1e6f);
  }
  std::vector<float> sums() const {
    const HashedRegressor r = learner->freeze();
    std::vector<uint32_t> rows;
    find_rows(bag.keys(), r.shape().bits, rows);
    std::vector<float> all(r.shape().cells());
    for (const uint32_t row : rows) {
      for (size_t j = 0; j < all.size(); ++j)
        all[j] += r.scale() * static_cast<float>(r.cells()[row * padded_width(all.size()) + j]);
    }
    return all;
  }
  float cost(std::vector<float> sums) const {
    const HashedRegressor r = learner->freeze();
    std::vector<float> cost(1);
    activate(r.shape(), sums);
    run_output_layer(r.shape(), sums, r.output(), cost);
    return cost[0];
  }
  FeatureBag bag;
  std::unique_ptr<BaseLearner> learner;
};

// What an action's cost is read from, hidden outputs and direct features, is one regressor and takes one step. (Hidden
// units then take theirs, each towards a target of its own: they are left where they were.)
TEST(Net, HiddenOutputsAndDirectFeaturesDoNotOvershootTogether) {
  LearnerOptions options = options_of("nn");
  options.direct = true;
  for (const float target : {1.0f, -20.0f}) {
    LookedAt net(options);
    const std::vector<float> before = net.sums();
    net.learn(target);
    std::vector<float> sums = before;
    sums.back() = net.sums().back();  // the direct part alone
    EXPECT_NE(sums.back(), before.back());
    EXPECT_NEAR(net.cost(sums), target, 0.01 * std::abs(target));
  }
}

// Sums beyond 3 count as 3: a hidden unit that was drawn further than that could not come back.
TEST(Net, HiddenUnitsAreNotDrawnBeyondWhereTheyCount) {
  LearnerOptions options = options_of("nn");
  options.hidden = 1;
  for (const float target : {1000.0f, -1000.0f}) {
    LookedAt net(options);
    net.learn(target);
    EXPECT_NEAR(std::abs(net.sums()[0]), 3, 0.01);
  }
}

TEST(Dropout, LeavesTheMeanAsItIsAndUnitsThatStayOutAlone) {
  LearnerOptions options = options_of("nn");
  options.bits = 8;
  options.hidden = 1;
  options.dropout = 0.25;
  auto learner = make_base_learner(options, 1);
  FeatureBag bag;
  bag.add(0x1234567890abcdefu);
  const auto frozen = [&] {
    std::vector<float> cost(1);
    HashedRegressor::Scratch scratch;
    learner->freeze().score(bag.keys(), {}, scratch, cost);
    return cost[0];
  };
  const auto first_weight = [&](size_t row) {
    const HashedRegressor r = learner->freeze();
    return r.scale() * static_cast<float>(r.cells()[row * padded_width(1)]);
  };
  double sum = 0;
  int out = 0;
  std::vector<float> cost(1);
  for (int i = 0; i < 4000; ++i) {
    learner->score(bag, cost);
    sum += cost[0];
    out += cost[0] == 0;  // no constant has been learned yet: without its only unit an action costs nothing
  }
  EXPECT_NEAR(sum / 4000, frozen(), 0.02 * std::abs(frozen()));
  EXPECT_NEAR(out / 4000.0, 0.25, 0.03);

  std::vector<uint32_t> rows;
  find_rows(bag.keys(), 8, rows);
  bool moved = false, stayed = false;
  for (int i = 0; i < 20; ++i) {
    const float before = first_weight(rows.front());
    learner->score(bag, cost);
    const bool dropped = i == 0 && cost[0] == 0;
    learner->update(bag, std::vector<float>{2 * (cost[0] - 1)}, LossShape::kSquared);
    if (first_weight(rows.front()) == before) {
      stayed = true;
    } else {
      moved = true;
      EXPECT_FALSE(dropped);
    }
  }
  EXPECT_TRUE(moved);
  EXPECT_TRUE(stayed);
}

// Every learner must fit what its kind can fit: networks also what no sum of features can (exclusive or).
class Learners : public ::testing::TestWithParam<std::string> {};

TEST_P(Learners, FitSeparableAndFrozenScoresEqualTraining) {
  const std::string name = GetParam();
  const bool net = name.starts_with("nn");
  LearnerOptions options = options_of(name);
  options.ftrl_alpha = 0.1;
  auto learner = make_base_learner(options, 2);
  Rng rng(10, "test");
  const auto bag_of = [](int a, int b) {
    FeatureBag bag;
    bag.add(mix(1 + static_cast<uint64_t>(a)));
    bag.add(mix(11 + static_cast<uint64_t>(b)));
    return bag;
  };
  const auto target = [&](int a, int b) { return net ? (a ^ b) : (a | b); };
  std::vector<float> p(2), gradient(2);
  for (int i = 0; i < 6000; ++i) {
    const int a = static_cast<int>(rng.below(2)), b = static_cast<int>(rng.below(2));
    const FeatureBag bag = bag_of(a, b);
    learner->score(bag, p);
    const int right = target(a, b);
    if (name == "perceptron") {
      const int chosen = p[1] < p[0] ? 1 : 0;
      gradient = {0, 0};
      if (chosen != right) gradient[static_cast<size_t>(right)] = 1, gradient[static_cast<size_t>(chosen)] = -1;
      learner->update(bag, gradient, LossShape::kLinear);
    } else {
      for (int action : {0, 1}) {
        gradient[static_cast<size_t>(action)] = 2 * (p[static_cast<size_t>(action)] - (action == right ? 0 : 1));
      }
      learner->update(bag, gradient, LossShape::kSquared);
    }
  }
  const HashedRegressor frozen = learner->freeze();
  HashedRegressor::Scratch scratch;
  for (int a : {0, 1}) {
    for (int b : {0, 1}) {
      const FeatureBag bag = bag_of(a, b);
      learner->score(bag, p);
      std::vector<float> q(2);
      frozen.score(bag.keys(), bag.values(), scratch, q);
      const size_t right = static_cast<size_t>(target(a, b));
      if (name == "perceptron") {
        EXPECT_EQ(p[1] < p[0], right == 1) << a << b;  // a perceptron is content with ties in its favour
      } else {
        EXPECT_LT(q[right], q[1 - right]) << name << " " << a << b;
        EXPECT_NEAR(p[0], q[0], 2e-3);
        EXPECT_NEAR(p[1], q[1], 2e-3);
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, Learners, ::testing::Values("sgd", "adaptive", "ftrl", "perceptron", "nn", "nn+ftrl"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '+');
                           return name;
                         });

TEST(Perceptron, AverageIsTheMeanOverDecisions) {
  auto learner = make_base_learner(options_of("perceptron"), 1);
  FeatureBag bag;
  std::vector<float> p(1);
  // Weights of the constant after each decision: -1, -1, -3; with the start 0 the mean is -5/4.
  for (float g : {1.0f, 0.0f, 2.0f}) {
    learner->score(bag, p);
    learner->update(bag, std::vector<float>{g}, LossShape::kLinear);
  }
  learner->score(bag, p);
  EXPECT_EQ(p[0], -3);
  HashedRegressor::Scratch scratch;
  const HashedRegressor frozen = learner->freeze();
  frozen.score(bag.keys(), {}, scratch, p);
  EXPECT_NEAR(p[0], -1.25, 1e-3);
}

TEST(BaseLearners, RefuseACheckpointWhoseAveragesHaveOtherRows) {
  LearnerOptions options = options_of("adaptive");
  options.bits = 4;
  const uint64_t rows = 16 + 1;
  Rng rng(7, "test");
  const FeatureBag bag = random_bag(rng, 3);
  std::vector<float> costs(2);
  auto learner = make_base_learner(options, 2);
  learner->score(bag, costs);
  learner->update(bag, std::vector<float>{1, -1}, LossShape::kSquared);
  learner->sample_average(10);
  const std::string state = state_of(*learner);
  const size_t count = state.find(std::string(reinterpret_cast<const char*>(&rows), sizeof rows));
  ASSERT_NE(count, std::string::npos);
  restore_state(*make_base_learner(options, 2), state);
  for (const uint64_t forged : {rows - 1, rows + 1, uint64_t{1} << 40}) {
    std::string bytes = state;
    bytes.replace(count, sizeof forged, reinterpret_cast<const char*>(&forged), sizeof forged);
    EXPECT_THROW(restore_state(*make_base_learner(options, 2), bytes), Error) << forged;
  }
}

}  // namespace
}  // namespace espalier
