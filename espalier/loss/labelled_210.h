// The loss of learning-to-search parsing (Chang et al. 2015): 2 for a wrong head, 1 for a wrong label on the right
// head; at most 2n. A wrong head costs the same whatever its label. Tested by loss/loss_test.cc.
#pragma once

#include "espalier/tree/dependency_tree.h"

namespace espalier {

struct Labelled210 {
  double operator()(int dependent, int head, int label, const DependencyTree& gold) const {
    const auto i = static_cast<size_t>(dependent);
    return gold.head[i] != head ? 2 : gold.label[i] != label ? 1 : 0;
  }
};

}  // namespace espalier
