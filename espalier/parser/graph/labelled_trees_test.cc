// The list of labelled trees against enumeration, with one to four labels per arc.
#include "espalier/parser/graph/labelled_trees.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "espalier/base/rng.h"
#include "espalier/space/arc_set.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

/// What LabelledTrees asks of GraphScores: all arcs of n words, each with some labels, the best first.
struct FakeScores {
  ArcSet set;
  std::vector<std::vector<float>> of_arc;

  FakeScores(int n, Rng& rng) {
    set.reset(n);
    for (int h = 0; h <= n; ++h)
      for (int m = 1; m <= n; ++m)
        if (h != m) set.keep(h, m);
    set.number();
    for (int a = 0; a < set.size(); ++a) {
      auto& scores = of_arc.emplace_back(1 + rng.below(4));
      for (float& score : scores) score = static_cast<float>(rng.below(1000)) / 16;
      std::sort(scores.begin(), scores.end(), std::greater());
    }
  }
  const ArcSet& arcs() const { return set; }
  int labels(int a) const { return static_cast<int>(of_arc[a].size()); }
  int label(int, int rank) const { return rank; }
  float arc(int a, int rank) const { return of_arc[a][rank]; }
};

TEST(LabelledTrees, ComeInOrderEachOnce) {
  Rng rng(1, "labelled");
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 1 + trial % 4;
    const FakeScores scores(n, rng);
    ArcMatrix matrix;
    matrix.reset(n);
    for (int a = 0; a < scores.set.size(); ++a) matrix(scores.set.head(a), scores.set.modifier(a)) = scores.arc(a, 0);
    std::vector<double> expected;
    for_each_tree(n, true, [&](const std::vector<int>& heads) {
      const std::function<void(int, double)> extend = [&](int m, double sum) {
        if (m > n) {
          expected.push_back(sum);
          return;
        }
        const int a = scores.set.find(heads[m], m);
        for (int rank = 0; rank < scores.labels(a); ++rank) extend(m + 1, sum + scores.arc(a, rank));
      };
      extend(1, 0);
    });
    std::sort(expected.begin(), expected.end(), std::greater());
    const bool cut = expected.size() > 200;
    if (cut) expected.resize(200);

    LabelledTrees<FakeScores> trees(scores, matrix);
    std::set<std::pair<std::vector<int>, std::vector<int>>> seen;
    for (const double score : expected) {
      DependencyTree tree(n);
      double found = 0, sum = 0;
      ASSERT_TRUE(trees.next(tree, found));
      ASSERT_NEAR(found, score, 1e-3);
      for (int m = 1; m <= n; ++m) sum += scores.arc(scores.set.find(tree.head[m], m), tree.label[m]);
      ASSERT_NEAR(sum, found, 1e-3);
      ASSERT_TRUE(seen.insert({tree.head, tree.label}).second);
    }
    DependencyTree more(n);
    double score;
    EXPECT_EQ(trees.next(more, score), cut);
  }
}

}  // namespace
}  // namespace espalier
