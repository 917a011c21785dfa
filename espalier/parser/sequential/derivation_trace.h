// Replays a derivation of a sequential space with all legal actions of each step (parser/trace.h).
// Tested by tests/trace_test.cc.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "espalier/parser/trace.h"
#include "espalier/search/steps.h"

namespace espalier {

/// The best column of a move that the state allows; -1 if there is none.
template <class Space, class Sum>
int best_allowed(const Space& space, const typename Space::State& state, const typename Space::Arena& arena,
                 const ActionTable& actions, int move, const Sum* row) {
  int best = -1;
  for (int c = actions.begin(move); c < actions.end(move); ++c) {
    if constexpr (RestrictsLabels<Space>)
      if (!space.allows(state, arena, move, actions.action(c).label)) continue;
    if (best < 0 || row[c] > row[best]) best = c;
  }
  return best;
}

/// `rows(state)` gives the scores of all columns, multiplied by `scale`; `describe(state, step)` fills in stack and
/// buffer; `action(state, move, label)` describes what the action builds.
template <class Space, class Rows, class Describe, class Action>
std::vector<TraceStep> traced_steps(const Space& space, const ActionTable& actions, typename Space::Arena& arena,
                                    int words, std::span<const int32_t> derivation, double scale, Rows&& rows,
                                    Describe&& describe, Action&& action) {
  std::vector<TraceStep> steps;
  auto state = space.initial(arena, words);
  for (const int32_t done : derivation) {
    TraceStep& step = steps.emplace_back();
    describe(state, step);
    const auto add = [&](int column, double score) {
      step.actions.push_back(action(state, actions.action(column).move, actions.action(column).label));
      step.actions.back().score = score;
    };
    MoveSet legal = space.legal(state, arena);
    if (forced_column(legal, actions) == done) {
      step.forced = true;
      add(done, 0);
    } else {
      const auto* row = rows(state);
      std::vector<int> columns = {done};
      for (; legal; legal &= legal - 1) {
        const int best = best_allowed(space, state, arena, actions, std::countr_zero(legal), row);
        if (best >= 0 && best != done) columns.push_back(best);
      }
      std::ranges::stable_sort(columns, [&](int a, int b) { return row[a] > row[b]; });
      for (const int column : columns) add(column, static_cast<double>(row[column]) / scale);
      step.taken = static_cast<size_t>(std::ranges::find(columns, done) - columns.begin());
    }
    space.apply(state, arena, actions.action(done).move, actions.action(done).label);
  }
  return steps;
}

}  // namespace espalier
