// The risk of boosting: logistic loss of weighted examples under a shift of their margins, with an l1 or l2 penalty,
// and its exact minimisation along one parameter (Turian 2007, §4.4; keeping the bias b(i) that Eqs. 4.31-4.34 omit).
// Tested by risk_test.cc against a numeric search.
#pragma once

#include <tsl/robin_map.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

enum class Penalty { kL1, kL2 };

/// exp(x) by a polynomial, relative error below 3e-7 for |x| <= 87 (clamped beyond). Loops over it vectorise.
inline float fast_exp(float x) {
  x = x < -87.0F ? -87.0F : x > 87.0F ? 87.0F : x;
  const float scaled = x * 1.44269504F;
  const float rounded = static_cast<float>(static_cast<int>(scaled + (scaled < 0 ? -0.5F : 0.5F)));
  const float r = x - rounded * 0.693359375F + rounded * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const int bits = (static_cast<int>(rounded) + 127) << 23;
  return p * std::bit_cast<float>(bits);
}

/// 1 / (1 + exp(-x))
inline float sigmoid(float x) { return 1.0F / (1.0F + fast_exp(-x)); }

/// Examples of one leaf, correct and wrong ones apart: margins and biases.
struct LeafExamples {
  std::span<const float> positive_margin, positive_bias, negative_margin, negative_bias;

  /// Derivative of the loss, sum b ln(1 + exp(-y (h + shift))), by the shift; the second one in `curvature`.
  double slope(double shift, double* curvature) const;
};

/// Collects the examples of a leaf. Margins are sums of a few parameters, so millions of examples have few different
/// margins: examples with equal margins become one with the sum of their biases.
class GroupedExamples {
 public:
  void clear() { positive_.clear(), negative_.clear(); }
  void add(float margin, float bias, bool correct) { (correct ? positive_ : negative_).add(margin, bias); }
  /// Valid until the next change.
  LeafExamples examples() { return {positive_.margins(), positive_.biases(), negative_.margins(), negative_.biases()}; }

 private:
  class Side {
   public:
    void clear();
    void add(float margin, float bias) {
      if (margins_.empty() || margins_[last_] != margin) last_ = find(margin);
      sums_[last_] += static_cast<double>(bias);
    }
    std::span<const float> margins() const { return margins_; }
    std::span<const float> biases();

   private:
    size_t find(float margin);  // adds it if it is new

    std::vector<float> margins_, biases_;
    std::vector<double> sums_;
    tsl::robin_map<uint32_t, uint32_t> groups_;  // by the bits of the margin
    size_t last_ = 0;
  };
  Side positive_, negative_;
};

/// The decrease of the loss by the shift: the slope's integral by Simpson's rule, which needs no logarithms.
double loss_decrease(const LeafExamples& examples, double shift);

/// The shift that minimises loss(shift) + penalty of (theta + shift): lambda |.| or lambda (.)^2.
double line_search(const LeafExamples& examples, double theta, double lambda, Penalty penalty);

inline double penalty_of(double theta, double lambda, Penalty penalty) {
  return penalty == Penalty::kL1 ? lambda * std::abs(theta) : lambda * theta * theta;
}

}  // namespace espalier
