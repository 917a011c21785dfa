#include "espalier/tree/strip_annotation.h"

#include <algorithm>
#include <string_view>

#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

/// Cuts a label down to its category and counts what was behind it: "NP-SBJ-1" has a function tag and a coindex.
void cut_label(std::string& label, Stripped& stripped) {
  const size_t category = plain_label(label).size();
  std::string_view rest = std::string_view(label).substr(category);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of("-=", 1), rest.size());
    const std::string_view piece = rest.substr(1, end - 1);
    const bool number = !piece.empty() && std::ranges::all_of(piece, [](char c) { return c >= '0' && c <= '9'; });
    ++(number ? stripped.coindices : stripped.function_tags);
    rest.remove_prefix(end);
  }
  label.resize(category);
}

}  // namespace

Stripped& Stripped::operator+=(const Stripped& other) {
  function_tags += other.function_tags;
  coindices += other.coindices;
  traces += other.traces;
  constituents += other.constituents;
  return *this;
}

Stripped strip_annotation(ConstituentTree& tree) {
  Stripped stripped;
  // Children have higher numbers than their parents, so going backwards all children of a node are done before it.
  std::vector<int> number(tree.nodes.size(), 0);  // of those that stay: 1, counted from 1 below
  for (size_t i = tree.nodes.size(); i-- > 0;) {
    auto& node = tree.nodes[i];
    if (node.is_leaf()) {
      number[i] = node.word > 0;
      stripped.traces += node.word == 0;
      continue;
    }
    cut_label(node.label, stripped);
    std::erase_if(node.children, [&](int child) { return number[child] == 0; });
    number[i] = !node.children.empty();
    stripped.constituents += node.children.empty();
  }
  int kept = 0;
  for (int& n : number) n = n ? ++kept : 0;
  std::vector<ConstituentTree::Node> nodes;
  for (size_t i = 0; i < number.size(); ++i) {
    if (!number[i]) continue;
    for (int& child : tree.nodes[i].children) child = number[child] - 1;
    nodes.push_back(std::move(tree.nodes[i]));
  }
  tree.nodes = std::move(nodes);
  return stripped;
}

}  // namespace espalier
