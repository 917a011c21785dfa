#include "espalier/parser/combine/tree_features.h"

namespace espalier {

const FeatureGroups& TreeFeatures::extract(const Sentence& sentence, std::span<const Analysis> analyses) {
  groups_.clear();
  if (analyses.empty()) return groups_;
  const bool brackets = !analyses.front().constituents.empty();
  if (brackets)
    constituents_.begin(sentence, columns_);
  else
    dependencies_.begin(sentence, columns_);
  for (const Analysis& analysis : analyses) {
    if (brackets)
      constituents_.add(analysis, groups_);
    else
      dependencies_.add(analysis, groups_);
  }
  return groups_;
}

}  // namespace espalier
