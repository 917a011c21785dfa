// Global features of the trees of a k-best list, of whatever kind they are. Tested by rank_test.cc.
#pragma once

#include <span>
#include <string>

#include "espalier/parser/combine/constituent_features.h"
#include "espalier/parser/combine/dependency_features.h"
#include "espalier/parser/combine/feature_groups.h"

namespace espalier {

class TreeFeatures {
 public:
  /// `head_rules` is for constituents: "english", "generic" or a file's name.
  explicit TreeFeatures(AtomColumns columns, const std::string& head_rules = "english")
      : columns_(columns), constituents_(head_rules) {}

  /// The groups of these analyses of the sentence, in their order; valid until the next call.
  const FeatureGroups& extract(const Sentence& sentence, std::span<const Analysis> analyses);

 private:
  AtomColumns columns_;
  FeatureGroups groups_;
  DependencyFeatures dependencies_;
  ConstituentFeatures constituents_;
};

}  // namespace espalier
