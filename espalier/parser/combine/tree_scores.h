// A ranker's scores of the trees of one list: the sums of the weights of their features. Tested by rank_test.cc.
#pragma once

#include <span>
#include <vector>

#include "espalier/parser/combine/rank_weights.h"
#include "espalier/parser/combine/tree_features.h"

namespace espalier {

/// Scratch memory of one thread.
class TreeScores {
 public:
  TreeScores(AtomColumns columns, const std::string& head_rules) : features_(columns, head_rules) {}

  /// `whole`: scores of whole trees; else up to a constant of the list. Each group of features is looked up once;
  /// without `whole`, groups that all trees have are skipped.
  void score(const RankWeights& weights, const Sentence& sentence, std::span<const Analysis> trees, bool whole,
             std::vector<double>& scores);

 private:
  TreeFeatures features_;
  std::vector<uint32_t> uses_;
  std::vector<uint64_t> keys_;
  std::vector<size_t> ends_;
  std::vector<int64_t> groups_;
};

}  // namespace espalier
