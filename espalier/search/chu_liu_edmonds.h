// The best spanning tree of an arc matrix, projective or not (Chu & Liu 1965, Edmonds 1967), dense and in O(n^2): a
// path of best incoming arcs grows until it reaches a finished node; a cycle on it is contracted into a supernode
// (Tarjan 1977). Tested by kbest_trees_test.cc against enumeration.
#pragma once

#include <span>
#include <vector>

#include "espalier/space/arc_matrix.h"

namespace espalier {

class ChuLiuEdmonds {
 public:
  /// Writes the heads (heads[0] is unused) and returns the tree's score; kNoArc if there is no spanning tree.
  /// With `single_root` exactly one word has the head 0. Ties go to the smaller head.
  /// A root can be forced by setting scores(0, m) = kNoArc for all other words.
  double solve(const ArcMatrix& scores, std::span<int> heads, bool single_root = true);

 private:
  struct Arc {
    double score;
    int head, modifier;  // the original endpoints
  };
  bool contract_and_expand(const ArcMatrix& scores, double root_penalty, std::span<int> heads);

  size_t stride_ = 0;
  std::vector<Arc> in_;       // in_[v * stride_ + u]: the best arc from slot u into slot v
  std::vector<Arc> best_;     // by node: the arc chosen to enter it
  std::vector<int> parent_;   // by node: the supernode it was contracted into, or -1
  std::vector<int> node_of_;  // by slot: the node that lives there, or -1
  std::vector<int> place_;    // by slot: position on the path, or -1 not seen, -2 done
  std::vector<int> path_;     // slots
};

}  // namespace espalier
