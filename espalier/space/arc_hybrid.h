// Arc-hybrid (Kuhlmann et al. 2011) with the artificial root at the bottom of the stack: 2n steps, and a dynamic
// oracle by counting (Goldberg & Nivre 2013). Tested by tests/contract/space_test.cc.
#pragma once

#include <string_view>

#include "espalier/space/sequential.h"
#include "espalier/space/stack_state.h"

namespace espalier {

struct ArcHybrid {
  static constexpr std::string_view kName = "arc-hybrid";
  enum Move : int {
    // Validity: buffer not empty.  Effect: push b0.
    // Cost: gold dependents of b0 on the stack, and b0's own head if it lies on the stack below s0.
    kShift,
    // Validity: buffer not empty, s0 is not the root.  Effect: arc b0 → s0, pop s0.
    // Cost: s0's head if it is s1 or behind b0, and s0's gold dependents in the buffer.
    kLeft,
    // Validity: s1 exists and is not the root.  Effect: arc s1 → s0, pop s0.
    // Cost: s0's head if it is in the buffer, and s0's gold dependents in the buffer.
    kRight,
    // Validity: s1 is the root; with single_root also: buffer empty.  Effect and cost: as RIGHT, arc root → s0.
    kRoot,
    kMoves
  };
  static constexpr const char* kMoveNames[] = {"shift", "left", "right", "root"};
  static constexpr bool kNonProjective = false;
  static constexpr bool builds_arc(int move) { return move == kLeft || move == kRight || move == kRoot; }
  using State = StackState;
  using Arena = ItemArena;

  bool single_root = true;

  State initial(Arena& a, int words) const {
    a.reset(words);
    State state;
    state.top = a.add(ItemArena::fresh(0), StackItem::kNone);
    return state;
  }

  bool is_final(const State& c, const Arena& a) const { return c.buffer_empty(a) && a[c.top].word == 0; }

  MoveSet legal(const State& c, const Arena& a) const {
    const bool buffer = !c.buffer_empty(a);
    MoveSet moves = MoveSet{buffer} << kShift;
    const StackItem& s0 = a[c.top];
    if (s0.word == 0) return moves;
    moves |= MoveSet{buffer} << kLeft;
    if (a[s0.below].word != 0) return moves | MoveSet{1} << kRight;
    return moves | MoveSet{!single_root || !buffer} << kRoot;
  }

  Arc part(const State& c, const Arena& a, int move) const {
    if (move == kShift) return {};
    const StackItem& s0 = a[c.top];
    return {move == kLeft ? c.b(a, 0) : a[s0.below].word, s0.word};
  }

  void apply(State& c, Arena& a, int move, int label) const {
    if (move == kShift) return c.shift(a);
    const int s0 = a[c.top].word;
    if (move == kLeft) {
      StackItem b0 = c.front_item(a);
      b0.attach(s0, label);
      c.pop(a);
      c.replace_front(a, b0);
    } else {
      const int second = a[c.top].below;
      StackItem s1 = a[second];
      s1.attach(s0, label);
      c.top = a.add(s1, s1.below);
    }
  }

  int oracle(const State& c, const Arena& a, const Gold& g) const {
    const int b0 = c.b(a, 0), s0 = a[c.top].word;
    if (s0 == 0 || (b0 != 0 && g.dependents_from(s0, b0) > 0)) return kShift;
    const int head = g.head[s0];
    if (b0 != 0 && head == b0) return kLeft;
    const int s1 = a[a[c.top].below].word;
    if (head == s1 && (s1 != 0 || !single_root || b0 == 0)) return s1 == 0 ? kRoot : kRight;
    return kShift;
  }

  int cost(const State& c, const Arena& a, const Gold& g, int move) const {
    auto head_of = [&](int word) { return g.head[word]; };
    auto worth_of = [&](int word) { return g.worth[word]; };
    const int b0 = c.b(a, 0), s0 = a[c.top].word;
    if (move == kShift) {
      int lost = 0;
      for (int i = c.top; i != StackItem::kNone; i = a[i].below) {
        const int s = a[i].word;
        if (s != 0 && head_of(s) == b0) lost += worth_of(s);
        if (i != c.top && head_of(b0) == s) lost += worth_of(b0);
      }
      return lost;
    }
    const int buffer = b0 == 0 ? a.last + 1 : b0;  // words from here on are in the buffer
    const int head = head_of(s0);
    const bool loses_head = move == kLeft ? head == a[a[c.top].below].word || head > buffer : head >= buffer;
    return g.worth_from(s0, buffer) + (loses_head ? worth_of(s0) : 0);
  }
};
static_assert(DynamicOracle<ArcHybrid>);

}  // namespace espalier
