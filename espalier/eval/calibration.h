// Whether probabilities mean what they say: of a hundred things called 90 % sure, ninety should be right. A monotone
// map (isotonic regression: Zadrozny and Elkan 2002) makes it so on data with known answers; the expected calibration
// error (Naeini et al. 2015) tells how well it holds on other data. Tested by calibration_test.cc.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace espalier {

/// A number that rises with the chance of being right, or that chance itself; and whether it was.
struct Judgement {
  double value;
  bool right;
};

/// Rises everywhere; straight between its knots, flat outside of them.
class MonotoneMap {
 public:
  /// As near to the judgements as a rising map of about `groups` knots can be. Nothing to learn from gives 0.5.
  static MonotoneMap fit(std::vector<Judgement> judgements, size_t groups = 50);
  /// The mean of such maps of samples drawn with replacement: smoother, and truer of what was not seen.
  static MonotoneMap fit_smoothly(const std::vector<Judgement>& judgements, size_t groups = 50);
  /// Knots, values in order, chances from 0 to 1 that do not fall; throws std::invalid_argument if they are not.
  explicit MonotoneMap(std::vector<std::pair<double, double>> knots);

  double operator()(double value) const;
  const std::vector<std::pair<double, double>>& knots() const { return knots_; }

 private:
  std::vector<std::pair<double, double>> knots_;
};

struct Reliability {
  struct Bin {
    size_t count = 0;
    double confidence = 0, accuracy = 0;  ///< means
  };
  std::vector<Bin> bins;  ///< of equal width, from 0 to 1
  double error = 0;       ///< expected calibration error: mean of |confidence - accuracy| of the bins
  double brier = 0;       ///< mean squared distance from what was right; tells also how much is told apart
  size_t count = 0;
};
Reliability reliability(std::span<const Judgement> judgements, size_t bins = 10);

}  // namespace espalier
