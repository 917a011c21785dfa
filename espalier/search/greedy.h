// Greedy search: takes the best action in every state until the state is final.
#pragma once

#include "espalier/base/stop_point.h"
#include "espalier/search/steps.h"

namespace espalier {

/// `rows(state)` gives the scores of all columns; `visit(state, column, score)` is called before every step.
template <SequentialSpace Space, class Rows, class Visit>
void greedy_search(const Space& space, const ActionTable& actions, int words, typename Space::Arena& arena, Rows&& rows,
                   Visit&& visit) {
  auto state = space.initial(arena, words);
  while (!space.is_final(state, arena)) {
    stop_point();
    const MoveSet legal = space.legal(state, arena);
    int column = forced_column(legal, actions);
    float score = 0;
    if (column < 0) {
      const auto* row = rows(state);
      column = best_column(row, legal, actions);
      score = static_cast<float>(row[column]);
    }
    visit(state, column, score);
    const auto& action = actions.action(column);
    space.apply(state, arena, action.move, action.label);
  }
}

}  // namespace espalier
