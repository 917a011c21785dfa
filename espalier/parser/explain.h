// What features are called, for people: beside Parser::features, whose keys are hashes. Tested by
// tests/explain_test.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/parser/candidate.h"
#include "espalier/tree/sentence.h"

namespace espalier {

class Workspace;

struct NamedFeature {
  uint64_t key = 0;
  std::string name;
};

/// What a parser is that can tell.
class Explainable {
 public:
  virtual ~Explainable() = default;
  virtual bool can_explain() const { return true; }
  /// Of every feature of a candidate that this parser made for the sentence; a key may be there more than once.
  virtual std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate,
                                                  Workspace& workspace) const = 0;
};

}  // namespace espalier
