// Trees of a little language that can be learned without error, for tests that train.
#pragma once

#include <string>
#include <vector>

#include "espalier/base/rng.h"
#include "tests/test_trees.h"

namespace espalier {

/// "(ROOT (S (NP the old dog) (VP sees (NP a cat) (PP in (NP the house))) .))", with tags.
inline std::vector<Sentence> toy_constituents(int sentences, uint64_t seed) {
  static const char* const nouns[] = {"dog", "cat", "house", "tree", "boy"};
  Rng rng(seed, "toy");
  const auto noun_phrase = [&] {
    std::string text = "(NP";
    if (rng.below(2)) text += " (DT the)";
    for (size_t k = rng.below(3); k > 0; --k) text += " (JJ old)";
    return text + " (NN " + nouns[rng.below(5)] + "))";
  };
  std::vector<Sentence> treebank;
  for (int s = 0; s < sentences; ++s) {
    std::string text = "(ROOT (S " + noun_phrase() + " (VP (VBZ sees) " + noun_phrase();
    if (rng.below(2)) text += " (PP (IN in) " + noun_phrase() + ")";
    if (rng.below(4) == 0) text += " (S (VP (TO to) (VP (VB sleep))))";
    treebank.push_back(testing::constituents(text + ") (. .)))"));
  }
  return treebank;
}

}  // namespace espalier
