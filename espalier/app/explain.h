// Why a model prefers one tree to another: compares features times weights. Tested by tests/explain_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "espalier/app/model.h"
#include "espalier/base/export.h"

namespace espalier {

struct ExplainOptions {
  int word = 0;        ///< the word whose arc is explained; 0 = the whole tree, against the next one of the list
  int head = -1;       ///< the rival: with this head (0 = root); -1 = with any other head or relation
  std::string deprel;  ///< and with this relation, if given
  int kbest = 256;     ///< number of trees among which the rival is searched
};

/// A feature that one tree has more often than the other.
struct Reason {
  std::string name;
  double times = 0;   ///< in the best tree, less those in the rival
  double weight = 0;  ///< times * weight is its share of the difference of scores
};

struct Explanation {
  Sentence sentence;            ///< with the model's own tree
  Alternative best, rival;      ///< without features
  std::vector<Reason> reasons;  ///< the most important first; their sum is the difference of the scores
};

/// Needs a model that can_explain; throws a usage Error if there is no such rival.
ESPALIER_API Explanation explain(const Model& model, const Sentence& sentence, const ExplainOptions& options);
ESPALIER_API bool can_explain(const Model& model);

/// The decision and its alternative, in a sentence.
ESPALIER_API std::string explanation_summary(const Explanation& explanation, int word);
/// The same, and at most `top` reasons for either tree, as text.
ESPALIER_API std::string explanation_text(const Explanation& explanation, int word, size_t top);
ESPALIER_API nlohmann::ordered_json explanation_json(const Explanation& explanation, int word, size_t top);

}  // namespace espalier
