// The gold tree in the form that oracles need. It may be partial: heads are -1 where they are not known.
#pragma once

#include <vector>

#include "espalier/tree/dependency_tree.h"

namespace espalier {

struct Gold {
  std::vector<int> head, label;              // of word 1..n; entry 0 unused
  std::vector<int> left_count, right_count;  // gold dependents on either side, of 0..n
  std::vector<int> order;                    // rank in the tree's in-order walk: where SWAP wants the word
  std::vector<int> component;                // root of the maximal projective component, for the lazy SWAP oracle
  std::vector<int> worth;                    // the cost of losing the arc into a word; 1 unless set

  explicit Gold(const DependencyTree& tree);

  int size() const { return static_cast<int>(head.size()) - 1; }
  /// Number of gold dependents of `word` at or after position `from`.
  int dependents_from(int word, int from) const;
  /// The worth of their arcs.
  int worth_from(int word, int from) const;

 private:
  std::vector<std::vector<int>> dependents_;
};

}  // namespace espalier
