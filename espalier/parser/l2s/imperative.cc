#include "espalier/parser/l2s/imperative.h"

#include <algorithm>

#include "espalier/base/error.h"

namespace espalier {

/// Checks a decision, since a wrong one would lead to access past an end.
int Search::check_and_decide(const Decision& d) {
  const int count = actions(d.learner);
  if (count == 0) throw usage_error("predict: the task has no learner {}", d.learner);
  if (d.allowed.empty()) throw usage_error("predict: no action is allowed");
  if (!d.alternatives.empty() && count != 1) {
    throw usage_error("choose: learner {} has {} actions; alternatives need a learner with one", d.learner, count);
  }
  const bool known = d.allowed.front() >= 0 && (!d.alternatives.empty() || d.allowed.back() < count);
  if (!known || !std::ranges::is_sorted(d.allowed, std::less_equal<>())) {
    throw usage_error("predict: allowed actions must ascend and be of 0 to {}", count - 1);
  }
  if (d.reference.has_costs() && d.reference.costs().size() != d.allowed.size()) {
    throw usage_error("predict: {} costs for {} allowed actions", d.reference.costs().size(), d.allowed.size());
  }
  if (!(d.weight >= 0 && d.weight <= 1e6f)) throw usage_error("predict: a weight must be of 0 to 1e6");
  predicted_ = {};
  return decide(d);
}

void Search::throw_other_state(int loop) {
  throw usage_error("checkpoint: loop {} kept a state of another type; loops need numbers of their own", loop);
}

void add_history(std::span<const int> actions, FeatureBag& features) {
  uint64_t history = 0x5ea7c4;
  for (size_t i = 0; i < actions.size(); ++i) {
    const uint64_t action = mix(static_cast<uint64_t>(actions[i]) + 1);
    history = combine(history, action);
    features.add(combine(i + 1, action));
    if (i > 0) features.add(history);
  }
}

int Search::predict(FeatureBag& features, std::span<const int> allowed, const Reference& reference, int learner,
                    std::span<const int> conditioned_on, float weight) {
  const size_t own = features.size();
  if (needs_features()) add_history(conditioned_on, features);
  const int action = check_and_decide({features, {}, allowed, reference, learner, weight});
  features.truncate(own);
  return action;
}

int Search::choose(std::span<const FeatureBag> alternatives, const Reference& reference, int learner, float weight) {
  static const FeatureBag kNone;
  while (numbers_.size() < alternatives.size()) numbers_.push_back(static_cast<int>(numbers_.size()));
  return check_and_decide(
      {kNone, alternatives, std::span(numbers_).first(alternatives.size()), reference, learner, weight});
}

}  // namespace espalier
