// The labels of a treebank's simplified trees, and the trees without the rare ones. Tested by binarise_test.cc.
#pragma once

#include <span>

#include "espalier/tree/constituent_tree.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

/// Labels that occur at least `min_count` times, by falling frequency; TOP (constituent_preprocess.h) always, and
/// first.
Vocabulary frequent_labels(std::span<const ConstituentTree> trees, long min_count);

/// The tree without the nodes whose label is not among `labels`; their children take their place. The root must stay.
ConstituentTree with_known_labels(const ConstituentTree& tree, const Vocabulary& labels);

}  // namespace espalier
