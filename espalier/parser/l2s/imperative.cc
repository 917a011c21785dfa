#include "espalier/parser/l2s/imperative.h"

#include <cassert>

namespace espalier {

int Search::predict(FeatureBag& features, std::span<const int> allowed, const Reference& reference, int learner,
                    std::span<const int> conditioned_on) {
  assert(!allowed.empty());
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
