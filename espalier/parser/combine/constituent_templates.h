// The templates of the global features of phrase-structure trees, node by node. Tested by rank_test.cc.
#pragma once

#include "espalier/parser/combine/constituent_features.h"

namespace espalier {

void add_constituent_groups(const SentenceAtoms& atoms, const RankedBrackets& tree, FeatureGroups& groups);

}  // namespace espalier
