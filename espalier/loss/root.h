// Root loss (Hall et al. 2011): 0 if the words attached to the root are exactly the annotated one, else 1. It needs no
// more of the gold tree than that one word. Not a sum over arcs. Tested by loss/loss_test.cc.
#pragma once

#include "espalier/tree/dependency_tree.h"

namespace espalier {

inline double root_loss(const DependencyTree& tree, int gold_root) {
  for (int i = 1; i <= tree.size(); ++i)
    if ((tree.head[static_cast<size_t>(i)] == 0) != (i == gold_root)) return 1;
  return 0;
}

}  // namespace espalier
