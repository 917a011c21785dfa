// Several models as one, for annotating: each parses with its own tags, and the tree with most votes wins
// (parser/combine/committee.h, whose members are parsers without tags). Tokens, tags and lemmas are the first model's.
// Tested by distil_test.cc.
#pragma once

#include <string>
#include <vector>

#include "espalier/app/model.h"

namespace espalier {

/// The models must predict dependencies: else this throws a usage Error with the name of the file. The confidence of an
/// arc (Confidence= in MISC) is the share of the models that have it with its relation, that of a tree (# confidence)
/// the mean of its arcs.
Model panel_of(const std::vector<std::string>& model_files);

}  // namespace espalier
