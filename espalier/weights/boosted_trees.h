// An ensemble of decision trees over binary atoms, one classifier per label (Turian 2007, chapter 4), with its whole
// regularisation path: every tree has the lambda under which it was built, so that a model for any larger lambda is a
// prefix of each label's trees. The fast scorer (kill_matrix.h) is tested against the walk over all trees here.
// Tested by tests/classify_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

struct DecisionTree {
  /// A child >= 0 is a node, a child < 0 the leaf ~child. Without nodes the tree is leaf 0.
  struct Node {
    int32_t atom, yes, no;
  };
  int label = 0;
  float lambda = 0;
  std::vector<Node> nodes;
  std::vector<float> leaves;  ///< summands of the margin; most are 0 under an l1 penalty

  /// The leaf of an example; `has(atom)` tells whether the example has the atom.
  template <class Has>
  int leaf(const Has& has) const {
    int at = nodes.empty() ? ~0 : 0;
    while (at >= 0) {
      const Node& node = nodes[at];
      at = has(node.atom) ? node.yes : node.no;
    }
    return ~at;
  }
};

/// A leaf as a conjunction of tests: literals atom * 2 + (1 if the atom must be present), sorted.
struct Conjunction {
  int label = 0;
  float weight = 0;
  std::vector<int> literals;
};

struct BoostedTrees {
  std::vector<float> intercept;     ///< per label, before the first tree
  std::vector<DecisionTree> trees;  ///< by label; each label's in the order of training
  float scale = 1;                  ///< 1 / number of ensembles whose margins are averaged

  int labels() const { return static_cast<int>(intercept.size()); }

  template <class Has>
  float margin(int label, float lambda, const Has& has) const {
    float sum = 0;
    for (const DecisionTree& tree : trees) {
      if (tree.label == label && tree.lambda >= lambda) sum += tree.leaves[tree.leaf(has)];
    }
    return intercept[label] + sum * scale;
  }

  /// The non-zero leaves of the trees built with at least this lambda, equal ones added up, by label.
  std::vector<Conjunction> conjunctions(float lambda) const;
};

}  // namespace espalier
