#include "espalier/weights/boosted_trees.h"

#include <algorithm>
#include <map>

namespace espalier {
namespace {

/// Calls use(leaf, literals on the way to it) for every leaf with a non-zero value.
template <class Use>
void for_each_leaf(const DecisionTree& tree, const Use& use) {
  struct Step {
    int at;
    size_t depth;
    int literal;
  };
  std::vector<int> path;
  std::vector<Step> open{{tree.nodes.empty() ? ~0 : 0, 0, -1}};
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    path.resize(step.depth ? step.depth - 1 : 0);
    if (step.literal >= 0) path.push_back(step.literal);
    if (step.at < 0) {
      if (tree.leaves[~step.at] != 0) use(~step.at, path);
      continue;
    }
    const auto& node = tree.nodes[step.at];
    open.push_back({node.no, step.depth + 1, node.atom * 2});
    open.push_back({node.yes, step.depth + 1, node.atom * 2 + 1});
  }
}

}  // namespace

std::vector<Conjunction> BoostedTrees::conjunctions(float lambda) const {
  std::map<std::pair<int, std::vector<int>>, float> sums;
  for (const DecisionTree& tree : trees) {
    if (tree.lambda < lambda) continue;
    for_each_leaf(tree, [&](int leaf, std::vector<int> literals) {
      std::ranges::sort(literals);
      sums[{tree.label, std::move(literals)}] += tree.leaves[leaf] * scale;
    });
  }
  std::vector<Conjunction> all;
  for (auto& [key, weight] : sums) {
    if (weight != 0) all.push_back({key.first, weight, key.second});
  }
  return all;
}

}  // namespace espalier
