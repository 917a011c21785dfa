#include "espalier/eval/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include <stdexcept>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

TEST(MonotoneMap, PoolsWhatDoesNotRise) {
  // 1 and 2 are right as often as 1/2 and 0: pooled to 1/4 at 1.5; 3 is always right.
  const MonotoneMap map = MonotoneMap::fit({{1, true}, {1, false}, {2, false}, {2, false}, {3, true}}, 100);
  EXPECT_EQ(map.knots(), (std::vector<std::pair<double, double>>{{1.5, 0.25}, {3, 1}}));
  EXPECT_EQ(map(0), 0.25);
  EXPECT_EQ(map(2.25), 0.625);
  EXPECT_EQ(map(9), 1);
  EXPECT_EQ(MonotoneMap::fit({})(7), 0.5);
}

/// Of all ways to pool neighbouring values so that chances rise, the nearest to the judgements.
TEST(MonotoneMap, IsTheNearestRisingMap) {
  Rng rng(3, "isotonic");
  for (int round = 0; round < 500; ++round) {
    std::vector<Judgement> judgements;
    for (int i = 0; i < 12; ++i) judgements.push_back({static_cast<double>(rng.below(5)), rng.below(2) == 1});
    double nearest = 1e9;
    std::vector<std::pair<double, double>> best;
    for (unsigned cuts = 0; cuts < 16; ++cuts) {  // bit i: between i and i + 1
      std::vector<std::pair<double, double>> knots;
      double distance = 0;
      for (int first = 0, last = 0; first < 5; first = last + 1) {
        last = first;
        while (last < 4 && !(cuts >> last & 1)) ++last;
        double count = 0, values = 0, right = 0;
        for (const Judgement& judgement : judgements) {
          if (judgement.value < first || judgement.value > last) continue;
          ++count, values += judgement.value, right += judgement.right ? 1 : 0;
        }
        if (count == 0) continue;
        knots.emplace_back(values / count, right / count);
        distance += right * (1 - right / count);
      }
      bool rises = true;
      for (size_t k = 1; k < knots.size(); ++k) rises &= knots[k].second > knots[k - 1].second;
      if (rises && distance < nearest - 1e-9) nearest = distance, best = knots;
    }
    EXPECT_EQ(MonotoneMap::fit(judgements, 100).knots(), best) << round;
  }
}

TEST(MonotoneMap, RefusesWhatFalls) {
  EXPECT_THROW(MonotoneMap({}), std::invalid_argument);
  EXPECT_THROW(MonotoneMap({{0, 0.5}, {1, 0.4}}), std::invalid_argument);
  EXPECT_THROW(MonotoneMap({{1, 0.2}, {0, 0.4}}), std::invalid_argument);
  EXPECT_THROW(MonotoneMap({{0, 1.5}}), std::invalid_argument);
}

std::vector<LogisticMap::Example> drawn_by(const LogisticMap& truth, size_t count, Rng& rng) {
  std::vector<LogisticMap::Example> examples;
  for (size_t i = 0; i < count; ++i) {
    const std::array<double, 2> values = {6 * rng.uniform() - 3, 3 * rng.uniform()};
    examples.push_back({values, rng.uniform() < truth(values)});
  }
  return examples;
}

TEST(LogisticMap, FindsTheWeights) {
  Rng rng(6, "logistic");
  const LogisticMap::Weights truth = {-1, 0.7, 1.3};
  const LogisticMap map = LogisticMap::fit(drawn_by(LogisticMap(truth), 50000, rng), {0, 1, 0});
  for (size_t w = 0; w < truth.size(); ++w) EXPECT_NEAR(map.weights()[w], truth[w], 0.05) << w;
  EXPECT_NEAR(map({0, 1}), 1 / (1 + std::exp(-0.3)), 0.02);
}

/// No weights nearby have less loss, whether there is much, little or nothing to learn from, and where all are right.
TEST(LogisticMap, IsTheMinimum) {
  Rng rng(7, "logistic");
  const LogisticMap::Weights prior = {0, 1, 0};
  EXPECT_EQ(LogisticMap::fit({}, prior).weights(), prior);
  for (const size_t count : {1, 10, 300})
    for (const double bias : {0.0, 50.0}) {
      const auto examples = drawn_by(LogisticMap({bias, 0.5, -0.5}), count, rng);
      const auto loss = [&](const LogisticMap::Weights& weights) {
        const LogisticMap map(weights);
        double sum = 0;
        for (size_t w = 0; w < weights.size(); ++w) sum += std::pow(weights[w] - prior[w], 2);
        for (const auto& [values, right] : examples) sum -= std::log(right ? map(values) : 1 - map(values));
        return sum;
      };
      const LogisticMap::Weights found = LogisticMap::fit(examples, prior).weights();
      for (size_t w = 0; w < found.size(); ++w)
        for (const double distance : {-0.01, 0.01}) {
          LogisticMap::Weights near = found;
          near[w] += distance;
          EXPECT_GT(loss(near), loss(found)) << count << ' ' << bias << ' ' << w;
        }
    }
}

TEST(LogisticMap, RefusesWhatIsNoNumber) { EXPECT_THROW(LogisticMap({0, 1, std::nan("")}), std::invalid_argument); }

/// The error that true probabilities show.
TEST(Reliability, ByChanceIsTheErrorOfTrueProbabilities) {
  Rng rng(8, "chance");
  double error = 0, by_chance = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Judgement> judgements;
    for (int i = 0; i < 300; ++i) {
      const double value = rng.uniform();
      judgements.push_back({value, rng.uniform() < value});
    }
    const Reliability result = reliability(judgements);
    error += result.error / 200, by_chance += result.by_chance / 200;
  }
  EXPECT_NEAR(error, by_chance, 0.002);
  EXPECT_GT(error, 0.03);
}

TEST(Reliability, ByHand) {
  const std::vector<Judgement> judgements = {{0.95, true}, {0.95, true}, {0.95, false}, {0.15, false}};
  const Reliability result = reliability(judgements);
  EXPECT_EQ(result.bins[9].count, 3u);
  EXPECT_NEAR(result.bins[9].accuracy, 2.0 / 3, 1e-9);
  EXPECT_NEAR(result.error, (3 * (0.95 - 2.0 / 3) + 0.15) / 4, 1e-9);
  EXPECT_NEAR(result.brier, (2 * 0.05 * 0.05 + 0.95 * 0.95 + 0.15 * 0.15) / 4, 1e-9);
  EXPECT_EQ(reliability({}).error, 0);
}

/// What was fitted on one half is right about the other.
TEST(Reliability, FittedMapsAreCalibrated) {
  Rng rng(4, "reliability");
  const auto draw = [&](size_t count) {
    std::vector<Judgement> judgements;
    for (size_t i = 0; i < count; ++i) {
      const double value = rng.uniform();
      judgements.push_back({value, rng.uniform() < 0.5 + 0.5 * value * value});  // overconfident below, and bent
    }
    return judgements;
  };
  const MonotoneMap map = MonotoneMap::fit(draw(20000));
  std::vector<Judgement> other = draw(20000);
  EXPECT_GT(reliability(other).error, 0.1);
  for (Judgement& judgement : other) judgement.value = map(judgement.value);
  EXPECT_LT(reliability(other).error, 0.02);
}

/// Fitted on little, the mean of samples is nearer to the truth, and still rises.
TEST(MonotoneMap, SmoothOnesAreTruer) {
  Rng rng(5, "smooth");
  const auto truth = [](double value) { return 0.2 + 0.7 * value * value; };
  double plain = 0, smooth = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Judgement> judgements;
    for (int i = 0; i < 300; ++i) {
      const double value = rng.uniform();
      judgements.push_back({value, rng.uniform() < truth(value)});
    }
    const MonotoneMap one = MonotoneMap::fit(judgements), mean = MonotoneMap::fit_smoothly(judgements);
    EXPECT_LE(mean.knots().size(), 61u);
    double before = 0;
    for (double value = 0; value <= 1; value += 0.01) {
      plain += std::pow(one(value) - truth(value), 2);
      smooth += std::pow(mean(value) - truth(value), 2);
      EXPECT_GE(mean(value), before);
      before = mean(value);
    }
  }
  EXPECT_LT(smooth, plain);
  EXPECT_EQ(MonotoneMap::fit_smoothly({})(0.3), 0.5);
}

}  // namespace
}  // namespace espalier
