// A parser that has a say in the tags: the tagger proposes its best taggings, the parser analyses the sentence under
// each of them, and the best sum of both scores wins. The two scores have units of their own, so that the tagger's is
// multiplied with a weight, which training fits on held-out sentences. Tested by pipeline_test.cc.
#pragma once

#include <vector>

#include "espalier/parser/parser.h"
#include "espalier/parser/propose.h"

namespace espalier {

/// One way to tag a sentence, as the tagger's candidate, and the best analysis under these tags, as the parser's.
struct TaggedAnalysis {
  Candidate tags, analysis;

  friend bool operator==(const TaggedAnalysis& a, const TaggedAnalysis& b) {
    return a.tags.analysis == b.tags.analysis;
  }
};

/// Of the k best taggings those that are not much less probable than the first, best first; none for a sentence without
/// words. Both keep what is given. Both models must have k-best lists; scores are the tagger's, then the parser's.
std::vector<Proposal<TaggedAnalysis>> tagged_analyses(const Parser& tagger, Workspace& tagger_memory,
                                                      const Parser& parser, Workspace& parser_memory,
                                                      const Sentence& sentence, int k, const Constraints& given = {});

/// The one with the best weight * score of the tags + score of the analysis; `all` must not be empty.
const TaggedAnalysis& best_together(const std::vector<Proposal<TaggedAnalysis>>& all, double weight);

}  // namespace espalier
