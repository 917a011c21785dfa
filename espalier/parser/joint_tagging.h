// Tagger and parser choose tags together: the tagger proposes its best taggings, the parser analyses the sentence under
// each of them, and the best sum of both scores wins. The tagger's score is multiplied by a weight, which training fits
// on held-out sentences. Tested by pipeline_test.cc.
#pragma once

#include <vector>

#include "espalier/parser/parser.h"
#include "espalier/parser/propose.h"

namespace espalier {

/// A candidate of the tagger, and the parser's best candidate under these tags.
struct TaggedAnalysis {
  Candidate tags, analysis;

  friend bool operator==(const TaggedAnalysis& a, const TaggedAnalysis& b) {
    return a.tags.analysis == b.tags.analysis;
  }
};

/// The k best taggings, best first, without those much less probable than the first; none for a sentence without words.
/// Both models must have k-best lists, and keep the given columns. Scores are the tagger's, then the parser's.
std::vector<Proposal<TaggedAnalysis>> tagged_analyses(const Parser& tagger, Workspace& tagger_memory,
                                                      const Parser& parser, Workspace& parser_memory,
                                                      const Sentence& sentence, int k, const Constraints& given = {});

/// The one with the largest weight * tagger's score + parser's score; `all` must not be empty.
const TaggedAnalysis& best_together(const std::vector<Proposal<TaggedAnalysis>>& all, double weight);

}  // namespace espalier
