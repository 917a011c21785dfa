// A derivation of a transition system, walked again with everything that was possible at each step: parser/trace.h.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "espalier/parser/trace.h"
#include "espalier/search/steps.h"
#include "espalier/space/stack_state.h"
#include "espalier/tree/direction.h"

namespace espalier {

template <class Space>
const char* move_name(int move) {
  if (move == Space::kShift) return "shift";
  if (move == Space::kLeft) return "left";
  if (move == Space::kRight) return "right";
  if (move == Space::kRoot) return "root";
  if constexpr (requires { Space::kReduce; }) return "reduce";
  return "swap";
}

template <class Space>
class TransitionTrace {
 public:
  /// Keeps references.
  TransitionTrace(const Space& space, const ActionTable& actions, std::span<const std::string> labels,
                  Direction direction, typename Space::Arena& arena)
      : space_(space), actions_(actions), labels_(labels), direction_(direction), arena_(arena) {}

  /// `rows(state)` gives the scores of all columns, `scale` times too large.
  template <class Rows>
  Trace of(std::span<const int32_t> derivation, int words, Rows&& rows, double scale) {
    Trace trace;
    trace.system = Space::kName;
    words_ = words;
    auto state = space_.initial(arena_, words);
    root_in_buffer_ = state.top == StackItem::kNone;
    for (const int32_t column : derivation) {
      TraceStep& step = trace.steps.emplace_back();
      describe(state, step);
      const MoveSet legal = space_.legal(state, arena_);
      if (forced_column(legal, actions_) == column) {
        step.forced = true;
        step.actions.push_back(action(state, column, 0));
      } else {
        add_actions(state, legal, column, rows(state), scale, step);
      }
      const auto& [move, label] = actions_.action(column);
      space_.apply(state, arena_, move, label);
    }
    return trace;
  }

 private:
  /// The sentence's number of a word, which may be read from the other end; the root behind the last word is 0.
  int word(int number) const {
    if (number == 0 || number > words_) return 0;
    return direction_ == Direction::kLeftToRight ? number : words_ + 1 - number;
  }

  void describe(const StackState& state, TraceStep& step) const {
    for (int i = state.top; i != StackItem::kNone; i = arena_[i].below) step.stack.push_back(word(arena_[i].word));
    std::ranges::reverse(step.stack);
    for (int i = state.front; i != StackItem::kNone; i = arena_[i].below) step.buffer.push_back(word(arena_[i].word));
    for (int i = state.next; i <= arena_.last; ++i) step.buffer.push_back(word(i));
    if (root_in_buffer_) step.buffer.push_back(0);
  }

  TraceAction action(const StackState& state, int column, double score) const {
    const auto& [move, label] = actions_.action(column);
    const Arc arc = space_.part(state, arena_, move);
    return {move_name<Space>(move), label < 0 ? "" : labels_[static_cast<size_t>(label)], score, word(arc.head),
            word(arc.dependent)};
  }

  template <class Sum>
  void add_actions(const StackState& state, MoveSet legal, int done, const Sum* row, double scale, TraceStep& step) {
    std::vector<int> columns = {done};
    for (; legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      const int best = best_column(row, actions_.begin(move), actions_.end(move));
      if (best != done) columns.push_back(best);
    }
    std::ranges::stable_sort(columns, [&](int a, int b) { return row[a] > row[b]; });
    for (const int column : columns)
      step.actions.push_back(action(state, column, static_cast<double>(row[column]) / scale));
    step.taken = static_cast<size_t>(std::ranges::find(columns, done) - columns.begin());
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
