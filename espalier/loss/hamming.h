// Hamming loss: wrong arcs, one by one. With `labelled` an arc is wrong too if only its label is.
// Like every loss of this folder it is a sum over arcs, so it can be asked arc by arc while a tree is being built, or
// of a whole tree by total_loss (loss/common.h). Tested by loss/loss_test.cc.
#pragma once

#include "espalier/tree/dependency_tree.h"

namespace espalier {

struct Hamming {
  bool labelled = true;

  double operator()(int dependent, int head, int label, const DependencyTree& gold) const {
    const auto i = static_cast<size_t>(dependent);
    return gold.head[i] != head || (labelled && gold.label[i] != label);
  }
};

}  // namespace espalier
