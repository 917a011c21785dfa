#include "espalier/learn/l2s/reduction.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "espalier/learn/update/passive_aggressive.h"

namespace espalier {

Reduction::Reduction(const LearnerOptions& options, Kind kind, std::span<const int> actions, float margin)
    : kind_(kind),
      margin_(margin),
      aggressiveness_(options.kind().passive ? static_cast<float>(options.aggressiveness) : 0) {
  LearnerOptions own = options;
  for (int count : actions) {
    const size_t size = static_cast<size_t>(count);
    parts_.push_back({make_base_learner(own, count), CollisionCounter(own.bits), std::vector<float>(size),
                      std::vector<float>(size)});
    ++own.seed;
    own.rate = options.rate * options.later_rates;
    own.ftrl_alpha = options.ftrl_alpha * options.later_rates;
  }
}

std::span<const float> Reduction::predict(const FeatureBag& features, std::span<const FeatureBag> alternatives,
                                          int learner) {
  Part& part = parts_[learner];
  if (alternatives.empty()) {
    part.learner->score(features, part.predicted);
    return part.predicted;
  }
  part.alternatives.resize(alternatives.size());
  for (size_t i = 0; i < alternatives.size(); ++i) {
    part.learner->score(alternatives[i], std::span(part.alternatives).subspan(i, 1));
  }
  return part.alternatives;
}

namespace {

float squared_norm(const FeatureBag& bag) {
  auto sum = static_cast<float>(bag.size() + 1);  // the constant feature
  if (!bag.values().empty()) {
    sum = 1;
    for (const float value : bag.values()) sum += value * value;
  }
  return sum;
}
/// The squared norm of an update of two actions. Actions have separate weights; alternatives share theirs (common
/// features count as if they did not cancel, which only makes the step shorter).
float squared_norm(const Lesson& lesson, size_t a, size_t b) {
  if (lesson.alternatives.empty()) return 2 * squared_norm(lesson.features);
  return squared_norm(lesson.alternatives[a]) + squared_norm(lesson.alternatives[b]);
}

}  // namespace

void Reduction::learn(const Lesson& lesson) {
  Part& part = parts_[lesson.learner];
  if (!lesson.predicted) predict(lesson.features, lesson.alternatives, lesson.learner);
  if (lesson.alternatives.empty()) {
    part.collisions.see(lesson.features.keys());
    fill_gradient(lesson, part.predicted, part);
    std::ranges::fill(part.gradient, 0.0f);
    for (size_t i = 0; i < lesson.allowed.size(); ++i) {
      part.gradient[lesson.allowed[i]] = gradient_[i];
    }
    part.learner->update(lesson.features, part.gradient, shape(), lesson.weight);
    return;
  }
  fill_gradient(lesson, part.alternatives, part);
  for (size_t i = 0; i < lesson.alternatives.size(); ++i) {
    if (gradient_[i] == 0) continue;
    part.collisions.see(lesson.alternatives[i].keys());
    part.learner->score(lesson.alternatives[i], part.predicted);  // an update directly follows its score
    part.learner->update(lesson.alternatives[i], std::span(gradient_).subspan(i, 1), shape(), lesson.weight);
  }
}

void Reduction::fill_gradient(const Lesson& lesson, std::span<const float> predicted, Part& part) {
  const auto& allowed = lesson.allowed;
  const auto& costs = lesson.costs;
  const auto looks = [&](size_t i) { return predicted[allowed[i]]; };
  gradient_.assign(allowed.size(), 0.0f);
  if (kind_ == Kind::kOneAgainstAll) {
    part.highest = std::max(part.highest, *std::ranges::max_element(costs));
    for (size_t i = 0; i < allowed.size(); ++i) {
      gradient_[i] = 2 * (std::clamp(looks(i), 0.0f, part.highest) - costs[i]);
      const double error = looks(i) - costs[i];
      part.errors.squared += error * error;
      part.errors.costs += costs[i];
      part.errors.squared_costs += costs[i] * costs[i];
    }
    part.errors.count += static_cast<double>(allowed.size());
    return;
  }
  if (kind_ == Kind::kSoftmax) return fill_softmax_gradient(lesson, predicted);
  const auto with_margin = [&](size_t i) { return looks(i) - margin_ * costs[i]; };
  size_t chosen = 0, best = allowed.size();
  for (size_t i = 0; i < allowed.size(); ++i) {
    if (with_margin(i) < with_margin(chosen)) chosen = i;
    if (costs[i] == 0 && (best == allowed.size() || with_margin(i) < with_margin(best))) best = i;
  }
  if (costs[chosen] > 0) {
    float step = costs[chosen];
    if (aggressiveness_ > 0) {
      const float missing = with_margin(best) - with_margin(chosen);
      step = passive_aggressive_step(missing, squared_norm(lesson, best, chosen), aggressiveness_);
    }
    gradient_[best] = step;
    gradient_[chosen] = -step;
  }
}

void Reduction::fill_softmax_gradient(const Lesson& lesson, std::span<const float> predicted) {
  // Scores in gradient_ first, then the probabilities of all actions (p) and of the right ones among themselves (q);
  // minus the logarithm of the right ones' probability has the gradient q - p in the predicted costs.
  const auto& costs = lesson.costs;
  for (size_t i = 0; i < costs.size(); ++i) {
    gradient_[i] = margin_ * costs[i] - predicted[lesson.allowed[i]];
  }
  const float highest = *std::ranges::max_element(gradient_);
  float all = 0, right = 0;
  for (size_t i = 0; i < costs.size(); ++i) {
    gradient_[i] = std::exp(std::max(gradient_[i] - highest, -80.0f));  // never 0, so that it can be learned
    all += gradient_[i];
    if (costs[i] == 0) right += gradient_[i];
  }
  for (size_t i = 0; i < costs.size(); ++i) {
    gradient_[i] *= (costs[i] == 0 ? 1 / right : 0.0f) - 1 / all;
    if (std::abs(gradient_[i]) < 1e-3f) gradient_[i] = 0;  // most actions are improbable: skip their updates
  }
}

double Reduction::error_over_variance() const {
  double squared = 0, variance = 0;
  for (const auto& errors : parts_ | std::views::transform(&Part::errors)) {
    if (errors.count == 0) continue;
    squared += errors.squared;
    variance += errors.squared_costs - errors.costs * errors.costs / errors.count;
  }
  return variance > 0 ? squared / variance : 0;
}

void Reduction::forget_errors() {
  for (Part& part : parts_) part.errors = {};
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
