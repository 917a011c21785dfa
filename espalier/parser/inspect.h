// The optional interface for looking into a parser (Parser::inspect): the features behind scores, traces, and the
// model itself, for warm starts. Tested by tests/contract/parser_test.cc, tests/explain_test.cc and
// tests/trace_test.cc.
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

/// Implemented by parsers that can explain how they built an analysis. Candidates must be the parser's own for the
/// sentence, and workspaces its own. Functions that a parser does not support (Parser::about) return nothing.
class Inspectable {
 public:
  virtual ~Inspectable() = default;

  /// The features of each candidate; its score is their inner product with the weights, which are included on
  /// request.
  virtual std::vector<FeatureVector> features(const Sentence&, std::span<const Candidate> candidates, Workspace&,
                                              bool /*with_weights*/ = false) const {
    return std::vector<FeatureVector>(candidates.size());
  }
  /// The names of a candidate's features, whose keys are hashes; a key may occur more than
  /// once.
  virtual std::vector<NamedFeature> feature_names(const Sentence&, const Candidate&, Workspace&) const { return {}; }
  /// The sentence must have the columns that earlier stages predict.
  virtual Trace trace(const Sentence&, const Candidate&, Workspace&) const { return {}; }

  /// A pointer to the model, of the type in the parser's header: const TransitionModel* ... (see model_of)
  virtual std::any inside() const { return {}; }
};

/// The model of a parser if it has this type, else null. It lives as long as the parser.
template <class Model>
const Model* model_of(const Parser& parser) {
  const Inspectable* shows = parser.inspect();
  const std::any found = shows ? shows->inside() : std::any();
  const auto* model = std::any_cast<const Model*>(&found);
  return model ? *model : nullptr;
}

}  // namespace espalier
