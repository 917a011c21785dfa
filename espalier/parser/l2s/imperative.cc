#include "espalier/parser/l2s/imperative.h"

#include <algorithm>

#include "espalier/base/error.h"

namespace espalier {
namespace {

/// What is wrong with a decision would otherwise be read or written past an end.
void check(std::span<const int> allowed, const Reference& reference, int learner, int actions) {
  if (actions == 0) throw usage_error("predict: the task has no learner {}", learner);
  if (allowed.empty()) throw usage_error("predict: no action is allowed");
  if (allowed.front() < 0 || allowed.back() >= actions || !std::ranges::is_sorted(allowed, std::less_equal<>())) {
    throw usage_error("predict: allowed actions must ascend and be of 0 to {}", actions - 1);
  }
  if (reference.has_costs() && reference.costs().size() != allowed.size()) {
    throw usage_error("predict: {} costs for {} allowed actions", reference.costs().size(), allowed.size());
  }
}

}  // namespace

int Search::predict(FeatureBag& features, std::span<const int> allowed, const Reference& reference, int learner,
                    std::span<const int> conditioned_on) {
  check(allowed, reference, learner, actions(learner));
  const size_t own = features.size();
  if (!conditioned_on.empty() && needs_features()) {
    uint64_t history = 0x5ea7c4;
    for (size_t i = 0; i < conditioned_on.size(); ++i) {
      const uint64_t action = mix(static_cast<uint64_t>(conditioned_on[i]) + 1);
      history = combine(history, action);
      features.add(combine(i + 1, action));
      if (i > 0) features.add(history);
    }
  }
  const int action = decide({features, allowed, reference, learner});
  features.truncate(own);
  return action;
}

}  // namespace espalier
