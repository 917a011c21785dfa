#include "espalier/search/kbest_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "espalier/base/rng.h"
#include "espalier/search/chu_liu_edmonds.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

/// `grain` small: many ties.
ArcMatrix random_matrix(int n, Rng& rng, size_t grain, double missing) {
  ArcMatrix scores;
  scores.reset(n);
  for (int h = 0; h <= n; ++h)
    for (int m = 1; m <= n; ++m)
      if (h != m && rng.uniform() >= missing) scores(h, m) = static_cast<float>(rng.below(grain)) - 3;
  return scores;
}

double total_score(const ArcMatrix& scores, const std::vector<int>& heads) {
  double sum = 0;
  for (size_t m = 1; m < heads.size(); ++m) sum += scores(heads[m], static_cast<int>(m));
  return sum;
}

std::vector<double> all_scores(const ArcMatrix& scores, bool single_root) {
  std::vector<double> all;
  for_each_tree(scores.words(), single_root, [&](const std::vector<int>& heads) {
    if (const double score = total_score(scores, heads); score != kNoArc) all.push_back(score);
  });
  std::sort(all.rbegin(), all.rend());
  return all;
}

/// The example of the specification: rows are heads 0..3.
ArcMatrix small_example() {
  ArcMatrix scores;
  scores.reset(3);
  const float values[4][4] = {{0, 5, 9, 3}, {0, 0, 7, 8}, {0, 10, 0, 6}, {0, 4, 2, 0}};
  for (int h = 0; h <= 3; ++h)
    for (int m = 1; m <= 3; ++m)
      if (h != m) scores(h, m) = values[h][m];
  return scores;
}

TEST(ChuLiuEdmonds, SmallExample) {
  ChuLiuEdmonds solver;
  std::vector<int> heads(4);
  EXPECT_EQ(solver.solve(small_example(), heads), 27);
  EXPECT_EQ(heads, (std::vector<int>{0, 2, 0, 1}));
}

TEST(ChuLiuEdmonds, EqualsEnumeration) {
  Rng rng(1, "cle");
  ChuLiuEdmonds solver;
  for (int n = 1; n <= 6; ++n)
    for (int round = 0; round < (n == 6 ? 10 : 200); ++round)
      for (const bool single_root : {true, false}) {
        const ArcMatrix scores = random_matrix(n, rng, round % 2 ? 8 : 10000, round % 3 == 2 ? 0.4 : 0);
        const auto all = all_scores(scores, single_root);
        std::vector<int> heads(static_cast<size_t>(n) + 1, 0);
        const double found = solver.solve(scores, heads, single_root);
        if (all.empty()) {
          EXPECT_EQ(found, kNoArc);
          continue;
        }
        ASSERT_EQ(found, all.front()) << "n=" << n << " single_root=" << single_root;
        EXPECT_EQ(total_score(scores, heads), found);
        if (single_root) {
          EXPECT_EQ(std::count(heads.begin() + 1, heads.end(), 0), 1);
        }
      }
}

TEST(ChuLiuEdmonds, ForcedRoot) {
  Rng rng(2, "cle");
  ChuLiuEdmonds solver;
  ArcMatrix scores = random_matrix(5, rng, 10000, 0);
  for (int m = 1; m <= 5; ++m)
    if (m != 4) scores(0, m) = kNoArc;
  std::vector<int> heads(6);
  EXPECT_EQ(solver.solve(scores, heads), all_scores(scores, true).front());
  EXPECT_EQ(heads[4], 0);
}

TEST(KBestTrees, SmallExample) {
  SpanningTreeEnumerator trees(small_example(), /*single_root=*/false);
  SpanningTreeEnumerator::Tree tree;
  std::vector<double> scores;
  std::set<std::vector<int>> seen;
  while (scores.size() < 6 && trees.next(tree)) scores.push_back(tree.score), seen.insert(tree.heads);
  EXPECT_EQ(scores, (std::vector<double>{27, 25, 22, 22, 20, 20}));
  const auto heads = [](int a, int b, int c) { return std::vector<int>{0, a, b, c}; };
  EXPECT_EQ(seen, (std::set<std::vector<int>>{heads(2, 0, 1), heads(2, 0, 2), heads(2, 0, 0), heads(0, 0, 1),
                                              heads(0, 1, 1), heads(0, 0, 2)}));
}

TEST(KBestTrees, EqualsEnumeration) {
  Rng rng(3, "kbest");
  for (int n = 1; n <= 5; ++n)
    for (int round = 0; round < (n == 5 ? 6 : 40); ++round)
      for (const bool single_root : {true, false}) {
        const ArcMatrix scores = random_matrix(n, rng, round % 2 ? 8 : 10000, round % 3 == 2 ? 0.3 : 0);
        const auto all = all_scores(scores, single_root);
        SpanningTreeEnumerator trees(scores, single_root);
        SpanningTreeEnumerator::Tree tree;
        std::vector<double> found;
        std::set<std::vector<int>> seen;
        while (trees.next(tree)) {
          EXPECT_EQ(total_score(scores, tree.heads), tree.score);
          EXPECT_TRUE(seen.insert(tree.heads).second) << "a tree came twice";
          found.push_back(tree.score);
        }
        ASSERT_EQ(found, all) << "n=" << n << " single_root=" << single_root;
      }
}

/// What the cheapest removal of an arc costs by its definition: one search per arc.
double removal_by_definition(const ArcMatrix& scores, const std::vector<int>& heads, const std::vector<char>& forced,
                             bool single_root) {
  ChuLiuEdmonds solver;
  double least = std::numeric_limits<double>::infinity();
  std::vector<int> other(heads.size());
  for (size_t m = 1; m < heads.size(); ++m) {
    if (forced[m]) continue;
    ArcMatrix rest = scores;
    rest(heads[m], static_cast<int>(m)) = kNoArc;
    least = std::min(least, total_score(scores, heads) - solver.solve(rest, other, single_root));
  }
  return least;
}

TEST(KBestTrees, OnePassRemovalEqualsItsDefinition) {
  Rng rng(4, "removal");
  ChuLiuEdmonds solver;
  for (int round = 0; round < 600; ++round)
    for (const bool single_root : {true, false}) {
      const int n = 2 + static_cast<int>(rng.below(5));
      ArcMatrix scores = random_matrix(n, rng, round % 2 ? 8 : 10000, round % 3 == 2 ? 0.3 : 0);
      std::vector<int> heads(static_cast<size_t>(n) + 1, 0);
      if (solver.solve(scores, heads, single_root) == kNoArc) continue;
      std::vector<char> forced(static_cast<size_t>(n) + 1, 0);
      for (int m = 1; m <= n; ++m)
        if (rng.below(4) == 0) {
          forced[m] = 1;
          for (int h = 0; h <= n; ++h)
            if (h != heads[m]) scores(h, m) = kNoArc;
        }
      SpanningTreeEnumerator trees(scores, single_root);
      EXPECT_DOUBLE_EQ(trees.cheapest_removal(scores, heads, forced).loss,
                       removal_by_definition(scores, heads, forced, single_root))
          << "round " << round;
    }
}

}  // namespace
}  // namespace espalier
