// The candidates of one sentence from one parser or several: every distinct tree once, with the score that each parser
// gave it. Tested by rank_test.cc.
#pragma once

#include <span>
#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

struct PooledList {
  std::vector<Analysis> analyses;  ///< the first parser's in its order, then what the next one adds, ...
  /// [parser][candidate]; candidates that a parser did not list get the lowest of its scores.
  std::vector<std::vector<double>> scores;

  size_t size() const { return analyses.size(); }
};

/// lists[parser]; takes the analyses out of them.
PooledList pool(std::vector<std::vector<Candidate>> lists);

/// A hash of the tree: of heads and labels, or of brackets regardless of the order of nodes.
uint64_t tree_hash(const Analysis& analysis);

}  // namespace espalier
