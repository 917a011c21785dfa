// Phrase-structure trees with at most two children per node, and back (Zhang & Clark 2009, §2.1). A constituent X of
// more than two children is built around its head child, first towards the left, then towards the right; a node with
// some of X's children is a *part* of X (X* in the paper). A chain of unary nodes is one node whose label joins theirs,
// "S VP", so that a tree over n words has n - 1 binary nodes and at most 2n - 1 unary ones. Linear time. Tested by
// binarise_test.cc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/constituent_tree.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

struct BinaryTree {
  enum Kind : uint8_t { kWord, kUnary, kHeadLeft, kHeadRight };
  struct Node {
    Kind kind = kWord;
    bool part = false;          ///< only binary nodes: more children of this constituent follow
    int word = 0;               ///< kWord only: 1..n
    int label = -1;             ///< other nodes; kUnary may have a chain
    int left = -1, right = -1;  ///< kUnary: `left` alone
    friend bool operator==(const Node&, const Node&) = default;
  };
  /// Children before parents, left before right: the order in which a shift-reduce parser makes them. The root is last.
  std::vector<Node> nodes;
  size_t words() const { return static_cast<size_t>(std::ranges::count(nodes, kWord, &Node::kind)); }
  friend bool operator==(const BinaryTree&, const BinaryTree&) = default;
};

/// The label at the upper end of a chain.
std::string_view top_of_chain(std::string_view chain);

/// `head_child(node)` is the index of a node's head among its children. The root, TOP, is left out if it has one child.
/// Labels and chains are added to `labels`; words have no label.
BinaryTree binarised(const ConstituentTree& tree, const std::function<int(int)>& head_child, Vocabulary& labels);

/// The same constituents with the same heads over the words in the opposite order; its own inverse.
BinaryTree mirrored(const BinaryTree& tree);

/// The inverse of `binarised`. The root is labelled TOP, leaves have no tags, and nodes TOP elsewhere are left out.
ConstituentTree unbinarised(const BinaryTree& tree, const std::vector<std::string>& labels);

}  // namespace espalier
