// Which words attachment scores leave out. Gold alone decides, so that tagging errors of the system cannot change which
// words are scored. Tested by eval/attachment_test.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

enum class Punctuation {
  kInclude,  ///< every word is scored (the CoNLL 2017/2018 rule)
  kUpos,     ///< words whose UPOS is PUNCT are left out
  kConllx,   ///< words made only of characters of Unicode category P* (not S*: "$" and "+" are scored)
  kPtb,      ///< words tagged `` '' : , . in the Penn Treebank
  kCtb,      ///< words tagged PU in the Chinese Treebank
  kUd,       ///< words with the relation punct
};

/// include, upos, conllx, ptb, ctb, ud; in the order of the enumeration.
const std::vector<std::string>& punctuation_names();
/// Throws a usage Error for an unknown name.
Punctuation punctuation_named(std::string_view name);

/// True if the gold word `word` counts. Treebank tags are XPOS, or UPOS where there is no XPOS.
bool is_scored(const Token& word, Punctuation convention);

/// "nsubj:pass" → "nsubj"
inline std::string_view universal_label(std::string_view label) { return label.substr(0, label.find(':')); }

}  // namespace espalier
