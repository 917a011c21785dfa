// Arc-standard (Nivre 2008) with the artificial root at the bottom of the stack: 2n steps for n words.
// With `kSwap` it also reorders words and builds every non-projective tree (Nivre 2009, lazy oracle of Nivre,
// Kuhlmann & Hall 2009), in at most 2n + n(n-1) steps.
// Tested by tests/contract/space_test.cc.
#pragma once

#include <algorithm>
#include <string_view>

#include "espalier/space/sequential.h"
#include "espalier/space/stack_state.h"

namespace espalier {

template <bool kSwap>
struct BasicArcStandard {
  static constexpr std::string_view kName = kSwap ? "swap" : "arc-standard";
  enum Move : int {
    // Validity: buffer not empty.  Effect: σ, b0|β ⇒ σ|b0, β.
    kShift,
    // Validity: s1 exists and is not the root.  Effect: σ|s1|s0 ⇒ σ|s0, arc s0 → s1.
    kLeft,
    // Validity: s1 exists and is not the root.  Effect: σ|s1|s0 ⇒ σ|s1, arc s1 → s0.
    kRight,
    // Validity: s1 is the root; with single_root also: buffer empty.  Effect: as RIGHT, arc root → s0.
    kRoot,
    // Validity: s1 exists, is not the root and precedes s0 in the sentence.  Effect: σ|s1|s0, β ⇒ σ|s0, s1|β.
    kSwapMove,
  };
  static constexpr int kMoves = kSwap ? 5 : 4;
  static constexpr const char* kMoveNames[] = {"shift", "left", "right", "root", "swap"};
  static constexpr bool kNonProjective = kSwap;
  static constexpr bool builds_arc(int move) { return move == kLeft || move == kRight || move == kRoot; }
  using State = StackState;
  using Arena = ItemArena;

  bool single_root = true;
  bool late_left = false;  ///< oracle: right dependents before left ones (`oracle=late`)

  State initial(Arena& a, int words) const {
    a.reset(words);
    State state;
    state.top = a.add(ItemArena::fresh(0), StackItem::kNone);
    return state;
  }

  bool is_final(const State& c, const Arena& a) const {
    return c.buffer_empty(a) && a[c.top].below == StackItem::kNone;
  }

  MoveSet legal(const State& c, const Arena& a) const {
    const bool buffer = !c.buffer_empty(a);
    MoveSet moves = MoveSet{buffer} << kShift;
    const int second = a[c.top].below;
    if (second == StackItem::kNone) return moves;
    const int s1 = a[second].word;
    if (s1 == 0) return moves | MoveSet{!single_root || !buffer} << kRoot;
    moves |= MoveSet{1} << kLeft | MoveSet{1} << kRight;
    if constexpr (kSwap) moves |= MoveSet{s1 < a[c.top].word} << kSwapMove;
    return moves;
  }

  Arc part(const State& c, const Arena& a, int move) const {
    if (move == kShift || move == kSwapMove) return {};
    const int s0 = a[c.top].word, s1 = a[a[c.top].below].word;
    return move == kLeft ? Arc{s0, s1} : Arc{s1, s0};
  }

  void apply(State& c, Arena& a, int move, int label) const {
    if (move == kShift) return c.shift(a);
    const int second = a[c.top].below;
    if (move == kSwapMove) {
      const StackItem s0 = a[c.top], s1 = a[second];
      c.top = a.add(s0, s1.below);
      c.front = a.add(s1, c.front);
      return;
    }
    StackItem head = a[move == kLeft ? c.top : second];
    head.attach(a[move == kLeft ? second : c.top].word, label);
    c.top = a.add(head, a[second].below);
  }

  int oracle(const State& c, const Arena& a, const Gold& g) const {
    const int second = a[c.top].below;
    if (second == StackItem::kNone) return kShift;
    const StackItem &s0 = a[c.top], &s1 = a[second];
    if (s1.word != 0 && head_of(g, s1.word) == s0.word && complete(s1, g) && (!late_left || right_complete(s0, g)))
      return kLeft;
    if (head_of(g, s0.word) == s1.word && complete(s0, g) && (s1.word != 0 || !single_root || c.buffer_empty(a)))
      return s1.word == 0 ? kRoot : kRight;
    if constexpr (kSwap) {
      auto order = [&](int word) { return g.order[word]; };
      auto component = [&](int word) { return g.component[word]; };
      if (s1.word != 0 && s1.word < s0.word && order(s0.word) < order(s1.word) &&
          (c.buffer_empty(a) || component(s0.word) != component(c.b(a, 0))))
        return kSwapMove;
    }
    return kShift;
  }

  /// Whether the given arcs (heads -1 = free), which can all be built before this move, can be built after it. An arc
  /// must be given or enter a free word, and its dependent must have all its given dependents.
  bool keeps(const State& c, const Arena& a, const Gold& given, int move) const {
    if (move == kSwapMove) return true;
    if (move == kShift) return kSwap || may_cover(c, a, given, c.b(a, 0));
    const Arc arc = part(c, a, move);
    const int head = head_of(given, arc.dependent);
    return (head < 0 || head == arc.head) && !waits_for(c, a, given, arc.dependent);
  }

 private:
  /// A stack word that waits for an arc with a word below it must take everything pushed above it as descendants. So
  /// neither the next word nor its given head may have a given arc, in either direction, with a word below.
  static bool may_cover(const State& c, const Arena& a, const Gold& given, int next) {
    // Stack words from `bound` on may not wait for an arc with a word below them.
    int bound = next;
    int above = next;
    while (above >= next) {
      for (int i = c.top; a[i].word != 0; i = a[i].below)
        if (head_of(given, a[i].word) == above) bound = std::min(bound, a[i].word);
      above = head_of(given, above);
    }
    if (above >= 0) bound = std::min(bound, above + 1);
    for (int i = c.top; a[i].word != 0; i = a[i].below)
      if (const int head = head_of(given, a[i].word); head >= 0 && head < next && std::max(a[i].word, head) >= bound)
        return false;
    return true;
  }
  /// Whether a given dependent of this word has not been attached yet.
  static bool waits_for(const State& c, const Arena& a, const Gold& given, int word) {
    for (int i = c.top; a[i].word != 0; i = a[i].below)
      if (head_of(given, a[i].word) == word) return true;
    for (int i = c.front; i != StackItem::kNone; i = a[i].below)
      if (head_of(given, a[i].word) == word) return true;
    return given.dependents_from(word, c.next) > 0;
  }
  static int head_of(const Gold& g, int word) { return g.head[word]; }
  static bool right_complete(const StackItem& item, const Gold& g) {
    return item.right_count == g.right_count[item.word];
  }
  static bool complete(const StackItem& item, const Gold& g) {
    return right_complete(item, g) && item.left_count == g.left_count[item.word];
  }
};

using ArcStandard = BasicArcStandard<false>;
using ArcStandardSwap = BasicArcStandard<true>;
static_assert(DependencySpace<ArcStandard> && DependencySpace<ArcStandardSwap>);

}  // namespace espalier
