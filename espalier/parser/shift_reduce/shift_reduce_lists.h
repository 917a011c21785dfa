// Searches the shift-reduce space by a beam and lists the trees found, independently of how steps are scored. It has
// two users: linear weights (shift_reduce_search.h) and predicted costs (parser/l2s/l2s_constituent_search.h). Trees
// are in the order of the sentence, whichever way it is read; a candidate's `derivation` is the columns of its actions.
// Tested by tests/contract/parser_test.cc.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "espalier/parser/candidate.h"
#include "espalier/parser/shift_reduce/shift_reduce_parser.h"
#include "espalier/search/beam.h"
#include "espalier/space/shift_reduce.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {

class ShiftReduceLists {
 public:
  /// Keeps a reference. The model's weights are not used.
  explicit ShiftReduceLists(const ShiftReduceModel& model) : model_(model), space_(model.labels) {}
  ShiftReduceLists(const ShiftReduceLists&) = delete;

  const ShiftReduceModel& model() const { return model_; }
  int found() const { return static_cast<int>(beam_.survivors().size()); }
  /// The tree of survivor i; valid until something else is read or scored.
  BinaryTree tree(int i) const {
    BinaryTree built;
    if (atoms_.size() > 0) ShiftReduce::append_tree(arena_, survivor(i).state.top, built);
    return as_read(std::move(built));
  }
  /// The tree over all words of the current sentence, in the form of the output.
  ConstituentTree finished(const BinaryTree& tree, const Sentence& sentence) const {
    return restored(unbinarised(tree, model_.labels), sentence, words_, model_.root);
  }

 protected:
  void read(const Sentence& sentence) {
    words_ = words_to_parse(sentence);
    atoms_.encode(sentence, words_, model_.direction);
    arena_.tags = atoms_.tags();
  }
  /// `rows(state)` gives the scores of all columns. The best trees are then those of the beam's survivors.
  template <class Rows>
  void search(int width, Rows rows) {
    beam_.run(space_, model_.actions, atoms_.size(), width, arena_,
              [&](const auto& state, int) { return rows(state); });
  }
  /// `begin(sentence)` is called before every search; scores are `scale` times too large. While the list is used, the
  /// sentence must live and this must not be used otherwise.
  template <class Begin, class Rows>
  KBestList list(const Sentence& sentence, double scale, Begin begin, Rows rows) {
    return KBestList(
        [this, &sentence, scale, begin, rows, width = 0, next = 0](int k, std::vector<Candidate>& list) mutable {
          if (k > width) {
            width = std::max(model_.beam, k);
            begin(sentence);
            search(width, rows);
            next = 0;
            list.clear();
          }
          // Derivations that differ in their heads alone build one tree.
          for (; next < found() && static_cast<int>(list.size()) < k; ++next) {
            Candidate candidate;
            candidate.score = survivor(next).score / scale;
            candidate.analysis.constituents = finished(tree(next), sentence);
            beam_.derivation(beam_.first_survivor() + next, candidate.derivation);
            add_distinct(std::move(candidate), list);
          }
        });
  }
  const Beam<ShiftReduce>::Node& survivor(int i) const { return beam_.node(beam_.first_survivor() + i); }
  BinaryTree as_read(BinaryTree tree) const {
    return model_.direction == Direction::kLeftToRight ? std::move(tree) : mirrored(tree);
  }

  const ShiftReduceModel& model_;
  ShiftReduce space_;
  std::vector<int> words_;
  ConstituentAtoms atoms_;
  ConstituentArena arena_;
  Beam<ShiftReduce> beam_;
};

}  // namespace espalier
