// The features of a derivation, such that its score is their inner product with the weights: what Parser::features
// gives for every parser that searches a sequential space with linear weights.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/parser/parser.h"
#include "espalier/search/steps.h"

namespace espalier {

/// `scorer` is a StateScorer that has been reset for the sentence. Forced steps score nothing.
template <class Space, class Scorer>
FeatureVector derivation_features(const Space& space, const ActionTable& actions, std::span<const int32_t> derivation,
                                  int words, typename Space::Arena& arena, Scorer& scorer) {
  std::vector<uint64_t> keys;
  auto state = space.initial(arena, words);
  for (const int32_t column : derivation) {
    if (forced_column(space.legal(state, arena), actions) < 0)
      for (const uint64_t key : scorer.keys(state, arena)) keys.push_back(combine(key, static_cast<uint64_t>(column)));
    const auto& action = actions.action(column);
    space.apply(state, arena, action.move, action.label);
  }
  std::ranges::sort(keys);
  FeatureVector vector;
  for (const uint64_t key : keys) {
    if (vector.empty() || vector.back().first != key) vector.emplace_back(key, 0.0f);
    ++vector.back().second;
  }
  return vector;
}

}  // namespace espalier
