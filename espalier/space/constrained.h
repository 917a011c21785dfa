// A transition system that keeps given arcs: only moves after which every given arc can still be built are legal
// (Nivre, Goldberg & McDonald 2014). With a dynamic oracle these are the moves of cost 0, since in arc-eager and
// arc-hybrid arcs that can each be built can be built together; arc-standard has `keeps` instead. If some projective
// tree has the given arcs, there are no dead ends, and every tree that has them can be built. With SWAP, where `keeps`
// is only approximate, a walk may reach a dead end. Tested by constrained_test.cc.
#pragma once

#include <vector>

#include "espalier/space/action_table.h"
#include "espalier/space/sequential.h"

namespace espalier {

template <DependencySpace Space>
class Constrained {
 public:
  static constexpr int kMoves = Space::kMoves;
  using State = typename Space::State;
  using Arena = typename Space::Arena;

  /// Constraints on the label of the arc into a word, beside a label's number.
  enum : int { kAnyLabel = -1, kPlainLabel = -2 };

  /// All must stay. `heads` and `labels` of word 1..n: heads -1 = free; `encoded` marks the labels that are not plain.
  Constrained(const Space& space, const ActionTable& actions, const Gold& given, const std::vector<bool>& encoded)
      : space_(space), actions_(actions), given_(given), encoded_(encoded) {}

  State initial(Arena& a, int words) const { return space_.initial(a, words); }
  bool is_final(const State& c, const Arena& a) const { return space_.is_final(c, a); }
  void apply(State& c, Arena& a, int move, int label) const { space_.apply(c, a, move, label); }

  MoveSet legal(const State& c, const Arena& a) const {
    MoveSet kept = 0;
    for (int move = 0; move < kMoves; ++move)
      if (unconstrained(c, a) >> move & 1 && keeps(c, a, move)) kept |= MoveSet{1} << move;
    return kept;
  }
  /// The legal moves without constraints. Where there is a single one the step is forced and scores 0, in constrained
  /// search, too.
  MoveSet unconstrained(const State& c, const Arena& a) const { return space_.legal(c, a); }

  /// Whether the label agrees with the given one of the attached word, or no action of the move has the given label.
  bool allows(const State& c, const Arena& a, int move, int label) const {
    const int dependent = space_.part(c, a, move).dependent;
    if (dependent == 0) return true;
    const int wanted = given_.label[dependent];
    return wanted == kAnyLabel || fits(label, wanted) || !has(move, wanted);
  }

 private:
  bool keeps(const State& c, const Arena& a, int move) const {
    if constexpr (DynamicOracle<Space>) {
      return space_.cost(c, a, given_, move) == 0;
    } else {
      return space_.keeps(c, a, given_, move);
    }
  }
  bool fits(int label, int wanted) const { return wanted == kPlainLabel ? !encoded_[label] : label == wanted; }
  bool has(int move, int wanted) const {
    for (int column = actions_.begin(move); column < actions_.end(move); ++column)
      if (fits(actions_.action(column).label, wanted)) return true;
    return false;
  }

  const Space& space_;
  const ActionTable& actions_;
  const Gold& given_;
  const std::vector<bool>& encoded_;
};

}  // namespace espalier
