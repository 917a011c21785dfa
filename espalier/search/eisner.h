// Eisner's algorithm (1996): the best projective tree under first-order scores, exactly. O(n^3) time with unit-stride
// inner loops, O(n^2) memory; no back-pointers are stored, the splits of the best tree are computed again.
// Tested by eisner_test.cc against enumeration of all projective trees.
#pragma once

#include <span>
#include <vector>

#include "espalier/space/arc_matrix.h"

namespace espalier {

/// The inside scores of Eisner's items, reused from sentence to sentence.
///
/// Complete items: right(i, j) has head i, left(i, j) head j. So do incomplete items (links), which include their arc.
/// Every table is stored by its first index and, where a loop runs over the first, a second time by its last.
class EisnerChart {
 public:
  /// Fills the chart and returns the score of the best tree, kNoArc if there is none. With `single_root` exactly one
  /// word has the head 0. Ties go to the smallest split.
  float fill(const ArcMatrix& scores, bool single_root = true);
  /// The heads of the best tree (heads[0] is unused); only after a `fill` that found a tree.
  void best_heads(std::span<int> heads) const;

  float complete_right(int i, int j) const { return right_[at(i, j)]; }
  float complete_left(int i, int j) const { return left_[at(i, j)]; }
  /// The best pair of complete items that an arc between i and j can join.
  float joined(int i, int j) const { return joined_[at(i, j)]; }
  float incomplete_right(int i, int j) const { return link_right_[at(i, j)]; }
  float incomplete_left(int i, int j) const { return link_left_by_end_[at(j, i)]; }

 private:
  size_t at(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(stride_) + static_cast<size_t>(column);
  }
  void walk_right(int i, int j, std::span<int> heads) const;
  void walk_left(int i, int j, std::span<int> heads) const;
  void walk_joined(int i, int j, std::span<int> heads) const;

  const ArcMatrix* scores_ = nullptr;
  int words_ = 0, stride_ = 0;
  bool single_root_ = true;
  std::vector<float> right_, right_by_end_, left_, left_by_end_, link_right_, link_left_by_end_, joined_;
};

}  // namespace espalier
