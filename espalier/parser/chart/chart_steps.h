// The steps of a tree in a chart, and the keys of their features. A step joins two items, or decides which unary nodes
// stand above one. An item (space/constituent_state.h) knows the steps below it, whoever made it: the search, or the
// derivation of a given tree, whose actions are in shift-reduce's order. Tested by chart_parser_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/parser/chart/chart_model.h"
#include "espalier/parser/chart/chart_templates.h"

namespace espalier {

struct ChartStep {
  int item;    ///< the joined one, or the one under the unary nodes
  int action;  ///< its column
  bool joins;
};

class ChartSteps {
 public:
  /// Keeps references to the model. Labels are seen by name, so that keys mean the same in every model.
  explicit ChartSteps(const ChartModel& model) : actions_(model.actions), space_(model.labels) {
    for (const std::string& label : model.labels) names_.push_back(hash_string(label));
  }
  ChartSteps(const ChartSteps&) = delete;

  const ConstituentAtoms& atoms() const { return atoms_; }
  const ConstituentArena& arena() const { return arena_; }
  const ConstituentItem& operator[](int item) const { return arena_[item]; }
  void begin(const Sentence& sentence, const std::vector<int>& words) {
    atoms_.encode(sentence, words);
    clear();
  }
  /// Forgets all items.
  void clear() {
    arena_.reset(atoms_.size());
    arena_.tags = atoms_.tags();
    arena_.names = names_;
  }
  int add_word(int number) { return arena_.add(ShiftReduce::word(number)); }
  int add_join(int left, int right, int action) {
    const auto& [move, label] = actions_.actions.action(action);
    return arena_.add(ShiftReduce::joined(arena_, left, right, move, label));
  }
  /// The item itself if the action is to stay.
  int add_unary(int item, int action) {
    if (action == actions_.stay_action()) return item;
    return arena_.add(space_.unary(arena_, item, actions_.actions.action(action).label));
  }
  /// Makes the items of a derivation and calls visit(item, action of its join or -1, unary action) for those whose
  /// unary step is done. Returns the last one.
  template <class Visit>
  int add_derivation(std::span<const int32_t> derivation, Visit&& visit) {
    std::vector<int> stack;
    int next = 1, join = -1;
    for (const int32_t action : derivation) {
      const int move = actions_.actions.action(action).move;
      if (move == ShiftReduce::kShift) {
        stack.push_back(add_word(next++));
      } else if (move >= ShiftReduce::kUnary) {
        stack.back() = add_unary(stack.back(), action);
        visit(stack.back(), join, static_cast<int>(action));
      } else {
        const int right = stack.back();
        stack.pop_back();
        stack.back() = add_join(stack.back(), right, action);
        join = action;
        continue;
      }
      join = -1;
    }
    return stack.empty() ? ConstituentItem::kNone : stack.back();
  }

  int join_action(const ConstituentItem& joined) const {
    using S = ShiftReduce;
    const int move = joined.kind == BinaryTree::kHeadLeft ? (joined.part ? S::kLeftPart : S::kLeft)
                                                          : (joined.part ? S::kRightPart : S::kRight);
    return actions_.actions.column(move, joined.step_label);
  }
  int unary_action(const ConstituentItem& top) const {
    return top.kind == BinaryTree::kUnary ? actions_.actions.column(ShiftReduce::kUnary, top.step_label)
                                          : actions_.stay_action();
  }
  /// Calls visit for every step below an item whose unary step is done, children before parents.
  template <class Visit>
  void for_each_step(int item, Visit&& visit) const {
    const ConstituentItem& top = arena_[item];
    const int base = top.kind == BinaryTree::kUnary ? top.left : item;
    const ConstituentItem& below = arena_[base];
    if (below.kind != BinaryTree::kWord) {
      for_each_step(below.left, visit);
      for_each_step(below.right, visit);
      visit(ChartStep{base, join_action(below), true});
    }
    // A part has no unary nodes: that step is forced, and not scored.
    if (!below.part) visit(ChartStep{base, unary_action(top), false});
  }
  /// The actions of a tree in shift-reduce's order.
  void derivation(int item, std::vector<int32_t>& out) const {
    const ConstituentItem& top = arena_[item];
    const ConstituentItem& below = top.kind == BinaryTree::kUnary ? arena_[top.left] : top;
    if (below.kind == BinaryTree::kWord) {
      out.push_back(actions_.actions.begin(ShiftReduce::kShift));
    } else {
      derivation(below.left, out);
      derivation(below.right, out);
      out.push_back(join_action(below));
    }
    out.push_back(unary_action(top));
  }

  /// The same for equal steps, of a sentence.
  uint64_t hash(const ChartStep& step) const {
    const ConstituentItem& item = arena_[step.item];
    const uint64_t of = static_cast<uint64_t>(step.action) << 1 | step.joins;
    if (!step.joins) return combine(item.look[1], of);
    return combine(combine(arena_[item.left].look[1], arena_[item.right].look[1]), of);
  }
  /// Writes the keys of a step's features, at most ChartFeatures::kMostKeys, and returns their number.
  int keys(const ChartStep& step, uint64_t* out) {
    const auto write = [&](auto table, ChartFeatures::Role role, uint64_t* to) {
      return ChartFeatures::keys<decltype(table)>(view_, role, to);
    };
    return for_each_table(step, write, out);
  }
  // The keys of one table each.
  int span_keys(int first, int last, uint64_t* out) {
    view_.see_span(atoms_, first, last);
    return ChartFeatures::keys<SpanTemplates>(view_, ChartFeatures::kAny, out);
  }
  // After span_keys of the same span.
  void see_split(int first, int split, int last) { view_.see_split(atoms_, first, split, last); }
  int split_keys(uint64_t* out) { return ChartFeatures::keys<SplitTemplates>(view_, ChartFeatures::kAny, out); }
  /// After see_split.
  int pair_keys(int left, int right, uint64_t* out) {
    view_.see_pair(atoms_, arena_, left, right);
    return ChartFeatures::keys<PairTemplates>(view_, ChartFeatures::kAny, out);
  }
  int item_keys(int item, ChartFeatures::Role role, uint64_t* out) {
    view_.see_one(atoms_, arena_, item);
    return ChartFeatures::keys<ItemTemplates>(view_, role, out);
  }
  const ChartView& view() const { return view_; }

  /// Calls write(table, role, out + keys so far) for the tables of a step, with a view that has what it sees.
  template <class Write>
  int for_each_table(const ChartStep& step, Write&& write, uint64_t* out) {
    const ConstituentItem& item = arena_[step.item];
    int count = 0;
    const auto next = [&](auto table, ChartFeatures::Role role) { count += write(table, role, out + count); };
    view_.see_span(atoms_, item.first, item.last);
    next(SpanTemplates{}, ChartFeatures::kAny);
    if (!step.joins) {
      view_.see_one(atoms_, arena_, step.item);
      next(ItemTemplates{}, ChartFeatures::kOnly);
      return count;
    }
    view_.see_split(atoms_, item.first, arena_[item.left].last, item.last);
    next(SplitTemplates{}, ChartFeatures::kAny);
    view_.see_one(atoms_, arena_, item.left);
    next(ItemTemplates{}, ChartFeatures::kLeft);
    view_.see_one(atoms_, arena_, item.right);
    next(ItemTemplates{}, ChartFeatures::kRight);
    view_.see_pair(atoms_, arena_, item.left, item.right);
    next(PairTemplates{}, ChartFeatures::kAny);
    return count;
  }

 private:
  const ChartActions& actions_;
  ShiftReduce space_;
  std::vector<uint64_t> names_;
  ConstituentAtoms atoms_;
  ConstituentArena arena_;
  ChartView view_;
};

}  // namespace espalier
