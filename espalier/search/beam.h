// Beam search over any sequential space (Zhang & Clark 2008): the k best states of every step survive.
// Order: total score, then the parent's rank, then the action's column. For each move only the best label competes,
// which is as accurate for dependencies as letting all labels compete, and cheaper. All labels compete in spaces that
// restrict labels, and on request (`all_labels`). Where derivations differ in length, final
// states stay in the beam, with their scores, until all states are final. Tested by beam_test.cc.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "espalier/base/stop_point.h"
#include "espalier/search/steps.h"

namespace espalier {

template <SequentialSpace Space>
class Beam {
 public:
  struct Node {
    typename Space::State state;
    int parent;  ///< index among all nodes; -1 for the initial state
    int column;  ///< the action that led here; -1 for none (initial, or waiting at the end)
    double score;
  };

  bool all_labels = RestrictsLabels<Space>;  ///< all labels of a move compete, not only the best one

  /// `rows(state, node)` gives the scores of all columns of a state (valid until the next call). `observe(step,
  /// survivors, first)` is called after every step with the surviving nodes, best first, and the index of the first
  /// among all nodes; it returns false to stop.
  template <class Rows, class Observe>
  void run(const Space& space, const ActionTable& actions, int words, int width, typename Space::Arena& arena,
           Rows&& rows, Observe&& observe) {
    nodes_.clear();
    nodes_.push_back({space.initial(arena, words), -1, -1, 0});
    first_ = 0;
    for (int step = 1; !finished(space, arena); ++step) {
      candidates_.clear();
      bound_ = std::numeric_limits<double>::infinity();
      const int last = static_cast<int>(nodes_.size());
      for (int i = first_; i < last; ++i) {
        if ((i - first_) % kStatesPerStopPoint == 0) stop_point();
        expand(space, actions, arena, rows, i);
        if (all_labels) keep_best(static_cast<size_t>(width));
      }
      const size_t kept = std::min(candidates_.size(), static_cast<size_t>(width));
      std::ranges::partial_sort(candidates_, candidates_.begin() + static_cast<long>(kept), Better());
      for (size_t i = 0; i < kept; ++i) {
        const Candidate& c = candidates_[i];
        Node node{nodes_[c.parent].state, c.parent, c.column, -c.negative_score};
        if (c.column >= 0) {
          const auto& action = actions.action(c.column);
          space.apply(node.state, arena, action.move, action.label);
        }
        nodes_.push_back(node);
      }
      first_ = last;
      if (!observe(step, survivors(), first_)) break;
    }
  }
  template <class Rows>
  void run(const Space& space, const ActionTable& actions, int words, int width, typename Space::Arena& arena,
           Rows&& rows) {
    run(space, actions, words, width, arena, rows, [](int, std::span<const Node>, int) { return true; });
  }

  /// The states of the last step, best first; none if constraints made a final state unreachable.
  std::span<const Node> survivors() const { return std::span(nodes_).subspan(first_); }
  int first_survivor() const { return first_; }
  const Node& node(int index) const { return nodes_[index]; }

  /// The columns of the actions from the initial state to a node.
  void derivation(int index, std::vector<int32_t>& columns) const {
    columns.clear();
    for (int i = index; i >= 0; i = node(i).parent)
      if (node(i).column >= 0) columns.push_back(node(i).column);
    std::ranges::reverse(columns);
  }

 private:
  struct Candidate {
    double negative_score;
    int parent, column;
  };
  struct Better {
    bool operator()(const Candidate& a, const Candidate& b) const {
      if (a.negative_score != b.negative_score) return a.negative_score < b.negative_score;
      return a.parent != b.parent ? a.parent < b.parent : a.column < b.column;
    }
  };

  static constexpr int kStatesPerStopPoint = 32;  // a step of a beam of a thousand takes milliseconds

  bool finished(const Space& space, const typename Space::Arena& arena) const {
    return std::ranges::all_of(survivors(), [&](const Node& n) { return space.is_final(n.state, arena); });
  }

  template <class Rows>
  void expand(const Space& space, const ActionTable& actions, typename Space::Arena& arena, Rows& rows, int index) {
    const Node& from = nodes_[index];
    if (space.is_final(from.state, arena)) return candidates_.push_back({-from.score, index, -1});
    MoveSet legal = space.legal(from.state, arena);
    if (legal == 0) return;  // constraints can lead into a dead end
    if (const int column = forced_column(choices(space, from.state, arena, legal), actions); column >= 0)
      return candidates_.push_back({-from.score, index, column});
    const auto* row = rows(from.state, index);
    for (; legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      const auto offer = [&](int column) {
        const double negative = -(from.score + static_cast<double>(row[column]));
        if (negative <= bound_) candidates_.push_back({negative, index, column});
      };
      if constexpr (RestrictsLabels<Space>) {
        int best = -1;
        for (int column = actions.begin(move); column < actions.end(move); ++column) {
          if (!space.allows(from.state, arena, move, actions.action(column).label)) continue;
          if (all_labels) {
            offer(column);
          } else if (best < 0 || row[column] > row[best]) {
            best = column;
          }
        }
        if (best >= 0) offer(best);
      } else if (all_labels) {
        for (int column = actions.begin(move); column < actions.end(move); ++column) offer(column);
      } else {
        offer(best_column(row, actions.begin(move), actions.end(move)));
      }
    }
  }

  /// If all labels compete there are very many candidates: drops those that cannot survive.
  void keep_best(size_t width) {
    if (candidates_.size() <= width) return;
    std::ranges::nth_element(candidates_, candidates_.begin() + static_cast<long>(width - 1), Better());
    candidates_.resize(width);
    bound_ = candidates_.back().negative_score;
  }

  std::vector<Node> nodes_;
  std::vector<Candidate> candidates_;
  double bound_ = 0;  // candidates with a larger negative score are not worth keeping
  int first_ = 0;
};

}  // namespace espalier
