// The phrases of a constituent tree as labelled spans of words. Tested by phrases_test.cc.
#pragma once

#include <string_view>
#include <vector>

#include "espalier/tree/constituent_tree.h"

namespace espalier {

/// An inner node over the words first..last, counted from 1.
struct Phrase {
  int node, first, last;
  std::string_view label;  ///< of the tree's node, which must stay
};

/// All of them that have words, parents before their children. The words of a node's children must be in order.
std::vector<Phrase> phrases_of(const ConstituentTree& tree);

}  // namespace espalier
