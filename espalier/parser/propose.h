// Propose and judge: several models propose candidates, all models score all candidates, and the best sum of scores
// wins. Used by two-way classify and shift-reduce parsers and by joint tagging, and suited to any ensemble. Tested by
// propose_test.cc.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace espalier {

/// A proposed thing with the scores of all judges.
template <class Thing>
struct Proposal {
  Thing thing;
  std::vector<double> scores;  ///< by judge; larger is better

  double total() const {
    double sum = 0;
    for (const double score : scores) sum += score;
    return sum;
  }
};

/// A thing with its proposer's own score.
template <class Thing>
struct Scored {
  Thing thing;
  double score;
};

/// All proposals, in the order of proposal, equal things once. `propose(j)` returns the proposals of judge j, a
/// std::vector<Scored<Thing>>; `judge(j, thing)` scores things that j did not propose, and may complete the
/// thing.
template <class Thing, class Propose, class Judge>
std::vector<Proposal<Thing>> propose_and_judge(size_t judges, Propose&& propose, Judge&& judge) {
  std::vector<Proposal<Thing>> all;
  std::vector<std::vector<bool>> judged;
  for (size_t j = 0; j < judges; ++j)
    for (Scored<Thing>& scored : propose(j)) {
      auto known = std::ranges::find(all, scored.thing, &Proposal<Thing>::thing);
      if (known == all.end()) {
        all.push_back({std::move(scored.thing), std::vector<double>(judges)});
        judged.emplace_back(judges);
        known = std::prev(all.end());
      }
      const auto at = static_cast<size_t>(known - all.begin());
      if (judged[at][j]) continue;  // proposed twice by a judge: the first score counts
      known->scores[j] = scored.score;
      judged[at][j] = true;
    }
  for (size_t at = 0; at < all.size(); ++at)
    for (size_t j = 0; j < judges; ++j)
      if (!judged[at][j]) all[at].scores[j] = judge(j, all[at].thing);
  return all;
}

/// The best total first; ties in the order of proposal.
template <class Thing>
void best_first(std::vector<Proposal<Thing>>& all) {
  std::ranges::stable_sort(all, std::greater(), &Proposal<Thing>::total);
}

}  // namespace espalier
