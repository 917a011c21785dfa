// What a step of the shift-reduce space costs: the gold brackets that no later step can build any more, and brackets
// built that gold has not. A bracket with the right label around the wrong head costs half, so that every gold tree has
// one derivation without cost. If a part (shift_reduce.h) is under way, costs are estimates: it is thought to become
// the smallest gold bracket that it can, or a wrong one, and nothing else to hinder what remains. (A dynamic oracle for
// constituents: Coavoux & Crabbé 2016.) Tested against enumeration by bracket_oracle_test.cc.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "espalier/space/shift_reduce.h"

namespace espalier {

class BracketOracle {
  struct Bracket {
    int first = 0, last = 0, label = -1, head = 0;
    int child_last = 0;  // the last word of the head child
    bool unary = false;
    bool contains(const ConstituentItem& item) const { return first <= item.first && item.last <= last; }
    bool contains(const Bracket& other) const { return first <= other.first && other.last <= last; }
  };
  /// A state as the oracle sees it.
  struct Stack {
    void show(const ConstituentState& shown, const ConstituentArena& arena) {
      state = shown;
      last = state.next - 1;
      items.clear(), open.clear();
      for (int i = state.top; i != ConstituentItem::kNone; i = arena[i].below) items.push_back(&arena[i]);
      becomes.assign(items.size(), nullptr);
    }
    int size() const { return static_cast<int>(items.size()); }
    const ConstituentItem& operator[](int depth) const { return *items[depth]; }

    /// The depth of the item that begins with a word; -1 if none does.
    int begins(int word) const {
      for (int depth = 0; depth < size(); ++depth)
        if (items[depth]->first == word) return depth;
      return -1;
    }
    /// Whether the top is a part that can only grow to the right.
    bool must_shift() const {
      return !items.empty() && items[0]->part && (items[0]->grows_right || size() == 1 || items[1]->part);
    }
    bool reaches(const Bracket& gold) const {
      if (gold.first >= state.next) return true;
      const int depth = begins(gold.first);
      if (depth < 0 || gold.last < last) return false;
      if (gold.last > last) return true;
      if (depth > 0) return !must_shift();
      return gold.unary && state.unary_due && !items[0]->part;
    }
    /// Whether a part can grow to be this bracket.
    bool can_become(int depth, const Bracket& gold) const {
      const ConstituentItem& part = *items[depth];
      if (gold.label != part.label || !gold.contains(part)) return false;
      if (gold.first == part.first) return gold.last > part.last;
      if (depth > 0 || part.grows_right) return false;
      const int bottom = begins(gold.first);
      for (int i = 1; i <= bottom; ++i)
        if (items[i]->part) return false;
      return bottom > 0;
    }
    bool head_is_possible(const Bracket& gold) const {
      for (int depth = 0; depth < size(); ++depth)
        if (becomes[depth] == &gold) return items[depth]->head == gold.head;
      if (gold.head >= state.next) return true;
      int depth = 0;
      while (items[depth]->first > gold.head) ++depth;
      if (items[depth]->head != gold.head) return false;
      if (depth == 0 || gold.child_last >= last || items[depth]->part) return true;
      // Children to the right of the head have begun: those to the left must be in the head's item.
      if (items[depth]->first != gold.first) return false;
      return follows_as_one(depth, &gold);
    }
    /// A head takes one child at a time. Whether what follows it on the stack is one, or becomes one, within `whole`.
    bool follows_as_one(int depth, const Bracket* whole) const {
      if (depth <= 1 || items[depth - 1]->part) return true;
      return std::ranges::any_of(open, [&](const Bracket* other) {
        return other->first == items[depth - 1]->first && !other->unary && (!whole || whole->contains(*other));
      });
    }

    ConstituentState state;
    int last = 0;                               // word of the stack
    std::vector<const ConstituentItem*> items;  // the top first
    std::vector<const Bracket*> becomes;        // of each item, if it is a part
    std::vector<const Bracket*> open;           // that can still be built, in the order in which they are
  };

 public:
  /// Memory that is reused from step to step.
  struct Scratch {
    Stack stack;
  };
  static constexpr int kBracket = 2, kHead = 1;  ///< of these are costs made

  BracketOracle() = default;
  /// The tree's words are numbered as they are read.
  explicit BracketOracle(const BinaryTree& gold) {
    std::vector<Bracket> spans;
    for (const BinaryTree::Node& node : gold.nodes) {
      Bracket& span = spans.emplace_back();
      if (node.kind == BinaryTree::kWord) {
        span.first = span.last = span.head = span.child_last = node.word;
        continue;
      }
      const Bracket &left = spans[node.left], &right = node.right < 0 ? left : spans[node.right];
      const bool head_right = node.kind == BinaryTree::kHeadRight;
      const Bracket& head = head_right ? right : left;
      const bool part = gold.nodes[head_right ? node.right : node.left].part;
      span = {left.first,
              right.last,
              node.label,
              head.head,
              part ? head.child_last : head.last,
              node.kind == BinaryTree::kUnary};
      if (node.part) continue;
      brackets_.push_back(span);
      labels_[span.unary].push_back(span.label);
    }
    for (std::vector<int>& labels : labels_) {
      std::ranges::sort(labels);
      labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    }
  }

  /// The labels of the tree's brackets: of chains, or of constituents with several children. All others are equally
  /// wrong.
  const std::vector<int>& labels(bool unary) const { return labels_[unary]; }
  /// What all brackets are worth.
  int all() const { return kBracket * static_cast<int>(brackets_.size()); }
  /// What the bracket is worth that the last move has built; 0 if it built none.
  int worth_of_built(const ConstituentState& state, const ConstituentArena& arena, int move) const {
    const bool builds = move == ShiftReduce::kLeft || move == ShiftReduce::kRight || move == ShiftReduce::kUnary;
    return builds ? worth_of(arena[state.top]) : 0;
  }
  /// What the tree is worth if everything after a step goes as well as it can, less what its brackets were worth
  /// before: the differences between the steps of a state are costs. The arena is afterwards as before.
  int worth(const ShiftReduce& space, const ConstituentState& state, ConstituentArena& arena, int move, int label,
            Scratch& scratch) const {
    const size_t size = arena.items.size();
    ConstituentState next = state;
    space.apply(next, arena, move, label);
    const int worth = worth_of_built(next, arena, move) + still_possible(next, arena, scratch.stack);
    arena.items.resize(size);
    return worth;
  }

 private:
  int worth_of(const ConstituentItem& item) const {
    const bool unary = item.kind == BinaryTree::kUnary;
    for (const Bracket& gold : brackets_)
      if (gold.first == item.first && gold.last == item.last && gold.unary == unary && gold.label == item.step_label)
        return unary || gold.head == item.head ? kBracket : kBracket - kHead;
    return -kBracket;
  }

  /// What the gold brackets are worth that can still be built, less the wrong ones that must be.
  int still_possible(const ConstituentState& state, const ConstituentArena& arena, Stack& stack) const {
    stack.show(state, arena);
    int worth = 0;
    std::vector<const Bracket*>& open = stack.open;  // a bracket precedes those around it
    for (const Bracket& gold : brackets_)
      if (stack.reaches(gold)) open.push_back(&gold);
    for (int depth = 0; depth < stack.size(); ++depth) {
      const ConstituentItem& part = stack[depth];
      if (!part.part) continue;
      const auto becomes = std::ranges::find_if(
          open, [&](const Bracket* gold) { return !gold->unary && stack.can_become(depth, *gold); });
      if (becomes == open.end()) {
        worth -= kBracket;
        continue;
      }
      const Bracket& whole = **becomes;
      stack.becomes[depth] = &whole;
      // What lies between the part and the whole cannot be built.
      std::erase_if(open, [&](const Bracket* gold) {
        return gold->contains(part) && whole.contains(*gold) &&
               (gold->first != whole.first || gold->last != whole.last);
      });
    }
    for (int depth = 0; depth < stack.size(); ++depth)
      if (stack[depth].part && !stack.follows_as_one(depth, stack.becomes[depth])) worth -= kBracket;
    for (const Bracket* gold : open) {
      worth += kBracket;
      if (!gold->unary && !stack.head_is_possible(*gold)) worth -= kHead;
    }
    return worth;
  }

  std::vector<Bracket> brackets_;  // in the order in which they are built
  std::array<std::vector<int>, 2> labels_;
};

}  // namespace espalier
