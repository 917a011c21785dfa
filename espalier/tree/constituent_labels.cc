#include "espalier/tree/constituent_labels.h"

#include <algorithm>
#include <functional>
#include <map>

#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

void copy_known(const ConstituentTree& from, int at, const Vocabulary& labels, int parent, ConstituentTree& to) {
  const auto& node = from.nodes[at];
  int here = parent;
  if (node.is_leaf() || labels.find(node.label) >= 0) {
    here = static_cast<int>(to.nodes.size());
    to.nodes.push_back(node);
    to.nodes.back().children.clear();
    if (parent >= 0) to.nodes[parent].children.push_back(here);
  }
  for (const int child : node.children) copy_known(from, child, labels, here, to);
}

}  // namespace

Vocabulary frequent_labels(std::span<const ConstituentTree> trees, long min_count) {
  std::map<std::string, long> counts;
  for (const ConstituentTree& tree : trees) {
    for (const auto& node : tree.nodes) {
      if (!node.is_leaf()) ++counts[node.label];
    }
  }
  std::vector<std::pair<std::string, long>> order(counts.begin(), counts.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& entry) { return entry.second; });
  Vocabulary labels;
  labels.add(kTopLabel);
  for (const auto& [label, count] : order) {
    if (count >= min_count) labels.add(label);
  }
  return labels;
}

ConstituentTree with_known_labels(const ConstituentTree& tree, const Vocabulary& labels) {
  ConstituentTree known;
  if (!tree.empty()) copy_known(tree, 0, labels, -1, known);
  return known;
}

}  // namespace espalier
