// The features for lemmas of words that are not in the dictionary: affixes, tags, shape, and capitals of the
// neighbours. Tested by learn/tag/lemmatizer_trainer_test.cc.
#pragma once

#include <cstdint>
#include <string_view>

#include "espalier/tree/sentence.h"

namespace espalier {

constexpr int kMostLemmaKeys = 64;

/// Hashes of a word's tags: UPOS; XPOS; UPOS with FEATS.
struct TagHashes {
  uint64_t upos, xpos, morph;
  explicit TagHashes(const Token& token);
};

/// Writes the keys of word i (1..n), whose form in lower case is `lower`, and returns their number.
int lemma_keys(const Sentence& sentence, int i, std::string_view lower, const TagHashes& tags, uint64_t* keys);

}  // namespace espalier
