// Simplifies treebank trees for constituent parsers, and restores them (Turian 2007, Listing 6.1): function tags and
// traces are cut, PRT becomes ADVP, quotation marks and punctuation at the sentence's edges are left out, other
// punctuation is raised until no constituent begins or ends with it, and X -> X becomes one X. `restored` puts every
// word back into place, so that the output covers the whole sentence. Linear time.
// Tested by constituent_preprocess_test.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// The root of every simplified tree, above the one constituent that spans the sentence.
inline constexpr std::string_view kTopLabel = "TOP";

/// "NP-SBJ=2" -> "NP"; a label that begins with a hyphen (-LRB-) stays.
std::string_view plain_label(std::string_view label);
/// The tag that constituent parsers read: XPOS, or else UPOS, without function tags ("Nad-Head" -> "Nad").
std::string_view parser_tag(const Token& token);
/// A tag's beginning: the letters before a punctuation character, or else two characters ("VC31" -> "VC"). In most
/// tagsets that is a coarse class.
std::string_view coarse_tag(std::string_view tag);

/// Numbers of the words that are parsed, in order; empty if there are only punctuation marks.
std::vector<int> words_to_parse(const Sentence& sentence);

/// The simplified tree over `words`, its leaves numbered 1..words.size(). Tags are those of the sentence's tokens.
ConstituentTree simplified(const Sentence& sentence, const std::vector<int>& words);

/// The inverse at parsing time: a tree over `words` becomes one over the whole sentence, its root labelled `root`.
ConstituentTree restored(const ConstituentTree& tree, const Sentence& sentence, const std::vector<int>& words,
                         const std::string& root);

}  // namespace espalier
