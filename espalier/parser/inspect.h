// What a parser shows of its inside, if it shows anything (Parser::inspect): what scores are made of, how a tree came
// about, and the model itself, for warm starts. Tested by tests/contract/parser_test.cc,
// tests/explain_test.cc and tests/trace_test.cc.
#pragma once

#include <any>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/parser/parser.h"
#include "espalier/parser/trace.h"

namespace espalier {

struct NamedFeature {
  uint64_t key = 0;
  std::string name;
};

/// Implemented by parsers that can explain how they built an analysis. Candidates are those that the parser made for
/// the sentence, workspaces its own. What a parser cannot explain (Parser::about) is empty.
class Inspectable {
 public:
  virtual ~Inspectable() = default;

  /// The features of each candidate, such that its score is their inner product with the weights; with these weights
  /// if they are asked for.
  virtual std::vector<FeatureVector> features(const Sentence&, std::span<const Candidate> candidates, Workspace&,
                                              bool /*with_weights*/ = false) const {
    return std::vector<FeatureVector>(candidates.size());
  }
  /// What features are called, whose keys are hashes: of every feature of a candidate; a key may be there more than
  /// once.
  virtual std::vector<NamedFeature> feature_names(const Sentence&, const Candidate&, Workspace&) const { return {}; }
  /// The sentence has what earlier stages predict.
  virtual Trace trace(const Sentence&, const Candidate&, Workspace&) const { return {}; }

  /// A pointer to what the parser's own header names: a const TransitionModel*, a const Pipeline* ... See model_of.
  virtual std::any inside() const { return {}; }
};

/// The model of a parser, if it is one of these; otherwise null. It lives as long as the parser.
template <class Model>
const Model* model_of(const Parser& parser) {
  const Inspectable* shows = parser.inspect();
  const std::any found = shows ? shows->inside() : std::any();
  const auto* model = std::any_cast<const Model*>(&found);
  return model ? *model : nullptr;
}

}  // namespace espalier
