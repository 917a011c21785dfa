// Traces (parser/trace.h) of shift-reduce constituent parsers.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "espalier/parser/sequential/derivation_trace.h"
#include "espalier/space/shift_reduce.h"
#include "espalier/tree/direction.h"

namespace espalier {

/// Spans are given by words of the sentence: `words` are those that are parsed, which the space numbers 1..n from
/// either end.
class ShiftReduceTrace {
 public:
  /// Keeps references.
  ShiftReduceTrace(const std::vector<std::string>& labels, const std::vector<int>& words, Direction direction,
                   const ConstituentArena& arena)
      : labels_(labels), words_(words), direction_(direction), arena_(arena) {}

  void describe(const ConstituentState& state, TraceStep& step) const {
    for (int i = state.top; i != ConstituentItem::kNone; i = arena_[i].below) {
      const ConstituentItem& item = arena_[i];
      const auto [first, last] = words(item.first, item.last);
      step.stack.push_back({first, last, item.label < 0 ? "" : label(item.label, item.part)});
    }
    std::ranges::reverse(step.stack);
    for (int i = state.next; i <= arena_.last; ++i) step.buffer.push_back(word(i));
  }

  TraceAction action(const ConstituentState& state, int move, int label_number) const {
    // `left` and `right` say where the head is.
    static constexpr const char* kNames[] = {"shift", "left", "right", "left part", "right part", "unary", "stay"};
    TraceAction action{.move = kNames[move]};
    if (move == ShiftReduce::kShift || move == ShiftReduce::kStay) return action;
    const ConstituentItem& top = arena_[state.top];
    const ConstituentItem& bottom = move == ShiftReduce::kUnary ? top : arena_[top.below];
    std::tie(action.first, action.last) = words(bottom.first, top.last);
    action.label = label(label_number, move == ShiftReduce::kLeftPart || move == ShiftReduce::kRightPart);
    return action;
  }

 private:
  int word(int number) const {
    const size_t n = words_.size(), place = static_cast<size_t>(number);
    return words_[direction_ == Direction::kLeftToRight ? place - 1 : n - place];
  }
  std::pair<int, int> words(int first, int last) const {
    const int one = word(first), other = word(last);
    return std::minmax(one, other);
  }
  /// Parts are marked as in the literature: more children of an NP* follow.
  std::string label(int number, bool part) const { return labels_[number] + (part ? "*" : ""); }

  const std::vector<std::string>& labels_;
  const std::vector<int>& words_;
  Direction direction_;
  const ConstituentArena& arena_;
};

}  // namespace espalier
