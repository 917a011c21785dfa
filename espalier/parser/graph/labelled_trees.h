// Enumerates the labelled spanning trees of a sentence in order of score. The words of a tree are sorted by
// what their second label costs. The successors of a labelling are: its last changed word with the next
// label; the word after it changed as well; and, if the last changed word has its second label, the word
// after it changed instead. So every labelling is reached once, from a better one. Tested by
// labelled_trees_test.cc.
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
  /// Without `relabel` every tree comes once, with its best labels.
  LabelledTrees(const Scores& scores, const ArcMatrix& matrix, bool relabel = true, bool single_root = true)
      : scores_(scores), relabel_(relabel), trees_(matrix, single_root) {
    next_tree();
  }

  /// False if there are no more.
  bool next(DependencyTree& tree, double& score) {
    if (queue_.empty()) return false;
    const Variant top = queue_.top();
    queue_.pop();
    score = top.score;
    const Relabelled& base = seen_[top.tree];
    for (int m = 1; m <= scores_.arcs().words(); ++m) set(tree, base, m, 0);
    for (const auto& [place, rank] : top.changed) set(tree, base, base.words[place], rank);
    const int last = top.changed.empty() ? -1 : top.changed.back().first, after = last + 1;
    const auto push = [&](Variant variant, double loss) {
      variant.score -= loss;
      queue_.push(std::move(variant));
    };
    if (last >= 0) {
      const int rank = top.changed.back().second;
      if (rank + 1 < labels(base, last)) {
        Variant next = top;
        ++next.changed.back().second;
        push(std::move(next), loss(base, last, rank + 1) - loss(base, last, rank));
      }
      if (rank == 1 && after < static_cast<int>(base.words.size())) {
        Variant next = top;
        next.changed.back().first = after;
        push(std::move(next), loss(base, after, 1) - loss(base, last, 1));
      }
    }
    if (after < static_cast<int>(base.words.size())) {
      Variant next = top;
      next.changed.push_back({after, 1});
      push(std::move(next), loss(base, after, 1));
    }
    if (top.changed.empty()) next_tree();
    return true;
  }

 private:
  struct Variant {
    double score;
    size_t tree;
    std::vector<std::pair<int, int>> changed;  // place in the tree's order of words, ascending; rank of its label
    bool operator<(const Variant& other) const { return score < other.score; }
  };
  struct Relabelled {
    SpanningTreeEnumerator::Tree tree;
    std::vector<int> words;  // those with several labels, by the loss of the second
  };

  void set(DependencyTree& tree, const Relabelled& base, int m, int rank) const {
    tree.head[m] = base.tree.heads[m];
    tree.label[m] = scores_.label(scores_.arcs().find(base.tree.heads[m], m), rank);
  }
  int arc(const Relabelled& base, int place) const {
    return scores_.arcs().find(base.tree.heads[base.words[place]], base.words[place]);
  }
  int labels(const Relabelled& base, int place) const { return scores_.labels(arc(base, place)); }
  double loss(const Relabelled& base, int place, int rank) const {
    return scores_.arc(arc(base, place), 0) - scores_.arc(arc(base, place), rank);
  }
  void next_tree() {
    Relabelled next;
    if (!trees_.next(next.tree)) return;
    std::vector<std::pair<double, int>> order;
    for (int m = 1; m <= scores_.arcs().words(); ++m)
      if (const int a = scores_.arcs().find(next.tree.heads[m], m); relabel_ && scores_.labels(a) > 1)
        order.push_back({scores_.arc(a, 0) - scores_.arc(a, 1), m});
    std::sort(order.begin(), order.end());
    for (const auto& [loss, m] : order) next.words.push_back(m);
    queue_.push({next.tree.score, seen_.size(), {}});
    seen_.push_back(std::move(next));
  }

  const Scores& scores_;
  const bool relabel_;
  SpanningTreeEnumerator trees_;
  std::vector<Relabelled> seen_;
  std::priority_queue<Variant> queue_;
};

}  // namespace espalier
