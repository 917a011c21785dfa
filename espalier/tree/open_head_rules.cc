#include "espalier/tree/open_head_rules.h"

namespace espalier {

int OpenHeadRules::symbol(const ConstituentTree::Node& node) {
  return symbols_.add((node.is_leaf() ? "/" : " ") + node.label);
}

int OpenHeadRules::head(const ConstituentTree& tree, const ConstituentTree::Node& node) {
  const int known_parents = parents_.size(), known_symbols = symbols_.size();
  const int parent = parents_.add(node.label);
  children_.clear();
  for (const int child : node.children) children_.push_back(symbol(tree.nodes[child]));
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

}  // namespace espalier
