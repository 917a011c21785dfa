#include "espalier/learn/pipeline/tag_weight.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "espalier/learn/dev_score.h"
#include "espalier/learn/tuner.h"
#include "espalier/parser/joint_tagging.h"
#include "espalier/parser/parse_all.h"

namespace espalier {
namespace {

/// The ratio of the units of the parser's and the tagger's scores: the median ratio of their changes from one tagging
/// to the next.
double unit(const std::vector<std::vector<Proposal<TaggedAnalysis>>>& sentences) {
  std::vector<double> ratios;
  for (const auto& all : sentences) {
    if (all.size() < 2) continue;
    const double tags = all[0].scores[0] - all[1].scores[0];
    const double analysis = std::abs(all[0].scores[1] - all[1].scores[1]);
    if (tags > 0 && analysis > 0) ratios.push_back(analysis / tags);
  }
  if (ratios.empty()) return 1;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, middle);
  return *middle;
}

}  // namespace

double fit_tag_weight(const Parser& tagger, const Parser& parser, const std::vector<Sentence>& dev, int taggings,
                      int threads) {
  std::vector<std::vector<Proposal<TaggedAnalysis>>> analyses(dev.size());
  const std::array<const Parser*, 2> parsers = {&tagger, &parser};
  for_each_with_workspaces(parsers, dev.size(), threads, [&](size_t i, const Workspaces& workspaces) {
    analyses[i] = tagged_analyses(tagger, *workspaces[0], parser, *workspaces[1], dev[i], taggings);
  });

  const auto score = [&](double weight) {
    std::vector<Sentence> parsed = dev;
    for (size_t i = 0; i < dev.size(); ++i) {
      if (analyses[i].empty()) continue;
      const TaggedAnalysis& chosen = best_together(analyses[i], weight);
      annotate(parsed[i], chosen.tags.analysis);
      annotate(parsed[i], chosen.analysis.analysis);
    }
    return score_parsed(parser, dev, parsed).value;
  };
  // From the largest weight, at which the tagger decides alone, downwards; of equal ones the larger.
  constexpr int kLargest = 6, kSmallest = -3;  // powers of two
  const double base = unit(analyses);
  Tuner tuner(std::ldexp(base, kLargest), score);
  for (int power = kLargest - 1; power >= kSmallest; --power) tuner.offer(std::ldexp(base, power));
  return tuner.best();
}

}  // namespace espalier
