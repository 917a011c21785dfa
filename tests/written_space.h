// For tests of searches: a space written down edge by edge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "espalier/search/agenda.h"

namespace espalier {

struct WrittenSpace {
  using State = int;
  struct Action {
    int to;
  };
  std::map<int, std::vector<std::pair<int, double>>> children;  ///< where steps lead and what they cost
  std::map<int, bool> final;
  bool unique_paths = true;
  std::vector<int> explored;

  State initial() { return 0; }
  bool is_final(const State& state) { return final.contains(state); }
  bool leads_to_final(const Action& action) { return final.contains(action.to); }
  State apply(const State&, const Action& action) { return action.to; }
  void expand(const State& state, std::vector<Expansion<Action>>& out) {
    explored.push_back(state);
    out.clear();
    for (const auto& [to, cost] : children[state]) out.push_back({cost, {to}});
  }
  bool deterministic() const { return unique_paths; }
  uint64_t signature(const State& state) const { return static_cast<uint64_t>(state); }
  size_t memory() const { return 1000 * explored.size(); }
};

/// The cheapest way to every final state, by trying all.
inline void cheapest_of_each(const WrittenSpace& space, int state, double cost, std::map<int, double>& costs) {
  if (space.final.contains(state)) {
    const auto [it, fresh] = costs.try_emplace(state, cost);
    it->second = std::min(it->second, cost);
    return;
  }
  const auto it = space.children.find(state);
  if (it == space.children.end()) return;
  for (const auto& [to, step] : it->second) cheapest_of_each(space, to, cost + step, costs);
}

}  // namespace espalier
