// Coarse-to-fine search: prunes Eisner's hypergraph by first-order scores. An arc, a complete item or a join of two
// items is pruned if no tree that contains it is within `gap` of the best tree. This is Eisner's algorithm, inside and
// outside, over the arcs of an ArcSet. The outside pass skips what is pruned already, so it costs a fraction of
// search/max_marginals.h, which computes all marginals. Tested by coarse_chart_test.cc against enumeration of all
// trees.
#pragma once

#include <vector>

#include "espalier/space/arc_matrix.h"
#include "espalier/space/arc_set.h"

namespace espalier {

class CoarseChart {
 public:
  /// `scores` has a score for every arc of `arcs`, which must allow a projective tree, and with `single_root` one in
  /// which one word hangs on the root.
  void fill(const ArcSet& arcs, const ArcMatrix& scores, float gap, bool single_root = true);

  // True if the part is not pruned. Items as in eisner.h: i < j, `side` as seen from the head.
  bool keeps_arc(int head, int modifier) const {
    const bool right = head < modifier;
    return keeps_link(right ? head : modifier, right ? modifier : head, right ? kRightSide : kLeftSide);
  }
  bool keeps_link(int i, int j, Side side) const { return above_link(i, j, side) + link(i, j, side) >= least_; }
  bool keeps_complete(int i, int j, Side side) const {
    return above_complete(i, j, side) + (side == kRightSide ? right_[at(i, j)] : left_[at(i, j)]) >= least_;
  }
  /// The link between i and j that joins the complete items of i and j which meet between k and k + 1.
  bool keeps_join(int i, int k, int j, Side side) const {
    return above_link(i, j, side) + score(i, j, side) + right_[at(i, k)] + left_by_end_[at(j, k + 1)] >= least_;
  }
  /// The complete item that joins the link between its head and m with m's outer complete item.
  bool keeps_completion(int i, int m, int j, Side side) const {
    const float parts =
        side == kRightSide ? link(i, m, side) + right_by_end_[at(j, m)] : link(m, j, side) + left_[at(i, m)];
    return above_complete(i, j, side) + parts >= least_;
  }

 private:
  size_t at(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(stride_) + static_cast<size_t>(column);
  }
  float score(int i, int j, Side side) const { return side == kRightSide ? (*scores_)(i, j) : (*scores_)(j, i); }
  float link(int i, int j, Side side) const { return links_[side == kRightSide ? at(i, j) : at(j, i)]; }
  float above_link(int i, int j, Side side) const { return above_links_[side == kRightSide ? at(i, j) : at(j, i)]; }
  float above_complete(int i, int j, Side side) const {
    return side == kRightSide ? above_right_[at(i, j)] : above_left_by_end_[at(j, i)];
  }
  void fill_inside(const ArcSet& arcs);
  void fill_outside(const ArcSet& arcs);
  void send_completion_down(const ArcSet& arcs, int i, int j, Side side);

  const ArcMatrix* scores_ = nullptr;
  int words_ = 0, stride_ = 0;
  bool single_root_ = true;
  float best_ = kNoArc, least_ = kNoArc;
  // Inside, as in eisner.h: complete items by either end; links, which include their arc, by (head, modifier).
  std::vector<float> right_, right_by_end_, left_, left_by_end_, links_;
  // Outside: the best score of what completes an item to a tree.
  std::vector<float> above_right_, above_left_by_end_, above_links_;
};

}  // namespace espalier
