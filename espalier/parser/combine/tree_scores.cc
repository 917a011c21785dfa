#include "espalier/parser/combine/tree_scores.h"

namespace espalier {

void TreeScores::score(const RankWeights& weights, const Sentence& sentence, std::span<const Analysis> trees,
                       bool whole, std::vector<double>& scores) {
  const FeatureGroups& groups = features_.extract(sentence, trees);
  groups.count_uses(uses_);
  keys_.clear();
  ends_.clear();
  for (size_t i = 0; i < groups.groups(); ++i) {
    if (whole || uses_[i] != groups.trees()) keys_.insert(keys_.end(), groups.keys(i).begin(), groups.keys(i).end());
    ends_.push_back(keys_.size());
  }
  groups_.resize(groups.groups());
  weights.sum(keys_, ends_, groups_.data());
  scores.resize(groups.trees());
  for (size_t i = 0; i < groups.trees(); ++i) {
    int64_t sum = 0;
    for (const uint32_t group : groups.tree(i)) sum += groups_[group];
    scores[i] = static_cast<double>(sum) * weights.scale();
  }
}

}  // namespace espalier
