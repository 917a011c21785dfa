#include "espalier/parser/combine/bracket_vote.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "espalier/base/rng.h"
#include "tests/random_constituents.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

/// The labels that a tree has over a span, from the top.
struct LabelledSpan {
  int first, last;
  std::vector<std::string> labels;
  friend bool operator==(const LabelledSpan&, const LabelledSpan&) = default;
};

std::vector<LabelledSpan> spans_of(const ConstituentTree& tree) {
  std::vector<LabelledSpan> spans;
  for (const Phrase& phrase : phrases_of(tree)) {
    const auto same = std::ranges::find_if(
        spans, [&](const LabelledSpan& s) { return s.first == phrase.first && s.last == phrase.last; });
    if (same == spans.end()) {
      spans.push_back({phrase.first, phrase.last, {std::string(phrase.label)}});
    } else {
      same->labels.emplace_back(phrase.label);
    }
  }
  return spans;
}

/// The referee: a phrase's votes are those of the voters that have as many of its label over its words.
double gain_by_definition(const std::vector<LabelledSpan>& tree, const std::vector<std::vector<LabelledSpan>>& voters,
                          const std::vector<double>& weights, double share) {
  double all = 0, sum = 0;
  for (const double weight : weights) all += weight;
  for (const auto& [first, last, labels] : tree)
    for (size_t l = 0; l < labels.size(); ++l) {
      const auto alike = std::count(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(l) + 1, labels[l]);
      sum -= share * all;
      for (size_t v = 0; v < voters.size(); ++v)
        for (const LabelledSpan& span : voters[v])
          if (span.first == first && span.last == last && std::ranges::count(span.labels, labels[l]) >= alike)
            sum += weights[v];
    }
  return sum;
}

double most_by_enumeration(const std::vector<std::vector<LabelledSpan>>& voters, const std::vector<double>& weights,
                           double share) {
  std::vector<LabelledSpan> all;
  for (const auto& voter : voters)
    for (const LabelledSpan& span : voter)
      if (std::ranges::find(all, span) == all.end()) all.push_back(span);
  double most = 0;
  std::vector<LabelledSpan> chosen;
  const std::function<void(size_t)> extend = [&](size_t i) {
    if (i == all.size()) {
      most = std::max(most, gain_by_definition(chosen, voters, weights, share));
      return;
    }
    extend(i + 1);
    const bool possible = std::ranges::all_of(chosen, [&](const LabelledSpan& c) {
      const bool apart = c.last < all[i].first || all[i].last < c.first;
      const bool inside =
          (c.first <= all[i].first && all[i].last <= c.last) || (all[i].first <= c.first && c.last <= all[i].last);
      return apart || (inside && (c.first != all[i].first || c.last != all[i].last));
    });
    if (!possible) return;
    chosen.push_back(all[i]);
    extend(i + 1);
    chosen.pop_back();
  };
  extend(0);
  return most;
}

TEST(BracketVotes, NoTreeOfTheProposedBracketsGainsMore) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Rng rng(seed, "bracket votes");
    const int words = 1 + static_cast<int>(rng.below(4));
    std::vector<ConstituentTree> trees;
    std::vector<std::vector<LabelledSpan>> spans;
    std::vector<double> weights;
    BracketVotes votes;
    votes.reset();
    for (int v = 0; v < 3; ++v) trees.push_back(testing::RandomConstituents(words, rng).tree);
    for (const ConstituentTree& tree : trees) {
      weights.push_back(1 + static_cast<double>(rng.below(3)));
      spans.push_back(spans_of(tree));
      votes.add(tree, weights.back());
    }
    for (const double share : {0.25, 0.5, 0.625}) {
      const ConstituentTree best = votes.best_tree(share);
      const double most = most_by_enumeration(spans, weights, share);
      EXPECT_NEAR(votes.gain(best, share), most, 1e-9) << "seed " << seed << ", share " << share;
      EXPECT_NEAR(gain_by_definition(spans_of(best), spans, weights, share), most, 1e-9);
      std::vector<int> leaves;
      for (const auto& node : best.nodes)
        if (node.word > 0) leaves.push_back(node.word);
      std::ranges::sort(leaves);
      ASSERT_EQ(leaves.size(), static_cast<size_t>(words));
      for (int w = 1; w <= words; ++w) EXPECT_EQ(leaves[static_cast<size_t>(w - 1)], w);
    }
  }
}

TEST(BracketVotes, OneVoterGetsItsTree) {
  for (const char* text : {"(ROOT (S (NP (NP (DT the) (NN dog)) (PP (IN of) (NP (NN war)))) (VP (VBZ sees)) (. .)))",
                           "(ROOT (X (UH oh)))", "(ROOT (. .) (. .))", "(ROOT (NP (NP (NP (NN a)))))"}) {
    const ConstituentTree only = testing::constituents(text).constituents;
    BracketVotes votes;
    votes.add(only, 0.5);
    const ConstituentTree best = votes.best_tree(0.5);
    EXPECT_EQ(spans_of(best), spans_of(only));
    EXPECT_EQ(phrases_of(best).size(), phrases_of(only).size());
  }
}

TEST(BracketVotes, TheMajorityHasEachBracket) {
  const ConstituentTree trees[] = {
      testing::constituents("(ROOT (S (NP (NN a)) (VP (VB b) (NP (NN c)) (PP (IN d)))))").constituents,
      testing::constituents("(ROOT (S (NP (NN a)) (VP (VB b) (NP (NN c) (PP (IN d))))))").constituents,
      testing::constituents("(ROOT (S (NN a) (VP (VB b) (NP (NN c) (PP (IN d))))))").constituents};
  BracketVotes votes;
  for (const ConstituentTree& tree : trees) votes.add(tree, 1);
  EXPECT_EQ(votes.best_tree(0.5), trees[1]);
}

}  // namespace
}  // namespace espalier
