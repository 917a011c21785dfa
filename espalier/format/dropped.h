// What a format cannot hold, so that users are warned of losses when a treebank is written in it. Drawings never cause
// a warning. Tested by dropped_test.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// What a format writes of a sentence, beside its words: a set of these.
struct Keeps {
  enum : unsigned {
    kHeads = 1,
    kConstituents = 2,
    kTags = 4,
    kLemmas = 8,
    kExtra = 16,  ///< multiword tokens and empty nodes
    kEnhanced = 32,
    kMisc = 64,
    kComments = 128,
    kNothing = 0,
    kAll = 255,
  };
};
/// Throws a usage Error for an unknown format name.
unsigned kept_by(std::string_view format);

/// Names of what the sentence has and the format does not write ("heads", "comments", ...). The comments text, newpar
/// and newdoc do not count.
std::vector<std::string> dropped_by(std::string_view format, const Sentence& sentence);

}  // namespace espalier
