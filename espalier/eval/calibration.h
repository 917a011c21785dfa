// Calibration of probabilities: of a hundred predictions with probability 0.9, ninety should be right. A monotone map
// (isotonic regression: Zadrozny and Elkan 2002) of one value, or logistic regression on a few, is fitted on data with
// known answers; the expected calibration error (Naeini et al. 2015) measures how well it holds on other data. Tested
// by calibration_test.cc.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace espalier {

/// A score that rises with the probability of being right, or that probability itself; and whether it was right.
struct Judgement {
  double value;
  bool right;
};

/// A rising map, linear between its knots and constant outside of them.
class MonotoneMap {
 public:
  /// Isotonic regression with about `groups` knots. Without judgements the map is 0.5 everywhere.
  static MonotoneMap fit(std::vector<Judgement> judgements, size_t groups = 50);
  /// The mean of such maps for bootstrap samples, which is smoother and generalises better.
  static MonotoneMap fit_smoothly(const std::vector<Judgement>& judgements, size_t groups = 50);
  /// Knots with ascending scores and non-decreasing probabilities; throws std::invalid_argument if they are not.
  explicit MonotoneMap(std::vector<std::pair<double, double>> knots);

  double operator()(double value) const;
  const std::vector<std::pair<double, double>>& knots() const { return knots_; }

 private:
  std::vector<std::pair<double, double>> knots_;
};

/// Logistic regression on two values: three weights can be fitted where a hundred judgements are all there are.
class LogisticMap {
 public:
  struct Example {
    std::array<double, 2> values;
    bool right;
  };
  using Weights = std::array<double, 3>;  ///< a constant's, and the values'
  /// The likeliest weights if each is drawn from a normal distribution around the prior, with variance 1/2.
  static LogisticMap fit(std::span<const Example> examples, const Weights& prior);
  /// Throws std::invalid_argument if a weight is not finite.
  explicit LogisticMap(const Weights& weights);

  double operator()(const std::array<double, 2>& values) const { return 1 / (1 + std::exp(-log_odds(values))); }
  const Weights& weights() const { return weights_; }

 private:
  double log_odds(const std::array<double, 2>& values) const;
  Weights weights_;
};

struct Reliability {
  struct Bin {
    size_t count = 0;
    double confidence = 0, accuracy = 0;  ///< means
  };
  std::vector<Bin> bins;  ///< of equal width, from 0 to 1
  double error = 0;       ///< expected calibration error: mean of |confidence - accuracy| of the bins
  double by_chance = 0;   ///< about the error of these probabilities if they were true, which so few judgements leave
  double brier = 0;       ///< Brier score: mean squared difference from 1 (right) or 0 (wrong)
  size_t count = 0;
};
Reliability reliability(std::span<const Judgement> judgements, size_t bins = 10);

}  // namespace espalier
