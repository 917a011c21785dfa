// The concept of a sequential search space, as greedy, beam and agenda search use it: transition systems, tagging.
//
// Laws (tests/contract/space_test.cc runs them on every transition system):
//   * in every reachable state that is not final some move is legal (no dead ends), and every walk ends;
//   * `oracle` leads from the initial state to the gold tree, if the space can build it;
//   * with `cost` (a dynamic oracle): some legal move costs 0, and along any complete walk the costs add up to the
//     worth of the wrong heads (Gold::worth), which is their number by default.
// A step is a move and a label. Spaces know moves; labels are attached to what a move builds (its part).
#pragma once

#include <concepts>
#include <cstdint>

#include "espalier/space/gold.h"

namespace espalier {

/// A set of moves, bit m = move m.
using MoveSet = uint32_t;

/// What a step builds; `dependent` 0 if nothing.
struct Arc {
  int head = 0, dependent = 0;
  friend bool operator==(const Arc&, const Arc&) = default;
};

template <class S>
concept SequentialSpace = requires(const S& space, typename S::State& state, const typename S::State& here,
                                   typename S::Arena& arena, const typename S::Arena& memory, int move, int label) {
  { S::kMoves } -> std::convertible_to<int>;
  { space.initial(arena, 5) } -> std::same_as<typename S::State>;
  { space.is_final(here, memory) } -> std::same_as<bool>;
  { space.legal(here, memory) } -> std::same_as<MoveSet>;
  {space.apply(state, arena, move, label)};
};

/// A space in which some labels of a legal move may be forbidden, and labels decide which moves are legal later: with
/// only each move's best label a beam could end in a state without a legal move, so all labels compete in it. In every
/// state that is not final some legal move has an allowed label.
template <class S>
concept RestrictsLabels = SequentialSpace<S> &&
    requires(const S& space, const typename S::State& here, const typename S::Arena& memory, int move, int label) {
  { space.allows(here, memory, move, label) } -> std::same_as<bool>;
};

/// A space for dependency trees: steps build labelled arcs, an oracle leads to a gold tree, moves have names.
template <class S>
concept DependencySpace = SequentialSpace<S> && requires(const S& space, const typename S::State& here,
                                                         const typename S::Arena& memory, int move, const Gold& gold) {
  { S::kMoveNames[move] } -> std::convertible_to<const char*>;
  { S::builds_arc(move) } -> std::same_as<bool>;
  { space.part(here, memory, move) } -> std::same_as<Arc>;
  { space.oracle(here, memory, gold) } -> std::same_as<int>;
};

template <class S>
concept DynamicOracle = DependencySpace<S> && requires(const S& space, const typename S::State& here,
                                                       const typename S::Arena& memory, int move, const Gold& gold) {
  { space.cost(here, memory, gold, move) } -> std::same_as<int>;
};

}  // namespace espalier
