// Global features of phrase-structure trees, after Collins & Koo (2005) and Charniak & Johnson (2005): rules with their
// ancestors and heads, pairs of heads, words and tags at the edges of spans, lengths, ancestors of words, parallel
// conjuncts, the right branch. Tested by rank_test.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/features/word_atoms.h"
#include "espalier/parser/combine/feature_groups.h"
#include "espalier/tree/analysis.h"
#include "espalier/tree/open_head_rules.h"

namespace espalier {

/// A tree in numbers: nodes with spans, heads and ancestors.
struct RankedBrackets {
  struct Node {
    uint64_t label;
    int begin, end;  ///< words begin..end-1, 1-based
    int parent;      ///< -1: none
    int head_child;  ///< index among the children; -1 for a leaf
    int head;        ///< word
    uint64_t shape;  ///< hash of all labels below
    std::vector<int> children;
  };
  std::vector<Node> nodes;  ///< parents before their children

  uint64_t label(int node) const { return node < 0 ? 0 : nodes[node].label; }
  int parent(int node) const { return node < 0 ? -1 : nodes[node].parent; }
};

class ConstituentFeatures {
 public:
  explicit ConstituentFeatures(const std::string& head_rules) : rules_(head_rules) {}
  void begin(const Sentence& sentence, AtomColumns columns) { atoms_.encode(sentence, columns); }
  /// Adds the groups of one tree over the sentence.
  void add(const Analysis& analysis, FeatureGroups& groups);

 private:
  void link(const ConstituentTree& tree);

  OpenHeadRules rules_;
  SentenceAtoms atoms_;
  RankedBrackets tree_;
};

}  // namespace espalier
