// Coarse-to-fine search: which arcs and items of Eisner's hypergraph are worth a closer look, by the scores of arcs
// alone. Whatever has no tree within `gap` of the best one is left out: an arc, a complete item, a way of joining two
// items. Eisner's algorithm over the arcs of an ArcSet only, inside and outside, where the outside pass never enters
// what is left out already; so it costs a fraction of search/max_marginals.h, which knows all marginals. Tested by
// coarse_chart_test.cc against enumeration of all trees.
#pragma once

#include <vector>

#include "espalier/space/arc_matrix.h"
#include "espalier/space/arc_set.h"

namespace espalier {

class CoarseChart {
 public:
  /// `scores` has one for every arc of `arcs`. There must be a projective single-rooted tree.
  void fill(const ArcSet& arcs, const ArcMatrix& scores, float gap);

  // Each of these is true if a tree of it is good enough. Items as in eisner.h: i < j, `side` as seen from the head.
  bool keeps_arc(int head, int modifier) const {
    const bool right = head < modifier;
    return keeps_link(right ? head : modifier, right ? modifier : head, right ? kRightSide : kLeftSide);
  }
  bool keeps_link(int i, int j, Side side) const { return above_link(i, j, side) + link(i, j, side) >= least_; }
  bool keeps_complete(int i, int j, Side side) const {
    return above_complete(i, j, side) + (side == kRightSide ? right_[at(i, j)] : left_[at(i, j)]) >= least_;
  }
  /// The link of i and j made of what i and j, on the sides that face each other, have up to k and from k + 1.
  bool keeps_join(int i, int k, int j, Side side) const {
    return above_link(i, j, side) + score(i, j, side) + right_[at(i, k)] + left_by_end_[at(j, k + 1)] >= least_;
  }
  /// The complete item made of the link between its head and m and of m's outer side.
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
  float best_ = kNoArc, least_ = kNoArc;
  // Inside, as in eisner.h: complete items by either end; links, which include their arc, by (head, modifier).
  std::vector<float> right_, right_by_end_, left_, left_by_end_, links_;
  // Outside: the best that can be added to an item to make a tree.
  std::vector<float> above_right_, above_left_by_end_, above_links_;
};

}  // namespace espalier
