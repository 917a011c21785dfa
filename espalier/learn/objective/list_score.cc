#include "espalier/learn/objective/list_score.h"

#include <algorithm>
#include <memory>

#include "espalier/parser/parse_all.h"

namespace espalier {

DevScore score_lists(const Parser& parser, const std::vector<Sentence>& dev, int k, int threads) {
  struct Counts {
    bool found = false;
    int best_heads = 0;  // right ones, in the best tree of the list
  };
  std::vector<Counts> counts(dev.size());
  std::vector<Sentence> first = dev;
  for_each_with_workspace(parser, dev.size(), threads, [&](size_t i, Workspace& workspace) {
    const auto list = kbest(parser, dev[i], k, workspace);
    const Analysis gold = dependencies_of(dev[i]);
    for (const Candidate& candidate : list) {
      int heads = 0, all = 0;
      for (size_t w = 1; w < gold.heads.size(); ++w) {
        const bool right = candidate.analysis.heads[w] == gold.heads[w];
        heads += right;
        all += right && candidate.analysis.deprels[w] == gold.deprels[w];
      }
      counts[i].best_heads = std::max(counts[i].best_heads, heads);
      counts[i].found |= all == dev[i].size();
    }
    if (!list.empty()) annotate(first[i], list[0].analysis);
  });

  double found = 0, heads = 0, words = 0;
  for (size_t i = 0; i < dev.size(); ++i) {
    found += counts[i].found;
    heads += counts[i].best_heads;
    words += dev[i].size();
  }
  DevScore score = score_parsed(parser, dev, first);
  const auto percent = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0; };
  score.details["gold_in_list"] = percent(found, static_cast<double>(dev.size()));
  score.details["oracle_uas"] = percent(heads, words);
  // A further sentence counts more than any attachment score.
  score.value = percent(found, static_cast<double>(dev.size())) +
                percent(heads, words) / (101 * static_cast<double>(std::max<size_t>(dev.size(), 1)));
  return score;
}

}  // namespace espalier
