// The training data of transition systems: sentences in numbers, and the oracle's derivations of their
// trees. Tested by transition_trainer_test.cc.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "espalier/learn/sequential/folded_labels.h"
#include "espalier/learn/transition/transition_options.h"
#include "espalier/parser/transition/transition_parser.h"
#include "espalier/space/sequential.h"

namespace espalier {

struct TransitionInstance {
  SentenceAtoms atoms;
  Gold gold;
  std::vector<ArcPrice> prices;  ///< of wrong arcs, for the beam's margin
  std::vector<int32_t> columns;  ///< the gold derivation

  ArcCosts costs() const { return {&gold, prices}; }
};

template <class Space>
struct TransitionCorpus {
  Space space;
  TransitionModel model;  ///< all but its weights
  std::vector<TransitionInstance> instances;
};

/// The part that does not depend on the system's moves.
struct TransitionTrees {
  enum Side { kFromRoot, kFromLeft, kFromRight };  // where an arc's head is, as the words are read

  TransitionModel model;                            ///< all but actions and weights
  std::vector<TransitionInstance> instances;        ///< without derivations
  std::map<std::pair<Side, int>, long> given_arcs;  ///< of partial trees, by label
};
/// `crossing`: whether the system builds arcs that cross.
TransitionTrees read_transition_trees(const TransitionOptions& options, bool crossing,
                                      const std::vector<Sentence>& treebank, const TrainContext& context);

/// Walks along the oracle's derivation; `use(move, gold label or -1)` says which label is taken.
template <class Space, class Use>
void for_each_gold_step(const Space& space, typename Space::Arena& arena, const Gold& gold, Use&& use) {
  auto state = space.initial(arena, gold.size());
  while (!space.is_final(state, arena)) {
    const int move = space.oracle(state, arena, gold);
    const Arc arc = space.part(state, arena, move);
    const int label = use(move, arc.dependent ? gold.label[arc.dependent] : -1);
    space.apply(state, arena, move, label);
  }
}

/// Counts the actions of the oracle's derivations, since only the oracle knows which move builds an arc.
template <class Space>
ActionTable transition_actions(const Space& space, const TransitionTrees& trees, const TransitionOptions& options,
                               const TrainContext& context) {
  std::map<std::pair<int, int>, long> counts;
  for (const auto& [arc, count] : trees.given_arcs) {
    const auto& [side, label] = arc;
    const int move = side == TransitionTrees::kFromRoot    ? Space::kRoot
                     : side == TransitionTrees::kFromRight ? Space::kLeft
                                                           : Space::kRight;
    counts[{move, label}] += count;
  }
  typename Space::Arena arena;
  for (const TransitionInstance& instance : trees.instances) {
    for_each_gold_step(space, arena, instance.gold, [&](int move, int label) {
      if (label >= 0) ++counts[{move, label}];
      return label;
    });
  }
  int columns = options.columns;
  if (const TransitionModel* init = options.init.get()) {  // keep its actions, and fold no new ones
    for (int column = 0; column < init->actions.columns(); ++column) {
      const auto& [move, label] = init->actions.action(column);
      if (label >= 0) ++counts[{move, label}];
    }
    columns = std::max(columns, static_cast<int>(counts.size()) + Space::kMoves);
  }
  std::vector<ActionTable::Count> actions;
  for (const auto& [action, count] : counts) actions.push_back({action.first, action.second, count});
  std::vector<bool> unlabelled(Space::kMoves);
  for (int move = 0; move < Space::kMoves; ++move) unlabelled[move] = !Space::builds_arc(move);
  const ActionTable table(Space::kMoves, unlabelled, actions, columns, trees.model.labels);
  note_folded(context, table, actions, "relations");
  return table;
}

template <class Space>
TransitionCorpus<Space> read_transition_corpus(const TransitionOptions& options, const std::vector<Sentence>& treebank,
                                               const TrainContext& context) {
  TransitionTrees trees = read_transition_trees(options, Space::kNonProjective, treebank, context);
  Space space;
  space.single_root = trees.model.single_root;
  const bool late = options.oracle == TransitionOptions::Oracle::kLate;
  if constexpr (requires { space.late_left; }) space.late_left = late;
  if constexpr (requires { space.reduce_early; }) space.reduce_early = !late;
  trees.model.actions = transition_actions(space, trees, options, context);
  const ActionTable& actions = trees.model.actions;
  typename Space::Arena arena;
  for (TransitionInstance& instance : trees.instances) {
    for_each_gold_step(space, arena, instance.gold, [&](int move, int label) {
      instance.columns.push_back(actions.column(move, label));
      return actions.action(instance.columns.back()).label;
    });
  }
  return {space, std::move(trees.model), std::move(trees.instances)};
}

}  // namespace espalier
