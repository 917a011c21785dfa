// Max-marginals of arcs under a first-order projective model: mm(h, m) = the score of the best single-rooted tree that
// contains h -> m. Inside scores by Eisner's algorithm, outside scores by its recursions reversed; O(n^3).
// Also, for learning to filter (Rush & Petrov 2012), how often each arc occurs in those n^2 best trees.
// Tested by eisner_test.cc against enumeration.
#pragma once

#include <vector>

#include "espalier/search/eisner.h"
#include "espalier/space/arc_matrix.h"

namespace espalier {

class MaxMarginals {
 public:
  /// Fills `marginals` (kNoArc for arcs in no tree) and returns the best tree's score.
  float compute(const ArcMatrix& scores, ArcMatrix& marginals);
  /// For each arc that some tree contains, takes the best tree that contains it: counts(h, m) of these have arc h -> m.
  /// Call after `compute`. Returns the number of those trees.
  int count_arcs(ArcMatrix& counts);

  const EisnerChart& inside() const { return chart_; }

 private:
  enum Kind { kRight, kLeft, kLinkRight, kLinkLeft, kKinds };
  struct Outside {
    float score = kNoArc;
    Kind parent = kKinds;   // the item of which this one is part in the best tree; kKinds = the root arc
    int i = 0, j = 0;       // that item's span
    Kind sibling = kKinds;  // the item beside it, if any
    int sibling_i = 0, sibling_j = 0;
  };
  Outside& out(Kind kind, int i, int j) {
    return outside_[(static_cast<size_t>(kind) * stride_ + static_cast<size_t>(i)) * stride_ + static_cast<size_t>(j)];
  }
  float inside(Kind kind, int i, int j) const;
  void raise(Kind kind, int i, int j, float score, const Outside& from);
  void send_down(Kind kind, int i, int j, double units);
  void best_join(int i, int j, int& split) const;

  const ArcMatrix* scores_ = nullptr;
  EisnerChart chart_;
  size_t stride_ = 0;
  int words_ = 0;
  std::vector<Outside> outside_;
  std::vector<double> outside_units_, inside_units_, root_units_;
};

}  // namespace espalier
