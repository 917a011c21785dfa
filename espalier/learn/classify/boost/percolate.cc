#include "espalier/learn/classify/boost/percolate.h"

namespace espalier {

CompressedTree::CompressedTree(const GrownTree& tree) : alive_(tree.nodes.size(), 0) {
  const auto alive = [&](int child) { return child >= 0 ? alive_[child] != 0 : tree.leaves[~child].open; };
  for (size_t at = tree.nodes.size(); at-- > 0;) alive_[at] = alive(tree.nodes[at].yes) || alive(tree.nodes[at].no);
  root_ = compress(tree, tree.nodes.empty() ? ~0 : 0);
}

int CompressedTree::compress(const GrownTree& tree, int at) {
  const auto closed = [&](int child) { return child >= 0 ? alive_[child] == 0 : !tree.leaves[~child].open; };
  if (closed(at)) return kClosed;
  if (at < 0) return -2 - ~at;
  const int made = static_cast<int>(nodes_.size()), bit = next_bit_++;
  nodes_.push_back({bit, kClosed, kClosed});
  bool drops = false;
  while (at >= 0 && closed(tree.nodes[at].yes)) {
    bits_.push_back({tree.nodes[at].atom, bit});
    at = tree.nodes[at].no;
    drops = true;
  }
  if (drops) {
    const int rest = compress(tree, at);
    nodes_[made].no = rest;
    return made;
  }
  const auto& node = tree.nodes[at];
  bits_.push_back({node.atom, bit});
  const int yes = compress(tree, node.yes), no = compress(tree, node.no);
  nodes_[made].yes = yes;
  nodes_[made].no = no;
  return made;
}

}  // namespace espalier
