// What a format has no room for, so that a user can be told what is lost when a treebank is written in it. Drawings are
// for people and lose nothing here. Tested by dropped_test.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// Names of what the sentence has and the format does not write ("heads", "comments", ...); a format that is not known
/// here drops nothing. Comments that say only what the words say (text, newpar, newdoc) do not count.
std::vector<std::string> dropped_by(std::string_view format, const Sentence& sentence);

}  // namespace espalier
