// What all losses share. A loss over arcs is a callable loss(dependent, head, label, gold) → cost of that arc.
#pragma once

#include "espalier/tree/dependency_tree.h"

namespace espalier {

/// The loss of a whole tree; `tree` and `gold` have the same words.
template <class Loss>
double total_loss(const Loss& loss, const DependencyTree& tree, const DependencyTree& gold) {
  double total = 0;
  for (int i = 1; i <= gold.size(); ++i)
    total += loss(i, tree.head[static_cast<size_t>(i)], tree.label[static_cast<size_t>(i)], gold);
  return total;
}

/// 0 if the trees are equal, else 1.
inline double zero_one_loss(const DependencyTree& tree, const DependencyTree& gold) { return tree == gold ? 0 : 1; }

}  // namespace espalier
