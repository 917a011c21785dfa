// Arc-eager (Nivre 2003, 2008) with the artificial root at the buffer's end: 2n steps, and a dynamic oracle by
// counting (Goldberg & Nivre 2012). Inside, the root is word n+1; parts and trees say 0.
// Several words may end up under the root: the parser then keeps one (see parser/transition/transition_parser.cc).
// Tested by tests/contract/space_test.cc.
#pragma once

#include <string_view>

#include "espalier/space/sequential.h"
#include "espalier/space/stack_state.h"

namespace espalier {

struct ArcEager {
  static constexpr std::string_view kName = "arc-eager";
  enum Move : int {
    // Validity: b0 is a word.  Effect: push b0.
    // Cost: headless stack words whose head is b0, and b0's head if it is on the stack.
    kShift,
    // Validity: s0 has a head.  Effect: pop s0.  Cost: s0's gold dependents in the buffer.
    kReduce,
    // Validity: s0 has no head, b0 is a word.  Effect: arc b0 → s0, pop s0.
    // Cost: s0's gold dependents in the buffer, and s0's head if it is behind b0.
    kLeft,
    // Validity: s0 exists, b0 is a word.  Effect: arc s0 → b0, push b0.
    // Cost: headless stack words whose head is b0, and b0's head if it is on the stack below s0 or in the buffer.
    kRight,
    // Validity: s0 has no head, b0 is the root.  Effect and cost: as LEFT, arc root → s0.
    kRoot,
    kMoves
  };
  static constexpr const char* kMoveNames[] = {"shift", "reduce", "left", "right", "root"};
  static constexpr bool kNonProjective = false;
  static constexpr bool builds_arc(int move) { return move == kLeft || move == kRight || move == kRoot; }
  using State = StackState;
  using Arena = ItemArena;

  bool single_root = true;    ///< enforced after the parse
  bool reduce_early = false;  ///< static oracle: REDUCE as soon as possible instead of as late as possible

  State initial(Arena& a, int words) const {
    a.reset(words);
    return {};
  }

  bool is_final(const State& c, const Arena& a) const { return c.top == StackItem::kNone && c.buffer_empty(a); }

  MoveSet legal(const State& c, const Arena& a) const {
    const bool word = !c.buffer_empty(a);
    MoveSet moves = MoveSet{word} << kShift;
    if (c.top == StackItem::kNone) return moves;
    if (a[c.top].head != StackItem::kNone) {
      moves |= MoveSet{1} << kReduce;
    } else {
      moves |= MoveSet{1} << (word ? kLeft : kRoot);
    }
    return moves | MoveSet{word} << kRight;
  }

  Arc part(const State& c, const Arena& a, int move) const {
    switch (move) {
      case kLeft:
        return {c.b(a, 0), a[c.top].word};
      case kRight:
        return {a[c.top].word, c.b(a, 0)};
      case kRoot:
        return {0, a[c.top].word};
      default:
        return {};
    }
  }

  void apply(State& c, Arena& a, int move, int label) const {
    switch (move) {
      case kShift:
        return c.shift(a);
      case kLeft: {
        StackItem b0 = c.front_item(a);
        b0.attach(a[c.top].word, label);
        c.pop(a);
        return c.replace_front(a, b0);
      }
      case kRight: {
        StackItem s0 = a[c.top], b0 = c.front_item(a);
        s0.attach(b0.word, label);
        b0.set_head(s0.word, label);
        c.pop_front(a);
        c.top = a.add(s0, s0.below);
        c.top = a.add(b0, c.top);
        return;
      }
      default:
        return c.pop(a);  // REDUCE, ROOT
    }
  }

  int oracle(const State& c, const Arena& a, const Gold& g) const {
    if (c.top == StackItem::kNone) return kShift;
    const int b0 = c.b(a, 0);
    const StackItem& s0 = a[c.top];
    auto head_of = [&](int word) { return g.head[word]; };
    if (b0 == 0) return s0.head == StackItem::kNone ? kRoot : kReduce;
    if (s0.head == StackItem::kNone && head_of(s0.word) == b0) return kLeft;
    if (head_of(b0) == s0.word) return kRight;
    if (s0.head != StackItem::kNone) {
      if (reduce_early && g.dependents_from(s0.word, b0) == 0) return kReduce;
      for (int i = s0.below; i != StackItem::kNone; i = a[i].below)
        if ((head_of(a[i].word) == b0 && a[i].head == StackItem::kNone) || head_of(b0) == a[i].word) return kReduce;
    }
    return kShift;
  }

  int cost(const State& c, const Arena& a, const Gold& g, int move) const {
    const int b0 = c.b(a, 0), root = a.last + 1;
    auto head_of = [&](int word) {
      const int head = g.head[word];
      return head == 0 ? root : head;
    };
    auto worth_of = [&](int word) { return g.worth[word]; };
    if (move == kShift || move == kRight) {
      int lost = 0;
      const int head = head_of(b0);
      for (int i = c.top; i != StackItem::kNone; i = a[i].below) {
        if (a[i].head == StackItem::kNone && head_of(a[i].word) == b0) lost += worth_of(a[i].word);
        if (head == a[i].word && (move == kShift || i != c.top)) lost += worth_of(b0);
      }
      return lost + (move == kRight && head > b0 ? worth_of(b0) : 0);
    }
    const int s0 = a[c.top].word, buffer = b0 == 0 ? root : b0;
    return g.worth_from(s0, buffer) + (move == kLeft && head_of(s0) > buffer ? worth_of(s0) : 0);
  }
};
static_assert(DynamicOracle<ArcEager>);

}  // namespace espalier
