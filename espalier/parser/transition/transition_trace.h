// Traces (parser/trace.h) of transition systems.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "espalier/parser/sequential/derivation_trace.h"
#include "espalier/space/stack_state.h"
#include "espalier/tree/direction.h"

namespace espalier {

template <class Space>
const char* move_name(int move) {
  static_assert(std::size(Space::kMoveNames) >= Space::kMoves);
  return Space::kMoveNames[move];
}

template <class Space>
class TransitionTrace {
 public:
  /// Keeps references.
  TransitionTrace(const Space& space, const ActionTable& actions, std::span<const std::string> labels,
                  Direction direction, typename Space::Arena& arena)
      : space_(space), actions_(actions), labels_(labels), direction_(direction), arena_(arena) {}

  /// `rows(state)` gives the scores of all columns, multiplied by `scale`.
  template <class Rows>
  Trace of(std::span<const int32_t> derivation, int words, Rows&& rows, double scale) {
    words_ = words;
    root_in_buffer_ = space_.initial(arena_, words).top == StackItem::kNone;
    Trace trace;
    trace.system = Space::kName;
    trace.steps = traced_steps(
        space_, actions_, arena_, words, derivation, scale, rows,
        [this](const StackState& state, TraceStep& step) { describe(state, step); },
        [this](const StackState& state, int move, int label) { return action(state, move, label); });
    return trace;
  }

 private:
  /// The number of a word in the sentence, for either direction of reading; the root behind the last word is 0.
  int word(int number) const {
    if (number == 0 || number > words_) return 0;
    return direction_ == Direction::kLeftToRight ? number : words_ + 1 - number;
  }

  void describe(const StackState& state, TraceStep& step) const {
    for (int i = state.top; i != StackItem::kNone; i = arena_[i].below) {
      const int number = word(arena_[i].word);
      step.stack.push_back({number, number});
    }
    std::ranges::reverse(step.stack);
    for (int i = state.front; i != StackItem::kNone; i = arena_[i].below) step.buffer.push_back(word(arena_[i].word));
    for (int i = state.next; i <= arena_.last; ++i) step.buffer.push_back(word(i));
    if (root_in_buffer_) step.buffer.push_back(0);
  }

  TraceAction action(const StackState& state, int move, int label) const {
    const Arc arc = space_.part(state, arena_, move);
    return {.move = move_name<Space>(move),
            .label = label < 0 ? "" : labels_[label],
            .head = word(arc.head),
            .dependent = word(arc.dependent)};
  }

  const Space& space_;
  const ActionTable& actions_;
  std::span<const std::string> labels_;
  Direction direction_;
  typename Space::Arena& arena_;
  int words_ = 0;
  bool root_in_buffer_ = false;
};

}  // namespace espalier
