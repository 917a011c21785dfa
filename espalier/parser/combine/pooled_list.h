// The candidates of one sentence from one parser or several: every distinct tree once, with the score that each parser
// gave it. Tested by rank_test.cc.
#pragma once

#include <span>
#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

struct PooledList {
  std::vector<Analysis> analyses;  ///< the first parser's in its order, then what the next one adds, ...
  /// [parser][candidate], as the parser gave them; one that it does not have gets the lowest that it gave.
  std::vector<std::vector<double>> scores;

  size_t size() const { return analyses.size(); }
};

/// lists[parser]; takes the analyses out of them.
PooledList pool(std::vector<std::vector<Candidate>> lists);

/// Equal for equal trees: heads and labels, or brackets whatever the order of their nodes.
uint64_t tree_hash(const Analysis& analysis);

}  // namespace espalier
