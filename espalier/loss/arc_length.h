// 1 - ALS, the arc-length score of Hall et al. (2011): the share of gold arc length that was missed. Lengths are
// absolute (signed ones, as printed in the paper, would cancel out); a root arc is as long as its word's number.
// Tested by loss/loss_test.cc.
#pragma once

#include <cstdlib>

#include "espalier/tree/dependency_tree.h"

namespace espalier {

class ArcLength {
 public:
  explicit ArcLength(const DependencyTree& gold, bool labelled = false) : labelled_(labelled) {
    for (int i = 1; i <= gold.size(); ++i) total_ += length(i, gold);
  }

  double operator()(int dependent, int head, int label, const DependencyTree& gold) const {
    const auto i = static_cast<size_t>(dependent);
    const bool wrong = gold.head[i] != head || (labelled_ && gold.label[i] != label);
    return wrong && total_ > 0 ? length(dependent, gold) / total_ : 0;
  }

 private:
  static double length(int i, const DependencyTree& gold) { return std::abs(i - gold.head[static_cast<size_t>(i)]); }

  bool labelled_;
  double total_ = 0;  ///< of the gold tree
};

}  // namespace espalier
