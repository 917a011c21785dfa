#include "espalier/learn/classify/boost/risk.h"

#include <gtest/gtest.h>

#include <vector>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

struct Random {
  std::vector<float> positive_margin, positive_bias, negative_margin, negative_bias;
  LeafExamples examples() const { return {positive_margin, positive_bias, negative_margin, negative_bias}; }
};

Random random_examples(Rng& rng, size_t positive, size_t negative) {
  Random r;
  const auto fill = [&](std::vector<float>& margin, std::vector<float>& bias, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      margin.push_back(static_cast<float>(rng.uniform() * 8 - 4));
      bias.push_back(static_cast<float>(rng.uniform()));
    }
  };
  fill(r.positive_margin, r.positive_bias, positive);
  fill(r.negative_margin, r.negative_bias, negative);
  return r;
}

double loss(const Random& r, double shift) {
  double sum = 0;
  for (size_t i = 0; i < r.positive_margin.size(); ++i) {
    sum += static_cast<double>(r.positive_bias[i]) *
           std::log1p(std::exp(-(static_cast<double>(r.positive_margin[i]) + shift)));
  }
  for (size_t i = 0; i < r.negative_margin.size(); ++i) {
    sum += static_cast<double>(r.negative_bias[i]) *
           std::log1p(std::exp(static_cast<double>(r.negative_margin[i]) + shift));
  }
  return sum;
}

TEST(Risk, FastExp) {
  for (double x = -80; x <= 80; x += 0.0137) {
    EXPECT_NEAR(
        static_cast<double>(fast_exp(static_cast<float>(x))) / std::exp(static_cast<double>(static_cast<float>(x))), 1,
        1e-6);
  }
  EXPECT_GT(fast_exp(-1000), 0);
  EXPECT_TRUE(std::isfinite(fast_exp(1000)));
}

TEST(Risk, ExamplesOfOneMarginCountAsOne) {
  Rng rng(3, "risk");
  GroupedExamples grouped;
  grouped.add(7, 1, true);
  grouped.clear();
  Random r;
  for (int i = 0; i < 2000; ++i) {
    const bool correct = rng.below(4) == 0;
    const float margin = static_cast<float>(rng.below(9)) - 4, bias = static_cast<float>(rng.uniform());
    (correct ? r.positive_margin : r.negative_margin).push_back(margin);
    (correct ? r.positive_bias : r.negative_bias).push_back(bias);
    grouped.add(margin, bias, correct);
  }
  const LeafExamples few = grouped.examples();
  EXPECT_EQ(few.positive_margin.size(), 9u);
  EXPECT_EQ(few.negative_margin.size(), 9u);
  for (double shift = -3; shift < 3; shift += 0.37) {
    double curvature, all_curvature;
    EXPECT_NEAR(few.slope(shift, &curvature), r.examples().slope(shift, &all_curvature), 1e-3);
    EXPECT_NEAR(curvature, all_curvature, 1e-3);
  }
}

TEST(Risk, SlopeIsTheDerivative) {
  Rng rng(1, "risk");
  const Random r = random_examples(rng, 30, 100);
  for (double shift = -3; shift < 3; shift += 0.37) {
    double curvature;
    const double slope = r.examples().slope(shift, &curvature);
    EXPECT_NEAR(slope, (loss(r, shift + 1e-4) - loss(r, shift - 1e-4)) / 2e-4, 1e-3);
    EXPECT_NEAR(curvature, (loss(r, shift + 1e-3) - 2 * loss(r, shift) + loss(r, shift - 1e-3)) / 1e-6, 1e-2);
  }
  EXPECT_NEAR(loss_decrease(r.examples(), 0.8), loss(r, 0) - loss(r, 0.8), 1e-2);
}

TEST(Risk, LineSearchFindsTheMinimum) {
  Rng rng(2, "risk");
  for (int trial = 0; trial < 100; ++trial) {
    const Random r = random_examples(rng, rng.below(20), rng.below(20) + 1);
    const double lambda = rng.uniform() * 4, theta = rng.below(2) ? 0 : rng.uniform() * 4 - 2;
    for (const Penalty penalty : {Penalty::kL1, Penalty::kL2}) {
      const double found = line_search(r.examples(), theta, lambda + 0.01, penalty);
      const auto risk = [&](double shift) {
        return loss(r, shift) + penalty_of(theta + shift, lambda + 0.01, penalty);
      };
      double best = risk(-theta);
      for (double shift = -12; shift <= 12; shift += 0.02) best = std::min(best, risk(shift));
      EXPECT_LE(risk(found), best + 1e-4 * std::max(1.0, best)) << trial;
      if (penalty == Penalty::kL1 && std::abs(r.examples().slope(-theta, nullptr)) < lambda) {
        EXPECT_EQ(found, -theta);  // the parameter is exactly zero
      }
    }
  }
}

}  // namespace
}  // namespace espalier
