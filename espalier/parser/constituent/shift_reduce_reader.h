// One direction of a shift-reduce parser: reads a sentence from one end, searches, and scores trees that somebody else
// found. Trees go in and out in the order of the sentence, whichever way it is read.
#pragma once

#include <utility>
#include <vector>

#include "espalier/features/shift_reduce_templates.h"
#include "espalier/parser/constituent/shift_reduce_parser.h"
#include "espalier/parser/derivation_features.h"
#include "espalier/scorer/state_scorer.h"
#include "espalier/search/beam.h"
#include "espalier/space/shift_reduce.h"

namespace espalier {

class ShiftReduceReader {
 public:
  struct Scratch {
    ConstituentAtoms atoms;
    ConstituentArena arena;
    StateScorer<ShiftReduceFeatures, Linear> scorer;
    Beam<ShiftReduce> beam;
    std::vector<int> row;
  };

  explicit ShiftReduceReader(ShiftReduceModel model)
      : model_(std::move(model)), space_(model_.labels), factors_(ShiftReduce::factors(model_.actions)) {}

  const ShiftReduceModel& model() const { return model_; }

  /// `words` are the numbers of the words to parse.
  void begin(const Sentence& sentence, const std::vector<int>& words, Scratch& scratch) const {
    scratch.atoms.encode(sentence, words, model_.direction);
    scratch.arena.tags = scratch.atoms.tags();
    scratch.scorer.reset(model_.weights, scratch.atoms);
  }
  /// The best trees are then the survivors of the scratch's beam.
  void search(int width, Scratch& scratch) const {
    scratch.beam.run(space_, model_.actions, scratch.atoms.size(), width, scratch.arena,
                     [&](const auto& state, int) { return scores(state, scratch); });
  }
  /// The tree of a survivor; before anything else is read or scored.
  BinaryTree tree(const ConstituentState& state, const Scratch& scratch) const {
    BinaryTree built;
    if (scratch.atoms.size() > 0) ShiftReduce::append_tree(scratch.arena, state.top, built);
    return as_read(std::move(built));
  }
  double score(const Beam<ShiftReduce>::Node& survivor) const { return survivor.score / model_.weights.scale(); }

  /// How this direction would build a tree of its own labels: columns of actions.
  std::vector<int32_t> derivation(const BinaryTree& tree) const {
    std::vector<int32_t> columns;
    for (const auto& [move, label] : ShiftReduce::derivation(as_read(tree)))
      columns.push_back(model_.actions.column(move, label));
    return columns;
  }
  double score(const std::vector<int32_t>& derivation, Scratch& scratch) const {
    double sum = 0;
    auto state = space_.initial(scratch.arena, scratch.atoms.size());
    for (const int32_t column : derivation) {
      if (forced_column(space_.legal(state, scratch.arena), model_.actions) < 0) sum += scores(state, scratch)[column];
      const auto& action = model_.actions.action(column);
      space_.apply(state, scratch.arena, action.move, action.label);
    }
    return sum / model_.weights.scale();
  }
  FeatureVector features(std::span<const int32_t> derivation, Scratch& scratch) const {
    return derivation_features(space_, model_.actions, derivation, scratch.atoms.size(), scratch.arena, scratch.scorer);
  }

 private:
  BinaryTree as_read(BinaryTree tree) const {
    return model_.direction == Direction::kLeftToRight ? std::move(tree) : mirrored(tree);
  }
  const int* scores(const ConstituentState& state, Scratch& scratch) const {
    return factors_.expand(scratch.scorer.remembered_row(state, scratch.arena), model_.actions,
                           space_.legal(state, scratch.arena), scratch.row);
  }

  ShiftReduceModel model_;
  ShiftReduce space_;
  ActionFactors factors_;
};

}  // namespace espalier
