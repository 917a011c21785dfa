#include "espalier/parser/joint_tagging.h"

#include <algorithm>

namespace espalier {
namespace {

/// In the tagger's log probabilities. Taggings that are farther behind hardly ever win.
constexpr double kGap = 2;

}  // namespace

std::vector<TaggedAnalysis> tagged_analyses(const Parser& tagger, Workspace& tagger_memory, const Parser& parser,
                                            Workspace& parser_memory, const Sentence& sentence, int k) {
  std::vector<TaggedAnalysis> all;
  if (sentence.size() == 0) return all;
  for (Candidate& tags : tagger.kbest(sentence, k, tagger_memory)) {
    if (!all.empty() && tags.score < all.front().tags.score - kGap) break;
    Sentence copy = sentence;
    annotate(copy, tags.analysis);
    std::vector<Candidate> best = parser.kbest(copy, 1, parser_memory);
    all.push_back({std::move(tags), std::move(best.at(0))});
  }
  return all;
}

const TaggedAnalysis& best_together(const std::vector<TaggedAnalysis>& all, double weight) {
  return *std::ranges::max_element(
      all, {}, [&](const TaggedAnalysis& one) { return weight * one.tags.score + one.analysis.score; });
}

}  // namespace espalier
