#include "espalier/search/eisner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/base/rng.h"
#include "espalier/search/max_marginals.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

ArcMatrix random_matrix(int n, Rng& rng, double missing = 0) {
  ArcMatrix scores;
  scores.reset(n);
  for (int h = 0; h <= n; ++h)
    for (int m = 1; m <= n; ++m)
      if (h != m && rng.uniform() >= missing) scores(h, m) = static_cast<float>(rng.below(2001)) / 64 - 16;
  return scores;
}

float tree_score(const ArcMatrix& scores, const std::vector<int>& heads) {
  float sum = 0;
  for (size_t m = 1; m < heads.size(); ++m) sum += scores(heads[m], static_cast<int>(m));
  return sum;
}

// Scores are multiples of 1/64, so that sums are exact and equality can be asked for.
TEST(Eisner, EqualsEnumeration) {
  Rng rng(1, "eisner");
  EisnerChart chart;
  for (int n = 0; n <= 6; ++n)
    for (int round = 0; round < (n == 6 ? 5 : 40); ++round)
      for (const bool single_root : {true, false}) {
        const ArcMatrix scores = random_matrix(n, rng, round % 4 == 3 ? 0.4 : 0);
        float best = n == 0 ? 0 : kNoArc;
        for_each_tree(n, single_root, [&](const std::vector<int>& heads) {
          if (arcs_do_not_cross(heads)) best = std::max(best, tree_score(scores, heads));
        });
        ASSERT_EQ(chart.fill(scores, single_root), best) << "n=" << n << " single_root=" << single_root;
        if (best == kNoArc) continue;
        std::vector<int> heads(static_cast<size_t>(n) + 1, 0);
        chart.best_heads(heads);
        EXPECT_TRUE(arcs_do_not_cross(heads));
        EXPECT_EQ(tree_score(scores, heads), best);
      }
}

TEST(Eisner, ScoresThatAreNoNumbersStayInTheChart) {
  Rng rng(3, "eisner");
  EisnerChart chart;
  for (int round = 0; round < 200; ++round) {
    const int n = 1 + static_cast<int>(rng.below(20));
    ArcMatrix scores = random_matrix(n, rng);
    for (int k = 0; k < 5; ++k)
      scores(static_cast<int>(rng.below(n + 1)), 1 + static_cast<int>(rng.below(n))) =
          k % 2 ? std::nanf("") : std::numeric_limits<float>::infinity();
    chart.fill(scores, round % 2);
    std::vector<int> heads(static_cast<size_t>(n) + 1, -1);
    chart.best_heads(heads);
    for (int m = 1; m <= n; ++m) EXPECT_TRUE(heads[m] >= 0 && heads[m] <= n);
  }
}

TEST(Eisner, LongSentencesUseTheWideLoops) {
  Rng rng(2, "eisner");
  EisnerChart chart;
  const int n = 40;
  const ArcMatrix scores = random_matrix(n, rng);
  const float best = chart.fill(scores);
  std::vector<int> heads(n + 1, 0);
  chart.best_heads(heads);
  EXPECT_EQ(tree_score(scores, heads), best);
  EXPECT_TRUE(arcs_do_not_cross(heads));
}

TEST(MaxMarginals, EqualEnumeration) {
  Rng rng(3, "marginals");
  MaxMarginals marginals;
  ArcMatrix found;
  for (int n = 1; n <= 5; ++n)
    for (int round = 0; round < 20; ++round) {
      const ArcMatrix scores = random_matrix(n, rng, round % 4 == 3 ? 0.3 : 0);
      ArcMatrix expected;
      expected.reset(n);
      float best = kNoArc;
      for_each_tree(n, true, [&](const std::vector<int>& heads) {
        if (!arcs_do_not_cross(heads)) return;
        const float score = tree_score(scores, heads);
        best = std::max(best, score);
        for (int m = 1; m <= n; ++m) expected(heads[m], m) = std::max(expected(heads[m], m), score);
      });
      ASSERT_EQ(marginals.compute(scores, found), best);
      for (int h = 0; h <= n; ++h)
        for (int m = 1; m <= n; ++m)
          if (h != m) {
            ASSERT_EQ(found(h, m), expected(h, m)) << "n=" << n << " " << h << "->" << m;
          }
    }
}

// The counts of each best tree's arcs, by rebuilding those trees from the enumeration (scores without ties).
TEST(MaxMarginals, CountsOfArcsInBestTrees) {
  Rng rng(4, "counts");
  MaxMarginals marginals;
  ArcMatrix found, counts;
  for (int n = 1; n <= 5; ++n)
    for (int round = 0; round < 20; ++round) {
      ArcMatrix scores;
      scores.reset(n);
      for (int h = 0; h <= n; ++h)
        for (int m = 1; m <= n; ++m)
          if (h != m && (h == 0 || round % 4 != 3 || rng.uniform() > 0.3))
            scores(h, m) = static_cast<float>(rng.below(1 << 18)) / 64;
      marginals.compute(scores, found);
      const int trees = marginals.count_arcs(counts);
      ArcMatrix best, expected;
      best.reset(n);
      expected.reset(n);
      std::vector<std::vector<std::vector<int>>> of_arc(n + 1, std::vector<std::vector<int>>(n + 1));
      for_each_tree(n, true, [&](const std::vector<int>& heads) {
        if (!arcs_do_not_cross(heads)) return;
        const float score = tree_score(scores, heads);
        if (score == kNoArc) return;
        for (int m = 1; m <= n; ++m)
          if (score > best(heads[m], m)) best(heads[m], m) = score, of_arc[heads[m]][m] = heads;
      });
      int expected_trees = 0;
      for (int h = 0; h <= n; ++h)
        for (int m = 1; m <= n; ++m) {
          expected(h, m) = h == m ? expected(h, m) : std::max(expected(h, m), 0.f);
          if (of_arc[h][m].empty()) continue;
          ++expected_trees;
          for (int x = 1; x <= n; ++x) {
            float& cell = expected(of_arc[h][m][x], x);
            cell = std::max(cell, 0.f) + 1;
          }
        }
      ASSERT_EQ(trees, expected_trees);
      float sum = 0;
      for (int h = 0; h <= n; ++h)
        for (int m = 1; m <= n; ++m)
          if (h != m) {
            ASSERT_EQ(counts(h, m), expected(h, m)) << "n=" << n << " " << h << "->" << m;
            sum += counts(h, m);
          }
      EXPECT_EQ(sum, static_cast<float>(trees * n));
    }
}

}  // namespace
}  // namespace espalier
