// Steps of any search over a sequential space: forced ones, and the best legal column.
#pragma once

#include <bit>
#include <cstdint>

#include "espalier/space/action_table.h"
#include "espalier/space/sequential.h"

namespace espalier {

/// The only legal action, or -1 if there is a choice. Forced steps are taken without scoring; in training, too, they
/// have the score 0.
inline int forced_column(MoveSet legal, const ActionTable& actions) {
  if (!std::has_single_bit(legal)) return -1;
  const int move = std::countr_zero(legal);
  return actions.end(move) - actions.begin(move) == 1 ? actions.begin(move) : -1;
}

/// The legal moves without constraints (space/constrained.h), by which a step counts as forced or not.
template <class Space>
MoveSet choices(const Space& space, const typename Space::State& state, const typename Space::Arena& arena,
                MoveSet legal) {
  if constexpr (requires { space.unconstrained(state, arena); }) return space.unconstrained(state, arena);
  return legal;
}

/// The best column of [begin, end); ties: the smaller one.
template <class Sum>
int best_column(const Sum* row, int begin, int end) {
  int best = begin;
  for (int c = begin + 1; c < end; ++c)
    if (row[c] > row[best]) best = c;
  return best;
}

/// The best legal column.
template <class Sum>
int best_column(const Sum* row, MoveSet legal, const ActionTable& actions) {
  int best = -1;
  for (; legal; legal &= legal - 1) {
    const int move = std::countr_zero(legal);
    const int column = best_column(row, actions.begin(move), actions.end(move));
    if (best < 0 || row[column] > row[best]) best = column;
  }
  return best;
}

}  // namespace espalier
