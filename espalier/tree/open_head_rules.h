// Head rules for trees whose labels and tags are not known beforehand: they are compiled anew when there are more.
// Tested by head_dependencies_test.cc and parser/combine/rank_test.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "espalier/tree/constituent_tree.h"
#include "espalier/tree/head_rules.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

/// Heads by rules, over labels and tags that need not be known beforehand.
class OpenHeadRules {
 public:
  explicit OpenHeadRules(std::string name) : name_(std::move(name)) {}
  /// Index of the head child.
  int head(const ConstituentTree& tree, const ConstituentTree::Node& node);

 private:
  int symbol(const ConstituentTree::Node& node);

  std::string name_, text_;
  Vocabulary parents_, symbols_;  // a tag is "/NN", a label " NP"
  std::optional<HeadRules> rules_;
  std::vector<int> children_;
};

}  // namespace espalier
