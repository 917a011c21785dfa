// The score of a parser's k-best lists on held-out sentences, which selects the epoch if the parser proposes and a
// ranker chooses (the H-step of HC-search). Tested by list_score_test.cc.
#pragma once

#include <vector>

#include "espalier/learn/dev_score.h"

namespace espalier {

/// `value` is the percentage of sentences whose gold tree, relations included, is among the parser's k best; ties are
/// broken by the unlabelled attachment score of the best tree of every list. Details also have the scores of the
/// first trees.
DevScore score_lists(const Parser& parser, const std::vector<Sentence>& dev, int k, int threads);

}  // namespace espalier
