#include "espalier/learn/classify/boost/risk.h"

#include <algorithm>

namespace espalier {
namespace {

/// Adds the derivatives in blocks of floats, which vectorise, summed in double.
void derivatives(std::span<const float> margin, std::span<const float> bias, float shift, float sign, double& first,
                 double& second) {
  constexpr size_t kLanes = 8, kBlock = 4096;
  for (size_t begin = 0; begin < margin.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, margin.size());
    float slope[kLanes] = {}, curve[kLanes] = {};
    size_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const float p = sigmoid(-sign * (margin[i + lane] + shift));  // probability of the wrong answer
        slope[lane] += bias[i + lane] * p;
        curve[lane] += bias[i + lane] * p * (1 - p);
      }
    }
    for (; i < end; ++i) {
      const float p = sigmoid(-sign * (margin[i] + shift));
      slope[0] += bias[i] * p;
      curve[0] += bias[i] * p * (1 - p);
    }
    for (size_t lane = 0; lane < kLanes; ++lane) {
      first -= static_cast<double>(sign * slope[lane]);
      second += static_cast<double>(curve[lane]);
    }
  }
}

}  // namespace

double LeafExamples::slope(double shift, double* curvature) const {
  double first = 0, second = 0;
  derivatives(positive_margin, positive_bias, static_cast<float>(shift), 1, first, second);
  derivatives(negative_margin, negative_bias, static_cast<float>(shift), -1, first, second);
  if (curvature) *curvature = second;
  return first;
}

void GroupedExamples::Side::clear() {
  margins_.clear(), sums_.clear(), groups_.clear();
  last_ = 0;
}

size_t GroupedExamples::Side::find(float margin) {
  const auto [it, added] = groups_.try_emplace(std::bit_cast<uint32_t>(margin), static_cast<uint32_t>(margins_.size()));
  if (added) margins_.push_back(margin), sums_.push_back(0);
  return it->second;
}

std::span<const float> GroupedExamples::Side::biases() {
  biases_.assign(sums_.begin(), sums_.end());
  return biases_;
}

double loss_decrease(const LeafExamples& examples, double shift) {
  return -shift / 6 *
         (examples.slope(0, nullptr) + 4 * examples.slope(shift / 2, nullptr) + examples.slope(shift, nullptr));
}

double line_search(const LeafExamples& examples, double theta, double lambda, Penalty penalty) {
  const bool l1 = penalty == Penalty::kL1;
  // The l1 penalty has its kink where theta + shift = 0: the sign of the new value is that of -slope there.
  const double start = l1 ? -theta : 0;
  double curvature = 0;
  const double first = examples.slope(start, nullptr) + (l1 ? 0 : 2 * lambda * theta);
  if (l1 && std::abs(first) <= lambda) return -theta;
  const double side = first < 0 ? 1 : -1;
  const auto slope = [&](double shift) {
    const double loss = examples.slope(shift, &curvature);
    if (l1) return loss + lambda * side;
    curvature += 2 * lambda;
    return loss + 2 * lambda * (theta + shift);
  };
  // Doubled steps until the minimum is passed, then Newton's, halved into the bracket whenever they leave it.
  double near = start, far = start + side;
  for (double step = 2; step < 64 && slope(far) * side < 0; step *= 2) near = far, far += side * step;
  double low = std::min(near, far), high = std::max(near, far), shift = (low + high) / 2;
  for (int i = 0; i < 50 && high - low > 1e-6; ++i) {
    const double at = slope(shift);
    (at < 0 ? low : high) = shift;
    double next = curvature > 0 ? shift - at / curvature : low - 1;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - shift) < 1e-6) return next;
    shift = next;
  }
  return shift;
}

}  // namespace espalier
