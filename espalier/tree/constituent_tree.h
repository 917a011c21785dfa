// A phrase-structure tree over the words of a sentence. Tested by format/treebank/ptb_test.cc.
#pragma once

#include <string>
#include <vector>

namespace espalier {

/// Nodes in one array, node 0 the root, parents before their children. A leaf is a word under its part-of-speech tag (a
/// preterminal), or a trace: an element of the annotation that no word stands for (label "-NONE-" in Penn treebanks).
struct ConstituentTree {
  struct Node {
    std::string label;          ///< as in the file, function tags included ("NP-SBJ"); may be empty at the top
    std::vector<int> children;  ///< node numbers, left to right; empty for a leaf
    int word = 0;               ///< for a word's leaf: its number, 1..n; else 0
    std::string trace = {};     ///< for a trace: its text ("*T*-1"); else empty

    bool is_leaf() const { return children.empty(); }
    bool is_trace() const { return children.empty() && word == 0; }
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::vector<Node> nodes;

  bool empty() const { return nodes.empty(); }
  void clear() { nodes.clear(); }
  friend bool operator==(const ConstituentTree&, const ConstituentTree&) = default;
};

}  // namespace espalier
