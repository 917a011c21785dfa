// Searches for the cheapest path through a space whose steps have non-negative costs (Turian 2007, chapter 3): greedy,
// best-first agenda search, and greedy completion, which follows the cheapest steps from every state that it pops to a
// final state, so that it has a solution at any time. Paths that cost no less than the best solution are dropped; when
// no cheaper one is left, the result is proved optimal. Time: steps scored, times the logarithm of the agenda.
//
// A space for this search has State, Action and
//   State initial();  bool is_final(const State&);  State apply(const State&, const Action&);
//   void expand(const State&, std::vector<Expansion<Action>>&)   all legal actions with their costs >= 0, in item order
//   bool leads_to_final(const Action&)                           whether the action completes an analysis
//   bool deterministic();  uint64_t signature(const State&)      if several paths lead to a state, a chart has the best
//   size_t memory()                                              bytes of all states applied and expanded so far
// Tested by agenda_test.cc (exhaustive enumeration; Figure 3.2 of the thesis).
#pragma once

#include <tsl/robin_map.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "espalier/base/stop_point.h"

namespace espalier {

enum class AgendaStrategy { kGreedy, kBestFirst, kGreedyCompletion };

template <class Action>
struct Expansion {
  double cost;
  Action action;
};

struct AgendaLimits {
  AgendaStrategy strategy = AgendaStrategy::kGreedyCompletion;
  size_t scored = 100'000;      ///< gamma: paths scored before giving up; 0 = no limit
  size_t memory = 160'000'000;  ///< bytes of agenda and space before giving up, regardless of gamma
};

/// What a search did, for reports.
struct AgendaReport {
  bool solved = false;
  bool optimal = false;         ///< proved: no path is cheaper
  bool first_was_best = false;  ///< the greedy path, or best-first search's first solution, is the one returned
  size_t scored = 0;            ///< partial paths whose cost was computed
  double cost = std::numeric_limits<double>::infinity();
};

template <class S>
concept CostedSpace = requires(S& space, const typename S::State& state, const typename S::Action& action,
                               std::vector<Expansion<typename S::Action>>& out) {
  { space.initial() } -> std::same_as<typename S::State>;
  { space.is_final(state) } -> std::same_as<bool>;
  { space.leads_to_final(action) } -> std::same_as<bool>;
  { space.apply(state, action) } -> std::same_as<typename S::State>;
  {space.expand(state, out)};
  { space.deterministic() } -> std::same_as<bool>;
  { space.signature(state) } -> std::same_as<uint64_t>;
  { space.memory() } -> std::convertible_to<size_t>;
};

/// The k cheapest final states found, cheapest first.
template <CostedSpace Space>
class SolutionList {
 public:
  struct Solution {
    double cost;
    typename Space::State state;
  };

  /// Solutions are written to `list`.
  void clear(size_t k, std::vector<Solution>& list) {
    list.clear();
    list_ = &list;
    wanted_ = k;
    improvements_ = 0;
    bound_ = std::numeric_limits<double>::infinity();
  }
  /// Only paths that cost less can improve the list.
  double bound() const { return bound_; }
  /// How often a new cheapest solution was found.
  size_t improvements() const { return improvements_; }

  void add(Space& space, const typename Space::State& state, const typename Space::Action& action, double cost) {
    if (!(cost < bound_)) return;
    Solution solution{cost, space.apply(state, action)};
    if (!space.deterministic()) {  // the same analysis may be found again, cheaper
      const auto same = std::ranges::find(*list_, space.signature(solution.state),
                                          [&](const Solution& s) { return space.signature(s.state); });
      if (same != list_->end() && same->cost <= cost) return;
      if (same != list_->end()) list_->erase(same);
    }
    const auto place = std::ranges::upper_bound(*list_, cost, {}, &Solution::cost);
    improvements_ += place == list_->begin();
    list_->insert(place, std::move(solution));
    if (list_->size() > wanted_) list_->pop_back();
    if (list_->size() == wanted_) bound_ = list_->back().cost;
  }

 private:
  std::vector<Solution>* list_ = nullptr;
  size_t wanted_ = 1, improvements_ = 0;
  double bound_ = 0;
};

template <CostedSpace Space>
class AgendaSearch {
 public:
  using State = typename Space::State;
  using Action = typename Space::Action;
  using Solution = typename SolutionList<Space>::Solution;

  /// The k cheapest final states found, cheapest first; none if report.solved is false. The report is about the
  /// cheapest.
  AgendaReport run(Space& space, const AgendaLimits& limits, size_t k, std::vector<Solution>& best) {
    space_ = &space;
    limits_ = limits;
    report_ = {};
    agenda_.clear(), parents_.clear(), chart_.clear();
    solutions_.clear(k, best);
    inserted_ = 0;
    dropped_ = completed_ = kInfinity;
    complete(space.initial(), 0, 0);
    const double greedy = completed_;
    while (!agenda_.empty() && limits_.strategy != AgendaStrategy::kGreedy && !exhausted()) {
      const Entry entry = pop();
      if (entry.cost >= solutions_.bound()) {  // nothing left can win
        agenda_.clear();
        break;
      }
      const Parent& parent = parents_[entry.parent];
      complete(space.apply(parent.state, entry.action), entry.cost, parent.steps + 1);
    }
    report_.solved = !best.empty();
    if (report_.solved) report_.cost = best.front().cost;
    const double open = agenda_.empty() ? kInfinity : agenda_.front().cost;
    report_.optimal =
        report_.solved && limits_.strategy != AgendaStrategy::kGreedy && report_.cost <= std::min(open, dropped_);
    // The greedy path also meets other solutions on its way, so the first one found need not be its own.
    report_.first_was_best =
        report_.solved &&
        (limits_.strategy == AgendaStrategy::kBestFirst ? solutions_.improvements() == 1 : greedy == report_.cost);
    return report_;
  }
  /// The best final state alone, in `best`; untouched if report.solved is false.
  AgendaReport run(Space& space, const AgendaLimits& limits, State& best) {
    const AgendaReport report = run(space, limits, 1, single_);
    if (report.solved) best = single_.front().state;
    return report;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  struct Parent {
    State state;
    int steps;
  };
  struct Entry {
    double cost;
    int steps;       // more steps first among equal costs
    uint32_t order;  // then first in, first out
    uint32_t parent;
    Action action;

    friend bool operator<(const Entry& a, const Entry& b) {  // a heap's top is the largest: the one to take next
      if (a.cost != b.cost) return a.cost > b.cost;
      if (a.steps != b.steps) return a.steps < b.steps;
      return a.order > b.order;
    }
  };

  bool exhausted() const {
    return (limits_.scored && report_.scored > limits_.scored) ||
           agenda_.size() * sizeof(Entry) + parents_.size() * sizeof(Parent) + space_->memory() > limits_.memory;
  }

  /// Best-first search: expands a state once. Greedy completion: follows the cheapest expansions to a solution.
  void complete(State state, double cost, int steps) {
    while (cost < solutions_.bound()) {
      stop_point();
      if (!space_->deterministic()) {
        const auto [it, fresh] = chart_.try_emplace(space_->signature(state), cost);
        if (!fresh && it->second <= cost) return;
        it.value() = cost;
      }
      space_->expand(state, expansions_);
      report_.scored += expansions_.size();
      if (expansions_.empty()) return;
      size_t cheapest = expansions_.size();
      if (limits_.strategy != AgendaStrategy::kBestFirst) {
        cheapest = static_cast<size_t>(std::ranges::min_element(expansions_, {}, &Expansion<Action>::cost) -
                                       expansions_.begin());
      }
      const uint32_t parent = static_cast<uint32_t>(parents_.size());
      if (limits_.strategy != AgendaStrategy::kGreedy) parents_.push_back({state, steps});
      for (size_t i = 0; i < expansions_.size(); ++i) {
        if (i == cheapest || limits_.strategy == AgendaStrategy::kGreedy) continue;
        const double total = cost + expansions_[i].cost;
        if (space_->leads_to_final(expansions_[i].action)) {
          solutions_.add(*space_, state, expansions_[i].action, total);
        } else if (total < solutions_.bound()) {
          push({total, steps + 1, inserted_++, parent, expansions_[i].action});
        }
      }
      if (cheapest == expansions_.size()) return;
      const Expansion<Action> step = expansions_[cheapest];
      cost += step.cost;
      if (space_->leads_to_final(step.action)) {
        completed_ = cost;
        solutions_.add(*space_, state, step.action, cost);
        return;
      }
      // A path at or above the bound is dropped without returning to the agenda: no continuation can win.
      state = space_->apply(state, step.action);
      ++steps;
    }
  }

  void push(const Entry& entry) {
    if (exhausted()) {
      dropped_ = std::min(dropped_, entry.cost);
      return;
    }
    agenda_.push_back(entry);
    std::push_heap(agenda_.begin(), agenda_.end());
  }

  Entry pop() {
    std::pop_heap(agenda_.begin(), agenda_.end());
    const Entry entry = agenda_.back();
    agenda_.pop_back();
    return entry;
  }

  Space* space_ = nullptr;
  AgendaLimits limits_;
  AgendaReport report_;
  std::vector<Entry> agenda_;  // a heap
  std::vector<Parent> parents_;
  std::vector<Expansion<Action>> expansions_;
  tsl::robin_map<uint64_t, double> chart_;
  SolutionList<Space> solutions_;
  uint32_t inserted_ = 0;
  double dropped_ = kInfinity, completed_ = kInfinity;  // completed: by the last greedy path
  std::vector<Solution> single_;
};

}  // namespace espalier
