// What a sentence says already and its user wants to keep (tree/constraints.h), as far as a tree can have it. Tested by
// tests/constraints_test.cc.
#pragma once

#include <functional>
#include <string>

#include "espalier/parser/parser.h"
#include "espalier/tree/constraints.h"

namespace espalier {

/// Heads that contradict each other are left out: a comment of the sentence and a note say which and why.
Constraints given_in(Sentence& sentence, Keep keep, const Parser& parser,
                     const std::function<void(const std::string&)>& note = {});

}  // namespace espalier
