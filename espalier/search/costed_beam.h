// Beam search over the space of an agenda (agenda.h): among all partial paths with the same number of steps the
// cheapest few survive. The agenda fails on long paths, because it expands cheap short ones first; the time of this
// search is linear in the length of a path. Solutions may be of any length: costs are non-negative, so the search stops
// once no open path is cheaper than the best solution. When memory runs out, only the cheapest path survives. Tested by
// costed_beam_test.cc (exhaustive enumeration).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "espalier/base/stop_point.h"
#include "espalier/search/agenda.h"

namespace espalier {

template <CostedSpace Space>
class CostedBeam {
 public:
  using State = typename Space::State;
  using Action = typename Space::Action;
  using Solution = typename SolutionList<Space>::Solution;

  /// The k cheapest final states found, cheapest first.
  AgendaReport run(Space& space, size_t width, size_t k, std::vector<Solution>& best,
                   size_t memory = AgendaLimits().memory) {
    AgendaReport report;
    solutions_.clear(k, best);
    nodes_.assign(1, {0, space.initial()});
    while (!nodes_.empty()) {
      kept_.clear();
      inserted_ = 0;
      for (uint32_t i = 0; i < nodes_.size(); ++i) {
        stop_point();
        space.expand(nodes_[i].state, expansions_);
        report.scored += expansions_.size();
        for (const auto& [step, action] : expansions_) {
          const double cost = nodes_[i].cost + step;
          if (space.leads_to_final(action)) {
            solutions_.add(space, nodes_[i].state, action, cost);
          } else if (cost < solutions_.bound()) {
            keep({cost, inserted_++, i, action}, width);
          }
        }
      }
      step(space);
      if (nodes_.size() > 1 && space.memory() > memory) width = 1, nodes_.resize(1);
    }
    report.solved = !best.empty();
    if (report.solved) report.cost = best.front().cost;
    return report;
  }

 private:
  struct Entry {
    double cost;
    uint32_t order;  // first in, first out among equals
    uint32_t parent;
    Action action;

    friend bool operator<(const Entry& a, const Entry& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.order < b.order;
    }
  };

  void keep(const Entry& entry, size_t width) {
    if (kept_.size() < width) {
      kept_.push_back(entry);
    } else if (entry < kept_.front()) {
      std::pop_heap(kept_.begin(), kept_.end());
      kept_.back() = entry;
    } else {
      return;
    }
    std::push_heap(kept_.begin(), kept_.end());
  }

  /// Expands the states of one step into those of the next, cheapest first.
  void step(Space& space) {
    std::sort(kept_.begin(), kept_.end());
    next_.clear();
    for (const Entry& entry : kept_) {
      if (entry.cost >= solutions_.bound()) break;
      const State state = space.apply(nodes_[entry.parent].state, entry.action);
      // Another path led to the same state; that one is cheaper, because paths come in order of cost.
      if (!space.deterministic() && std::ranges::find(next_, space.signature(state), [&](const Solution& other) {
                                      return space.signature(other.state);
                                    }) != next_.end()) {
        continue;
      }
      next_.push_back({entry.cost, state});
    }
    nodes_.swap(next_);
  }

  SolutionList<Space> solutions_;
  std::vector<Solution> nodes_, next_;  // the states of a step
  std::vector<Entry> kept_;             // a heap, its top the most expensive
  std::vector<Expansion<Action>> expansions_;
  uint32_t inserted_ = 0;
};

}  // namespace espalier
