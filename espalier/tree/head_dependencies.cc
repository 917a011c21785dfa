#include "espalier/tree/head_dependencies.h"

#include <algorithm>
#include <cctype>

#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

/// "NP-SBJ-1" is a SBJ, "NP-1" an NP.
std::string relation_of(const std::string& label) {
  const std::string_view plain = plain_label(label);
  std::string_view rest = std::string_view(label).substr(plain.size());
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of("-=", 1), rest.size());
    const std::string_view tag = rest.substr(1, end - 1);
    if (!tag.empty() && std::isalpha(static_cast<unsigned char>(tag.front()))) return std::string(tag);
    rest.remove_prefix(end);
  }
  return std::string(plain);
}

}  // namespace

void add_dependencies(Sentence& sentence, OpenHeadRules& rules) {
  const std::vector<ConstituentTree::Node>& nodes = sentence.constituents.nodes;
  ConstituentTree plain;
  for (const auto& node : nodes) plain.nodes.push_back({std::string(plain_label(node.label)), {}, node.word});
  std::vector<int> heads(nodes.size(), 0);  // of each node the word; 0: traces alone
  for (size_t i = nodes.size(); i-- > 0;) {
    auto& node = plain.nodes[i];
    for (const int child : nodes[i].children)
      if (heads[child] > 0) node.children.push_back(child);
    if (nodes[i].is_leaf()) heads[i] = node.word;
    if (node.children.empty()) continue;
    const int head = node.children[rules.head(plain, node)];
    heads[i] = heads[head];
  }
  if (nodes.empty() || heads[0] == 0) return;
  sentence.word(heads[0]).head = 0;
  sentence.word(heads[0]).deprel = "root";
  for (size_t i = 0; i < nodes.size(); ++i)
    for (const int child : plain.nodes[i].children) {
      const int word = heads[child];
      if (word == heads[i]) continue;
      sentence.word(word).head = heads[i];
      sentence.word(word).deprel = relation_of(nodes[child].label);
    }
}

}  // namespace espalier
