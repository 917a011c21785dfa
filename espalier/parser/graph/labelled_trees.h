// The labelled spanning trees of a sentence in order of score, one at a time: each tree with its best labels, and with
// second-best ones in place of some. A set of words that take their second label is reached from the set without its
// dearest word, or with the next cheaper one in its place: every set once, in order of loss.
// Tested by graph_parser_test.cc.
#pragma once

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

#include "espalier/search/kbest_trees.h"
#include "espalier/tree/dependency_tree.h"

namespace espalier {

/// `Scores` is a GraphScores whose arcs are scored; `matrix` has every arc with its best label. Both must stay.
template <class Scores>
class LabelledTrees {
 public:
  LabelledTrees(const Scores& scores, const ArcMatrix& matrix) : scores_(scores), trees_(matrix) { next_tree(); }

  /// False if there are no more.
  bool next(DependencyTree& tree, double& score) {
    if (queue_.empty()) return false;
    const Variant top = queue_.top();
    queue_.pop();
    score = top.score;
    const Relabelled& base = seen_[top.tree];
    for (int m = 1; m <= scores_.arcs().words(); ++m) set(tree, base, m, 0);
    for (const int place : top.changed) set(tree, base, base.losses[place].second, 1);
    const int after = top.changed.empty() ? 0 : top.changed.back() + 1;
    if (after < static_cast<int>(base.losses.size())) {
      Variant more = top;
      more.changed.push_back(after);
      more.score -= base.losses[after].first;
      queue_.push(more);
      if (!top.changed.empty()) {
        Variant other = top;
        other.score += base.losses[after - 1].first - base.losses[after].first;
        other.changed.back() = after;
        queue_.push(other);
      }
    }
    if (top.changed.empty()) next_tree();
    return true;
  }

 private:
  struct Variant {
    double score;
    size_t tree;
    std::vector<int> changed;  // places in the tree's order of words, ascending
    bool operator<(const Variant& other) const { return score < other.score; }
  };
  struct Relabelled {
    SpanningTreeEnumerator::Tree tree;
    std::vector<std::pair<double, int>> losses;  // of the second label, by word; ascending
  };

  void set(DependencyTree& tree, const Relabelled& base, int m, int rank) const {
    tree.head[m] = base.tree.heads[m];
    tree.label[m] = scores_.label(scores_.arcs().find(base.tree.heads[m], m), rank);
  }
  void next_tree() {
    Relabelled next;
    if (!trees_.next(next.tree)) return;
    for (int m = 1; m <= scores_.arcs().words(); ++m)
      if (const int a = scores_.arcs().find(next.tree.heads[m], m); scores_.labels(a) > 1)
        next.losses.push_back({scores_.arc(a, 0) - scores_.arc(a, 1), m});
    std::sort(next.losses.begin(), next.losses.end());
    queue_.push({next.tree.score, seen_.size(), {}});
    seen_.push_back(std::move(next));
  }

  const Scores& scores_;
  SpanningTreeEnumerator trees_;
  std::vector<Relabelled> seen_;
  std::priority_queue<Variant> queue_;
};

}  // namespace espalier
