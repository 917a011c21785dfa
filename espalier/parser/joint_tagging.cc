#include "espalier/parser/joint_tagging.h"

#include <algorithm>

namespace espalier {
namespace {

/// A gap in the tagger's log probabilities: taggings farther behind hardly ever win.
constexpr double kGap = 2;

enum Judge : size_t { kTagger, kParser };

}  // namespace

std::vector<Proposal<TaggedAnalysis>> tagged_analyses(const Parser& tagger, Workspace& tagger_memory,
                                                      const Parser& parser, Workspace& parser_memory,
                                                      const Sentence& sentence, int k, const Constraints& given) {
  if (sentence.size() == 0) return {};
  return propose_and_judge<TaggedAnalysis>(
      2,
      [&](size_t judge) {
        std::vector<Scored<TaggedAnalysis>> proposed;  // by the tagger alone
        if (judge == kParser) return proposed;
        for (Candidate& tags : kbest(tagger, sentence, given, k, tagger_memory)) {
          if (!proposed.empty() && tags.score < proposed.front().score - kGap) break;
          const double score = tags.score;
          proposed.push_back({{std::move(tags), {}}, score});
        }
        return proposed;
      },
      [&](size_t, TaggedAnalysis& tagging) {
        Sentence copy = sentence;
        annotate(copy, tagging.tags.analysis);
        tagging.analysis = std::move(kbest(parser, copy, given, 1, parser_memory).at(0));
        return tagging.analysis.score;
      });
}

const TaggedAnalysis& best_together(const std::vector<Proposal<TaggedAnalysis>>& all, double weight) {
  return std::ranges::max_element(
             all, {},
             [&](const Proposal<TaggedAnalysis>& one) { return weight * one.scores[kTagger] + one.scores[kParser]; })
      ->thing;
}

}  // namespace espalier
