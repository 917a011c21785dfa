// Finds the leaf of every example in a tree that was grown on a sample. Only open leaves matter, so the tree is first
// compressed: a run of nodes that all drop what has their atom becomes one node "has any of these", one bit of a row's
// mask. A list of five hundred negated atoms is then one test. Time per example: the some twenty words of its mask.
// Tested by tests/classify_test.cc against walking the tree over the rows' atoms.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/learn/classify/boost/examples.h"
#include "espalier/learn/classify/boost/tree_builder.h"
#include "espalier/parser/classify/atom_masks.h"

namespace espalier {

/// The tree, its nodes as bits. Atoms are those of the atom space.
class CompressedTree {
 public:
  explicit CompressedTree(const GrownTree& tree);

  int bits() const { return next_bit_; }
  const std::vector<AtomBits::Bit>& atom_bits() const { return bits_; }
  static constexpr int kClosed = -1;
  /// The open leaf of a row with this mask, or kClosed.
  int leaf(const uint64_t* mask) const {
    int at = root_;
    while (at >= 0) {
      const Node& node = nodes_[at];
      at = mask[node.bit / 64] >> (node.bit % 64) & 1 ? node.yes : node.no;
    }
    return -2 - at;
  }
  /// Whether no row whose mask contains these bits is in an open leaf.
  bool closes(const uint64_t* part) const {
    int at = root_;
    while (at >= 0) {
      const Node& node = nodes_[at];
      if (!(part[node.bit / 64] >> (node.bit % 64) & 1)) return false;
      at = node.yes;
    }
    return at == kClosed;
  }

 private:
  struct Node {
    int bit, yes, no;  // a child < 0: -1 closed, -2 - leaf otherwise
  };
  int compress(const GrownTree& tree, int at);

  std::vector<char> alive_;  // whether an open leaf is below a node of the tree
  std::vector<Node> nodes_;
  std::vector<AtomBits::Bit> bits_;
  int root_ = -1, next_bit_ = 0;
};

/// Calls found(span, leaf) for every span whose row, with the head that `heads` gives it, ends in an open leaf.
template <int kWords, class Found>
void percolate(const BoostExamples& examples, const std::vector<uint8_t>& heads, const CompressedTree& tree,
               const AtomBits& bits, const Found& found) {
  RowMasks<kWords> masks(bits);
  for (const auto& sentence : examples.sentences) {
    masks.start_sentence(sentence.words);
    for (uint32_t s = sentence.begin; s < sentence.end; ++s) {
      const auto& state = examples.states[s];
      const RowView view = examples.view(sentence, state);
      masks.start_state(view);
      if (tree.closes(masks.state())) continue;
      for (uint32_t span = state.begin; span < state.end; ++span) {
        if (heads[span] == 0xff) continue;  // no candidate of this label
        if (tree.closes(masks.start_edges(examples.spans[span].items()))) continue;
        if (tree.closes(masks.finish_span())) continue;
        const int leaf = tree.leaf(masks.row(examples.spans[span].first + heads[span]));
        if (leaf != CompressedTree::kClosed) found(span, leaf);
      }
    }
  }
}

}  // namespace espalier
