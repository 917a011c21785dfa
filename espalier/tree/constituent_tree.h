// A phrase-structure tree over the words of a sentence.
#pragma once

#include <string>
#include <vector>

namespace espalier {

/// Nodes in one array, node 0 the root. A leaf is a word under its part-of-speech tag (a preterminal).
struct ConstituentTree {
  struct Node {
    std::string label;          ///< as in the file, function tags included ("NP-SBJ")
    std::vector<int> children;  ///< node numbers, left to right; empty for a leaf
    int word = 0;               ///< for a leaf: the number of its word, 1..n; else 0

    bool is_leaf() const { return children.empty(); }
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::vector<Node> nodes;

  bool empty() const { return nodes.empty(); }
  void clear() { nodes.clear(); }
  friend bool operator==(const ConstituentTree&, const ConstituentTree&) = default;
};

}  // namespace espalier
