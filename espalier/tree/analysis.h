// What a model predicts for a sentence, as texts: labels are strings, not a model's numbers, so that analyses of
// different models can be compared, pooled and scored by any loss. Tested by tests/contract/parser_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/base/export.h"
#include "espalier/tree/dependency_tree.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// Columns of the words 1..n; entry 0 (the artificial root) is unused. A column that the model does not predict is
/// empty.
struct Analysis {
  std::vector<int> heads;
  std::vector<std::string> deprels, upos, xpos, feats, lemmas;
  ConstituentTree constituents;

  friend bool operator==(const Analysis&, const Analysis&) = default;
};

/// Writes the columns that the analysis has; the others stay as they are.
ESPALIER_API void annotate(Sentence& sentence, const Analysis& analysis);
/// Writes a tree's heads and the names of its labels into `analysis`, whose memory is reused.
void assign_tree(const DependencyTree& tree, std::span<const std::string> labels, Analysis& analysis);
/// The heads and relations that a sentence has.
Analysis dependencies_of(const Sentence& sentence);
/// All that a sentence has.
Analysis analysis_of(const Sentence& sentence);

}  // namespace espalier
