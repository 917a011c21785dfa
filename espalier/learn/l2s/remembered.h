// A cache of predictions while the model does not learn. Roll-outs of one step differ in one action and soon reach the
// same decisions again: the same features for the same learner. Tested by imitate_test.cc.
#pragma once

#include <bit>
#include <span>
#include <unordered_map>
#include <vector>

#include "espalier/parser/l2s/imperative.h"

namespace espalier {

class RememberedCosts {
 public:
  void forget() {
    places_.clear();
    costs_.clear();
  }
  /// The cached result of `ask` for a decision; calls `ask` if there is none. Valid until the next call.
  template <class Ask>
  std::span<const float> of(const Decision& decision, size_t policy, const Ask& ask) {
    const auto [known, fresh] = places_.try_emplace(combine(key_of(decision), policy));
    if (fresh) {
      const std::span<const float> costs = ask();
      known->second = {costs_.size(), costs.size()};
      costs_.insert(costs_.end(), costs.begin(), costs.end());
    }
    return std::span(costs_).subspan(known->second.begin, known->second.size);
  }

 private:
  struct Place {
    size_t begin, size;
  };

  static uint64_t key_of(const Decision& decision) {
    uint64_t key = mix(static_cast<uint64_t>(decision.learner));
    const auto add = [&](const FeatureBag& bag) {
      for (const uint64_t feature : bag.keys()) key = (std::rotl(key, 5) ^ feature) * 0x9e3779b97f4a7c15u;
      for (const float value : bag.values()) key = combine(key, std::bit_cast<uint32_t>(value));
      key = combine(key, bag.size());
    };
    add(decision.features);
    for (const FeatureBag& bag : decision.alternatives) add(bag);
    return key;
  }

  std::unordered_map<uint64_t, Place> places_;
  std::vector<float> costs_;
};

}  // namespace espalier
