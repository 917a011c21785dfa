// Labelled bottom-up shift-reduce parsing of binarised constituent trees (Zhang & Clark 2009), without spurious
// ambiguity: every binarised tree has one derivation. After every shift and every reduction there is one unary step,
// which may be empty, so that all derivations of n words have 4n - 2 steps and the states of one step of a beam are
// comparable (Zhu et al. 2013 pad derivations for that). Tested by shift_reduce_test.cc.
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/space/action_factors.h"
#include "espalier/space/constituent_state.h"
#include "espalier/space/sequential.h"
#include "espalier/tree/binarise.h"

namespace espalier {

struct ShiftReduce {
  static constexpr std::string_view kName = "shift-reduce";
  // "Complete" items are words and constituents that are not parts. Labels: see `allows`.
  enum Move : int {
    // Validity: buffer not empty.  Effect: σ, b0|β ⇒ σ|b0, β.
    kShift,
    // Validity: s1 exists, s0 is complete.  Effect: σ|s1|s0 ⇒ σ|X, a complete X with the head s1.
    kLeft,
    // Validity: s1 exists and is complete; s0 is not a part that grows right.  Effect: σ|s1|s0 ⇒ σ|X with the head s0.
    kRight,
    // Validity: as LEFT, and buffer not empty (the next child comes from the right).  Effect: as LEFT, a part of X.
    kLeftPart,
    // Validity: as RIGHT; buffer not empty, or s2 exists and is complete (the next child).  Effect: as RIGHT, a part.
    kRightPart,
    // Validity: a unary step is due, s0 is complete.  Effect: σ|s0 ⇒ σ|X, X → s0; X may be a chain.
    kUnary,
    // Validity: a unary step is due.  Effect: none.
    kStay,
  };
  static constexpr int kMoves = 7;
  using State = ConstituentState;
  using Arena = ConstituentArena;

  std::vector<int16_t> top_label;  ///< of every label: itself, or the upper end of a chain

  ShiftReduce() = default;
  /// `labels` are the texts of all labels.
  explicit ShiftReduce(const std::vector<std::string>& labels) {
    Vocabulary ids;
    for (const std::string& label : labels) ids.add(label);
    for (const std::string& label : labels) {
      const int top = ids.find(top_of_chain(label));
      top_label.push_back(static_cast<int16_t>(top == Vocabulary::kUnknown ? ids.find(label) : top));
    }
  }

  State initial(Arena& a, int words) const {
    a.reset(words);
    return {};
  }

  bool is_final(const State& c, const Arena& a) const {
    return c.next > a.last && !c.unary_due &&
           (c.top == ConstituentItem::kNone || a[c.top].below == ConstituentItem::kNone);
  }

  MoveSet legal(const State& c, const Arena& a) const {
    if (c.unary_due) return MoveSet{1} << kStay | MoveSet{!a[c.top].part} << kUnary;
    const bool buffer = c.next <= a.last;
    MoveSet moves = MoveSet{buffer} << kShift;
    const int second = c.top == ConstituentItem::kNone ? c.top : a[c.top].below;
    if (second == ConstituentItem::kNone) return moves;
    const ConstituentItem& s1 = a[second];
    const bool complete_below = s1.below != ConstituentItem::kNone && !a[s1.below].part;
    return moves | joins(s1, a[c.top], complete_below, buffer);
  }
  /// The moves that join two neighbouring items; `before` and `after`: the next child of a part can come from there.
  static MoveSet joins(const ConstituentItem& left, const ConstituentItem& right, bool before, bool after) {
    MoveSet moves = 0;
    if (!right.part) moves |= MoveSet{1} << kLeft | MoveSet{after} << kLeftPart;
    if (!left.part && !right.grows_right) moves |= MoveSet{1} << kRight | MoveSet{before || after} << kRightPart;
    return moves;
  }

  /// If the head is a part, the label must be the part's own.
  bool allows(const State& c, const Arena& a, int move, int label) const {
    return move == kShift || move >= kUnary || joins_as(a[a[c.top].below], a[c.top], move, label);
  }
  static bool joins_as(const ConstituentItem& left, const ConstituentItem& right, int move, int label) {
    const ConstituentItem& head = move == kLeft || move == kLeftPart ? left : right;
    return !head.part || head.label == label;
  }

  void apply(State& c, Arena& a, int move, int label) const {
    if (move == kStay) {
      c.unary_due = false;
      return;
    }
    ConstituentItem item;
    if (move == kShift) {
      item = word(c.next++);
      item.below = c.top;
    } else if (move == kUnary) {
      item = unary(a, c.top, label);
      item.below = a[c.top].below;
    } else {
      const int second = a[c.top].below;
      item = joined(a, second, c.top, move, label);
      item.below = a[second].below;
    }
    c.top = a.add(item);
    c.unary_due = move != kUnary;
  }

  /// Appends the tree below an item, such as the last item of a finished derivation.
  static void append_tree(const Arena& a, int index, BinaryTree& tree) {
    const ConstituentItem& item = a[index];
    BinaryTree::Node node{item.kind,       item.part, item.kind == BinaryTree::kWord ? item.first : 0,
                          item.step_label, -1,        -1};
    if (item.left != ConstituentItem::kNone) {
      append_tree(a, item.left, tree);
      node.left = static_cast<int>(tree.nodes.size()) - 1;
    }
    if (item.right != ConstituentItem::kNone) {
      append_tree(a, item.right, tree);
      node.right = static_cast<int>(tree.nodes.size()) - 1;
    }
    tree.nodes.push_back(node);
  }

  /// The factors of a reduction are its label, the side of the head, and whether the result is a part. Given the
  /// features of the two items they are nearly independent, and rows of weights are short.
  static ActionFactors factors(const ActionTable& actions) {
    enum : int { kHeadLeft, kHeadRight, kIsPart, kFirstFree };
    int columns = kFirstFree;
    std::map<std::pair<bool, int>, int> column_of;  // by (is unary, label)
    std::vector<std::vector<int>> of_action;
    for (int c = 0; c < actions.columns(); ++c) {
      const auto [move, label] = actions.action(c);
      if (move == kShift || move == kStay) {
        of_action.push_back({columns++});
        continue;
      }
      const auto [entry, is_new] = column_of.try_emplace({move == kUnary, label}, columns);
      columns += is_new;
      of_action.push_back({entry->second});
      if (move == kUnary) continue;
      of_action.back().push_back(move == kLeft || move == kLeftPart ? kHeadLeft : kHeadRight);
      if (move == kLeftPart || move == kRightPart) of_action.back().push_back(kIsPart);
    }
    return {columns, of_action};
  }

  struct Step {
    int move, label;
    friend bool operator==(const Step&, const Step&) = default;
  };
  /// The derivation of a tree: its nodes are in the order of the steps that make them.
  static std::vector<Step> derivation(const BinaryTree& tree) {
    std::vector<Step> steps;
    for (const BinaryTree::Node& node : tree.nodes) {
      if (node.kind == BinaryTree::kUnary) {
        steps.back() = {kUnary, node.label};  // instead of staying
        continue;
      }
      const bool left = node.kind == BinaryTree::kHeadLeft;
      steps.push_back(node.kind == BinaryTree::kWord ? Step{kShift, -1}
                      : node.part                    ? Step{left ? kLeftPart : kRightPart, node.label}
                                                     : Step{left ? kLeft : kRight, node.label});
      steps.push_back({kStay, -1});
    }
    return steps;
  }

  // The items that steps make, with nothing below.
  static ConstituentItem word(int number) {
    ConstituentItem item;
    item.first = item.last = item.head = number;
    item.look[0] = item.look[1] = mix(static_cast<uint64_t>(number));
    return item;
  }

  ConstituentItem unary(const Arena& a, int child, int label) const {
    const ConstituentItem& s0 = a[child];
    ConstituentItem item;
    item.left = child;
    item.first = s0.first, item.last = s0.last, item.head = s0.head;
    item.label = top_label[label];
    item.step_label = static_cast<int16_t>(label);
    item.kind = BinaryTree::kUnary;
    item.children = 1;
    item.production = combine(a.symbol(s0), a.id(label) << 8 | kUnary);
    see(item, s0, s0);
    return item;
  }

  static ConstituentItem joined(const Arena& a, int left, int right, int move, int label) {
    const bool head_left = move == kLeft || move == kLeftPart;
    const ConstituentItem &s1 = a[left], &s0 = a[right];
    const ConstituentItem &head = head_left ? s1 : s0, &other = head_left ? s0 : s1;
    ConstituentItem item;
    item.left = left, item.right = right;
    item.first = s1.first, item.last = s0.last, item.head = head.head;
    item.label = item.step_label = static_cast<int16_t>(label);
    item.kind = head_left ? BinaryTree::kHeadLeft : BinaryTree::kHeadRight;
    item.part = move == kLeftPart || move == kRightPart;
    item.grows_right = item.part && head_left;
    item.children = static_cast<uint8_t>(head.part ? std::min(head.children + 1, 255) : 2);
    item.production = combine(head.part ? head.production : a.symbol(head), a.symbol(other) << 1 | head_left);
    see(item, s1, s0);
    return item;
  }

 private:
  static void see(ConstituentItem& item, const ConstituentItem& left, const ConstituentItem& right) {
    const uint64_t words = static_cast<uint64_t>(item.first) << 40 | static_cast<uint64_t>(item.last) << 20 |
                           static_cast<uint64_t>(item.head);
    item.look[0] = combine(combine(words, item.production),
                           static_cast<uint64_t>(item.label) << 8 | static_cast<uint64_t>(item.kind) << 1 | item.part);
    item.look[1] = combine(item.look[0], combine(left.look[0], right.look[0]));
  }
};

static_assert(RestrictsLabels<ShiftReduce>);

}  // namespace espalier
