#include "espalier/learn/l2s/reduction.h"

#include <algorithm>

namespace espalier {

Reduction::Reduction(const LearnerOptions& options, Kind kind, std::span<const int> actions, float margin)
    : kind_(kind), margin_(margin) {
  LearnerOptions own = options;
  for (int count : actions) {
    const size_t size = static_cast<size_t>(count);
    parts_.push_back({make_base_learner(own, count), CollisionCounter(own.bits), std::vector<float>(size),
                      std::vector<float>(size), 0});
    ++own.seed;
  }
}

std::span<const float> Reduction::predict(const FeatureBag& features, int learner) {
  Part& part = parts_[static_cast<size_t>(learner)];
  part.learner->score(features, part.predicted);
  return part.predicted;
}

void Reduction::learn(const FeatureBag& features, std::span<const int> allowed, std::span<const float> costs,
                      int learner, bool predicted) {
  if (!predicted) predict(features, learner);
  Part& part = parts_[static_cast<size_t>(learner)];
  part.collisions.see(features.keys());
  std::ranges::fill(part.gradient, 0.0f);
  if (kind_ == Kind::kOneAgainstAll) {
    part.highest = std::max(part.highest, *std::ranges::max_element(costs));
    for (size_t i = 0; i < allowed.size(); ++i) {
      const size_t a = static_cast<size_t>(allowed[i]);
      part.gradient[a] = 2 * (std::clamp(part.predicted[a], 0.0f, part.highest) - costs[i]);
    }
    part.learner->update(features, part.gradient, LossShape::kSquared);
    return;
  }
  size_t chosen = 0, best = allowed.size();
  for (size_t i = 0; i < allowed.size(); ++i) {
    const auto looks = [&](size_t at) {
      return part.predicted[static_cast<size_t>(allowed[at])] - margin_ * costs[at];
    };
    if (looks(i) < looks(chosen)) chosen = i;
    if (costs[i] == 0 && (best == allowed.size() || looks(i) < looks(best))) best = i;
  }
  if (costs[chosen] > 0) {
    part.gradient[static_cast<size_t>(allowed[best])] = costs[chosen];
    part.gradient[static_cast<size_t>(allowed[chosen])] = -costs[chosen];
  }
  part.learner->update(features, part.gradient, LossShape::kLinear);
}

double Reduction::collision_rate() const {
  double shared = 0, all = 0;
  for (const Part& part : parts_) {
    shared += part.collisions.rate() * part.collisions.features();
    all += part.collisions.features();
  }
  return all > 0 ? shared / all : 0;
}

void Reduction::sample_average(int window) {
  for (Part& part : parts_) part.learner->sample_average(window);
}

std::vector<HashedRegressor> Reduction::freeze() const {
  std::vector<HashedRegressor> frozen;
  for (const Part& part : parts_) frozen.push_back(part.learner->freeze());
  return frozen;
}

void Reduction::archive(Archive& archive) {
  for (Part& part : parts_) {
    part.learner->archive(archive);
    part.collisions.archive(archive);
    archive.value(part.highest);
  }
}

}  // namespace espalier
