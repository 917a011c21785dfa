// Dependencies of a phrase-structure tree: each phrase's head, found by head rules, governs the heads of the other
// children (Magerman 1995; Collins 1999). So a treebank of brackets trains dependency parsers, too. Tested by
// head_dependencies_test.cc.
#pragma once

#include "espalier/tree/open_head_rules.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// Writes the heads and relations of all words of the sentence's tree, which has them all. A relation is the function
/// tag of the largest phrase that the word is the head of ("SBJ"), or else its label or tag.
void add_dependencies(Sentence& sentence, OpenHeadRules& rules);

}  // namespace espalier
