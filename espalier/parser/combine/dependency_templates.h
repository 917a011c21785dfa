// The templates of the global features of dependency trees, place by place. Tested by rank_test.cc.
#pragma once

#include "espalier/parser/combine/dependency_features.h"
#include "espalier/parser/combine/feature_key.h"

namespace espalier {

void add_dependency_groups(const RankedWords& words, const RankedTree& tree, FeatureGroups& groups);

}  // namespace espalier
