#include "espalier/parser/combine/constituent_features.h"

#include <algorithm>
#include <limits>

#include "espalier/base/hash.h"
#include "espalier/parser/combine/constituent_templates.h"
#include "espalier/parser/combine/feature_key.h"

namespace espalier {

void ConstituentFeatures::link(const ConstituentTree& tree) {
  const size_t count = tree.nodes.size();
  tree_.nodes.resize(count);
  for (size_t i = 0; i < count; ++i) tree_.nodes[i].parent = -1;
  for (size_t i = 0; i < count; ++i)
    for (const int child : tree.nodes[i].children) tree_.nodes[child].parent = static_cast<int>(i);
  for (size_t i = count; i-- > 0;) {  // children first
    const auto& from = tree.nodes[i];
    auto& node = tree_.nodes[i];
    node.label = hash_string(from.label);
    node.children = from.children;
    node.shape = node.label;
    node.begin = from.is_leaf() && from.word > 0 ? from.word : std::numeric_limits<int>::max();
    node.end = from.is_leaf() && from.word > 0 ? from.word + 1 : 0;
    node.head_child = from.is_leaf() ? -1 : rules_.head(tree, from);
    node.head = from.is_leaf() ? from.word : 0;
    for (const int child : node.children) {
      const auto& below = tree_.nodes[child];
      node.begin = std::min(node.begin, below.begin);
      node.end = std::max(node.end, below.end);
      node.shape = extended(node.shape, below.shape);
    }
    if (node.head_child >= 0) node.head = tree_.nodes[node.children[node.head_child]].head;
  }
}

void ConstituentFeatures::add(const Analysis& analysis, FeatureGroups& groups) {
  link(analysis.constituents);
  add_constituent_groups(atoms_, tree_, groups);
  groups.end_tree();
}

}  // namespace espalier
