// Random phrase-structure trees for tests.
#pragma once

#include <string>

#include "espalier/base/rng.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier::testing {

/// A simplified tree over `words` words: root TOP, leaves without tags, labels A..D, no X above X.
class RandomConstituents {
 public:
  RandomConstituents(int words, Rng& rng) : rng_(rng) {
    tree.nodes.emplace_back();
    tree.nodes[0].label = kTopLabel;
    split(0, 1, words);
  }
  ConstituentTree tree;

 private:
  /// Gives a node children over words first..last.
  void split(int parent, int first, int last) {
    while (first <= last) {
      const int width = 1 + static_cast<int>(rng_.below(static_cast<size_t>(last - first + 1)));
      const bool whole = tree.nodes[static_cast<size_t>(parent)].children.empty() && width == last - first + 1;
      const int node = static_cast<int>(tree.nodes.size());
      tree.nodes.emplace_back();
      tree.nodes[static_cast<size_t>(parent)].children.push_back(node);
      if (width == 1 && rng_.below(3) != 0) {
        tree.nodes[static_cast<size_t>(node)].word = first;
      } else {
        std::string label(1, static_cast<char>('A' + rng_.below(4)));
        if (whole && label == tree.nodes[static_cast<size_t>(parent)].label) label = "E";
        tree.nodes[static_cast<size_t>(node)].label = label;
        split(node, first, first + width - 1);
      }
      first += width;
    }
  }
  Rng& rng_;
};

}  // namespace espalier::testing
