#include "espalier/parser/combine/constituent_features.h"

#include <algorithm>
#include <limits>

#include "espalier/base/hash.h"
#include "espalier/parser/combine/constituent_templates.h"
#include "espalier/parser/combine/feature_key.h"

namespace espalier {

int OpenHeadRules::symbol(const ConstituentTree::Node& node) {
  return symbols_.add((node.is_leaf() ? "/" : " ") + node.label);
}

int OpenHeadRules::head(const ConstituentTree& tree, const ConstituentTree::Node& node) {
  const int known_parents = parents_.size(), known_symbols = symbols_.size();
  const int parent = parents_.add(node.label);
  children_.clear();
  for (const int child : node.children) children_.push_back(symbol(tree.nodes[static_cast<size_t>(child)]));
  if (!rules_ || parents_.size() > known_parents || symbols_.size() > known_symbols) {
    if (text_.empty()) text_ = head_rules_text(name_);
    std::vector<std::string> names;
    std::vector<bool> punctuation;
    for (const std::string& text : symbols_.texts()) {
      names.push_back(text.substr(1));
      punctuation.push_back(text[0] == '/' && is_punctuation_tag(names.back()));
    }
    rules_.emplace(text_, name_, parents_.texts(), names, punctuation);
  }
  return rules_->head(parent, children_);
}

void ConstituentFeatures::link(const ConstituentTree& tree) {
  const size_t count = tree.nodes.size();
  tree_.nodes.resize(count);
  for (size_t i = 0; i < count; ++i) tree_.nodes[i].parent = -1;
  for (size_t i = 0; i < count; ++i)
    for (const int child : tree.nodes[i].children) tree_.nodes[static_cast<size_t>(child)].parent = static_cast<int>(i);
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
      const auto& below = tree_.nodes[static_cast<size_t>(child)];
      node.begin = std::min(node.begin, below.begin);
      node.end = std::max(node.end, below.end);
      node.shape = extended(node.shape, below.shape);
    }
    if (node.head_child >= 0)
      node.head = tree_.nodes[static_cast<size_t>(node.children[static_cast<size_t>(node.head_child)])].head;
  }
}

void ConstituentFeatures::add(const Analysis& analysis, FeatureGroups& groups) {
  link(analysis.constituents);
  add_constituent_groups(atoms_, tree_, groups);
  groups.end_tree();
}

}  // namespace espalier
