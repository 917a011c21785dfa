// Tagging as a sequential space: one step per word, from left to right; its label is the word's tag. There is a single
// move, and the tags are the labels of its columns.
//   TAG(t)   Validity: a word is left.   Effect: the next word gets tag t.   Cost: 1 if t is wrong.
// Tested by learn/tag/tagger_trainer_test.cc.
#pragma once

#include "espalier/space/sequential.h"

namespace espalier {

struct Tagging {
  enum : int { kTag, kMoves };
  static constexpr int kNone = -1;  ///< the tag before the first word

  struct State {
    int word = 1;                             ///< the next one to tag
    int previous = kNone, before_it = kNone;  ///< tags of word - 1 and word - 2
  };
  struct Arena {
    int words = 0;
  };

  State initial(Arena& arena, int words) const {
    arena.words = words;
    return {};
  }
  bool is_final(const State& state, const Arena& arena) const { return state.word > arena.words; }
  MoveSet legal(const State& state, const Arena& arena) const { return is_final(state, arena) ? 0 : 1 << kTag; }
  Arc part(const State&, const Arena&, int) const { return {}; }
  void apply(State& state, Arena&, int, int tag) const { state = {state.word + 1, tag, state.previous}; }
  int oracle(const State&, const Arena&, const Gold&) const { return kTag; }
  /// All tags are allowed; that the function exists makes all of them compete in a beam (RestrictsLabels).
  bool allows(const State&, const Arena&, int, int) const { return true; }
};
static_assert(RestrictsLabels<Tagging>);

}  // namespace espalier
