// Spanning trees in order of score (Camerini, Fratta & Maffioli 1980; Hall 2007). The set of trees is repeatedly split
// into subsets "with these arcs, without those". For each subset one contraction pass finds the arc whose removal
// lowers the score of its best tree least. Trees come one at a time, so that a caller may ask for more later.
// Tested by kbest_trees_test.cc against enumeration, and the one-pass step against its definition.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "espalier/search/chu_liu_edmonds.h"
#include "espalier/space/arc_matrix.h"

namespace espalier {

class SpanningTreeEnumerator {
 public:
  struct Tree {
    double score;
    std::vector<int> heads;  ///< heads[0] is unused
  };

  /// With `single_root` only trees with one root word are enumerated. Arcs with kNoArc never occur.
  explicit SpanningTreeEnumerator(const ArcMatrix& scores, bool single_root = true);

  /// The next best tree; false if there are no more. Scores never increase; no tree comes twice.
  bool next(Tree& tree);

  struct Removal {
    double loss;  ///< of score; infinite if no arc can be removed
    int modifier;
  };
  /// The arc of the tree whose removal costs least, by one contraction pass. `forced[m]` marks words whose arc must
  /// stay; arcs that must not occur are missing from `allowed`.
  Removal cheapest_removal(const ArcMatrix& allowed, const std::vector<int>& heads,
                           const std::vector<char>& forced) const;

 private:
  /// A subset of the trees: those that keep the arcs marked in `forced` (taken from `heads`) and avoid `banned`.
  struct Subset {
    std::vector<int> heads;  // its best tree
    std::vector<char> forced;
    std::vector<std::pair<int, int>> banned;
    double score;
  };
  struct Entry {
    double key;  // the score of the second-best tree of the subset
    long order;
    int modifier;  // the second-best tree lacks the arc into this word
    std::shared_ptr<const Subset> subset;
    bool operator<(const Entry& other) const { return key != other.key ? key < other.key : order > other.order; }
  };
  void push(std::shared_ptr<const Subset> subset);
  void restrict(const Subset& subset, ArcMatrix& allowed) const;

  ArcMatrix scores_;
  double root_penalty_ = 0;
  bool single_root_;
  bool started_ = false;
  long pushed_ = 0;
  ChuLiuEdmonds solver_;
  ArcMatrix allowed_;
  std::priority_queue<Entry> queue_;
};

}  // namespace espalier
