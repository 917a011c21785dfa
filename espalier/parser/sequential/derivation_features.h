// The features of a derivation, whose inner product with the weights is its score: Inspectable::features for every
// parser that searches a sequential space with linear weights, frozen or in training. Weights are looked up by keys
// made of the model's label numbers, which is fast; features are returned with keys made of label texts, so that folds
// and models can be compared. Both are computed side by side. Tested by tests/contract/parser_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/features/atom_names.h"
#include "espalier/parser/candidate.h"
#include "espalier/parser/inspect.h"
#include "espalier/search/steps.h"
#include "espalier/space/action_factors.h"
#include "espalier/tree/direction.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// The names of labels, for features.
inline std::vector<uint64_t> label_names(std::span<const std::string> labels) {
  std::vector<uint64_t> names;
  for (const std::string& label : labels) names.push_back(hash_string(label));
  return names;
}

template <class Space, class Features>
class DerivationFeatures {
 public:
  using View = typename Features::View;

  /// Keeps references, except to the labels' texts. Each direction of reading has features of its own.
  DerivationFeatures(const Space& space, const ActionTable& actions, const ActionFactors& factors,
                     std::span<const std::string> labels, Direction direction, Features features = {})
      : space_(space), actions_(actions), factors_(factors), features_(features), named_(label_names(labels)) {
    for (int column = 0; column < actions.columns(); ++column) {
      const auto& [move, label] = actions.action(column);
      const uint64_t name = label < 0 ? 0 : hash_string(labels[label]);
      action_names_.push_back(combine(static_cast<uint64_t>(move) << 1 | (direction == Direction::kRightToLeft), name));
    }
    named_.prepare(named_arena_);
  }

  /// `weights` may be null: then all are 0. Forced steps score nothing.
  template <class Weights>
  FeatureVector of(std::span<const int32_t> derivation, const typename View::Atoms& atoms, const Weights* weights) {
    FeatureVector vector;
    auto state = begin(arena_, atoms), named_state = begin(named_arena_, atoms);
    for (const int32_t column : derivation) {
      if (forced_column(space_.legal(state, arena_), actions_) < 0) {
        const std::span<const uint64_t> names = keys(named_, named_state, named_arena_, atoms, names_);
        if (weights) {
          const std::span<const uint64_t> own = keys(own_, state, arena_, atoms, keys_);
          const int itself[] = {column};
          weights->weigh(own, factors_.factored() ? factors_.of(column) : itself, values_);
        }
        for (size_t i = 0; i < names.size(); ++i)
          vector.push_back({combine(names[i], action_names_[column]), 1, weights ? values_[i] : 0});
      }
      const auto& action = actions_.action(column);
      space_.apply(state, arena_, action.move, action.label);
      space_.apply(named_state, named_arena_, action.move, action.label);
    }
    sort_features(vector);
    return vector;
  }
  /// The names of the features: "left:nsubj if S0.form=dog". `move_name` gives the text of a move.
  std::vector<NamedFeature> names(std::span<const int32_t> derivation, const typename View::Atoms& atoms,
                                  const AtomTexts& texts, const char* (*move_name)(int)) {
    std::vector<NamedFeature> all;
    const auto templates = features_.in_order();
    auto state = begin(named_arena_, atoms);
    for (const int32_t column : derivation) {
      const auto& [move, label] = actions_.action(column);
      if (forced_column(space_.legal(state, named_arena_), actions_) < 0) {
        const std::span<const uint64_t> names = keys(named_, state, named_arena_, atoms, names_);
        std::string action = move_name(move);
        if (label >= 0) action += ":" + texts.labels[label];
        for (size_t i = 0; i < names.size(); ++i)
          all.push_back({combine(names[i], action_names_[column]),
                         action + " if " + describe(templates[i], view_, atoms, texts)});
      }
      space_.apply(state, named_arena_, move, label);
    }
    return all;
  }

 private:
  auto begin(typename Space::Arena& arena, const typename View::Atoms& atoms) const {
    if constexpr (requires { arena.tags; }) arena.tags = atoms.tags();
    return space_.initial(arena, atoms.size());
  }
  std::span<const uint64_t> keys(const auto& gatherer, const auto& state, const auto& arena, const auto& atoms,
                                 uint64_t* out) {
    gatherer.gather(state, arena, atoms, view_);
    return {out, static_cast<size_t>(features_.all_keys(view_, out))};
  }

  const Space& space_;
  const ActionTable& actions_;
  const ActionFactors& factors_;
  [[no_unique_address]] Features features_;
  typename View::Gatherer own_;
  typename View::NamedGatherer named_;
  std::vector<uint64_t> action_names_;
  typename Space::Arena arena_, named_arena_;
  View view_;
  uint64_t keys_[kMostFeatures], names_[kMostFeatures];
  float values_[kMostFeatures];
};

}  // namespace espalier
