#include "espalier/search/cube.h"

#include <gtest/gtest.h>

#include <map>

#include "espalier/base/rng.h"
#include "espalier/search/eisner.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

/// Scores drawn from the hash of what they belong to: multiples of 1/64, so that all sums are exact.
class RandomParts {
 public:
  RandomParts(int words, int labels, int order, double dropped, uint64_t seed)
      : labels_(labels), order_(order), seed_(seed) {
    Rng rng(seed, "arcs");
    arcs_.reset(words);
    for (int h = 0; h <= words; ++h)
      for (int m = 1; m <= words; ++m)
        if (h != m && rng.uniform() >= dropped) arcs_.keep(h, m);
    arcs_.number();
  }
  const ArcSet& arcs() const { return arcs_; }
  int order() const { return order_; }
  int labels(int) const { return labels_; }
  uint64_t label_bit(int, int label) const { return uint64_t{1} << label; }
  float arc(int a, int l) const { return draw(1, a, l); }
  float sibling(int a, int l, int s, int sl) const { return draw(2, a, l, s, s < 0 ? 0 : sl); }
  float grandchild(int a, int l, int g, int gl) const { return draw(3, a, l, g, gl); }
  float tri_sibling(int a, int l, int s, int t) const { return draw(4, a, l, s, t); }
  float grand_sibling(int a, int l, int g, int s) const { return draw(5, a, l, g, s); }
  float stop(int h, Side side, int last, int ll, int count) const { return draw(6, h, side, last, ll * 10 + count); }
  float extreme(int a, int l, int in, int out) const { return draw(7, a, l, in, out); }
  float frame(int a, int l, uint64_t in, uint64_t out) const {
    return draw(8, a, l, static_cast<int>(in), static_cast<int>(out));
  }
  // Nothing has to be looked up.
  void ask_sibling(int, int) const {}
  void ask_grandchild(int, int) const {}
  void ask_tri_sibling(int, int, int) const {}
  void ask_grand_sibling(int, int, int) const {}
  void ask_extreme(int, int, int) const {}
  void ask_frame(int, uint64_t, uint64_t) const {}
  void answer() const {}

 private:
  float draw(int kind, int a, int b, int c = 0, int d = 0) const {
    uint64_t key = seed_;
    for (const int x : {kind, a, b, c, d}) key = combine(key, static_cast<uint64_t>(x + 7));
    return static_cast<float>(key % 513) / 64 - 4;
  }
  ArcSet arcs_;
  int labels_, order_;
  uint64_t seed_;
};

/// The score of a labelled tree straight from the definition of each part, without items or lists.
double direct_score(const RandomParts& parts, const std::vector<int>& heads, const std::vector<int>& labels) {
  const ArcSet& arcs = parts.arcs();
  const int n = arcs.words();
  const auto arc = [&](int m) { return m == 0 ? ArcSet::kNone : arcs.find(heads[m], m); };
  const auto children = [&](int h, Side side) {  // from the inside out
    std::vector<int> all;
    const int step = side == kRightSide ? 1 : -1;
    for (int m = h + step; m >= 1 && m <= n; m += step)
      if (heads[m] == h) all.push_back(m);
    return all;
  };
  double sum = 0;
  for (int m = 1; m <= n; ++m) sum += parts.arc(arc(m), labels[m]);
  if (parts.order() < 2) return sum;
  for (int h = 0; h <= n; ++h)
    for (const Side side : {kLeftSide, kRightSide}) {
      if (h == 0 && side == kLeftSide) continue;
      const auto mods = children(h, side);
      for (size_t x = 0; x < mods.size(); ++x) {
        const int m = mods[x], s = x > 0 ? mods[x - 1] : 0, t = x > 1 ? mods[x - 2] : 0;
        sum += parts.sibling(arc(m), labels[m], arc(s), labels[s]);
        if (h != 0) sum += parts.grandchild(arc(m), labels[m], arc(h), labels[h]);
        if (parts.order() < 3) continue;
        if (s) sum += parts.tri_sibling(arc(m), labels[m], arc(s), arc(t));
        if (h != 0) sum += parts.grand_sibling(arc(m), labels[m], arc(h), arc(s));
      }
      const int last = mods.empty() ? 0 : mods.back();
      sum += parts.stop(h, side, arc(last), labels[last], static_cast<int>(mods.size()));
    }
  if (parts.order() < 3) return sum;
  for (int m = 1; m <= n; ++m) {
    const Side outer = m > heads[m] ? kRightSide : kLeftSide, inner = outer == kRightSide ? kLeftSide : kRightSide;
    const auto in = children(m, inner), out = children(m, outer);
    uint64_t in_labels = 0, out_labels = 0;
    for (const int x : in) in_labels |= parts.label_bit(arc(x), labels[x]);
    for (const int x : out) out_labels |= parts.label_bit(arc(x), labels[x]);
    sum += parts.extreme(arc(m), labels[m], in.empty() ? -1 : arc(in.back()), out.empty() ? -1 : arc(out.back()));
    sum += parts.frame(arc(m), labels[m], in_labels, out_labels);
  }
  return sum;
}

/// Every labelled projective tree that the arcs allow, with its score.
std::map<std::pair<std::vector<int>, std::vector<int>>, double> all_trees(const RandomParts& parts, int labels,
                                                                          bool single_root) {
  std::map<std::pair<std::vector<int>, std::vector<int>>, double> all;
  const int n = parts.arcs().words();
  for_each_tree(n, single_root, [&](const std::vector<int>& heads) {
    if (!arcs_do_not_cross(heads)) return;
    for (int m = 1; m <= n; ++m)
      if (!parts.arcs().kept(heads[m], m)) return;
    std::vector<int> chosen(n + 1, 0);
    while (true) {
      all[{heads, chosen}] = direct_score(parts, heads, chosen);
      int m = 1;
      while (m <= n && ++chosen[m] == labels) chosen[m++] = 0;
      if (m > n) break;
    }
  });
  return all;
}

/// Adds up the parts that the search says it scored.
struct Sum {
  const RandomParts& parts;
  double total = 0;
  void arc(int a, int l) { total += parts.arc(a, l); }
  void sibling(int a, int l, int s, int sl) { total += parts.sibling(a, l, s, sl); }
  void grandchild(int a, int l, int g, int gl) { total += parts.grandchild(a, l, g, gl); }
  void tri_sibling(int a, int l, int s, int t) { total += parts.tri_sibling(a, l, s, t); }
  void grand_sibling(int a, int l, int g, int s) { total += parts.grand_sibling(a, l, g, s); }
  void stop(int h, Side side, int last, int ll, int count) { total += parts.stop(h, side, last, ll, count); }
  void extreme(int a, int l, int in, int out) { total += parts.extreme(a, l, in, out); }
  void frame(int a, int l, uint64_t in, uint64_t out) { total += parts.frame(a, l, in, out); }
};

using Search = CubeSearch<RandomParts>;

std::pair<std::vector<int>, std::vector<int>> tree_of(const Search& search, const ArcSet& arcs, int id) {
  std::vector<int> heads(arcs.words() + 1, 0), labels(arcs.words() + 1, 0);
  search.for_each_arc(id, [&](int a, int l) { heads[arcs.modifier(a)] = arcs.head(a), labels[arcs.modifier(a)] = l; });
  return {heads, labels};
}

TEST(Cube, UnlimitedBeamsGiveEveryTreeOnceWithItsScore) {
  Search search;
  for (int order = 1; order <= 3; ++order)
    for (int n = 1; n <= 5; ++n)
      for (int round = 0; round < 12; ++round) {
        const bool single_root = round < 6;
        const int labels = n <= 4 ? 1 + round % 2 : 1;
        RandomParts parts(n, labels, order, round % 6 >= 4 ? 0.3 : 0, 100 * order + 10 * n + round);
        const auto all = all_trees(parts, labels, single_root);
        const CubeOptions options{.beam = 30000, .slack = 0, .full_signature = true, .single_root = single_root};
        ASSERT_EQ(search.run(parts, options), !all.empty());
        if (all.empty()) continue;
        double best = -1e9;
        for (const auto& [tree, score] : all) best = std::max(best, score);
        // Equal signatures recombine, so not every tree reaches the goal, but the best one does.
        ASSERT_EQ(search.hypothesis(search.result(0)).score, best) << "order " << order << " n " << n;
        for (int r = 0; r < search.results(); ++r) {
          const int id = search.result(r);
          const auto tree = tree_of(search, parts.arcs(), id);
          ASSERT_TRUE(all.contains(tree));
          EXPECT_EQ(search.hypothesis(id).score, all.at(tree));
          Sum sum{parts};
          search.for_each_part(id, sum);
          EXPECT_EQ(sum.total, all.at(tree));
        }
      }
}

TEST(Cube, FirstOrderEqualsEisner) {
  Search search;
  EisnerChart chart;
  ArcMatrix scores;
  for (int round = 0; round < 30; ++round) {
    const int n = 1 + round % 12;
    RandomParts parts(n, 2, 1, 0, 7000 + round);
    scores.reset(n);
    for (int a = 0; a < parts.arcs().size(); ++a)
      scores(parts.arcs().head(a), parts.arcs().modifier(a)) = std::max(parts.arc(a, 0), parts.arc(a, 1));
    ASSERT_TRUE(search.run(parts, {.beam = 4, .slack = 0, .full_signature = true}));
    EXPECT_EQ(search.hypothesis(search.result(0)).score, chart.fill(scores));
  }
}

TEST(Cube, DerivationOfAGivenTreeIsScoredLikeAnyOther) {
  Search search;
  Rng rng(5, "gold");
  for (int order = 1; order <= 3; ++order)
    for (int round = 0; round < 40; ++round) {
      const int n = 1 + round % 5;
      RandomParts parts(n, 2, order, 0, 9000 + 100 * order + round);
      const bool wide = round % 2 == 0, single_root = round % 4 < 2;
      const auto all = all_trees(parts, 2, single_root);
      auto tree = all.begin();
      std::advance(tree, rng.below(all.size()));
      ASSERT_TRUE(search.run(
          parts, {.beam = wide ? 30000 : 2, .slack = 2, .full_signature = true, .single_root = single_root}));
      const int best = search.result(0);
      const float best_score = search.hypothesis(best).score;
      const auto& items = search.derive(tree->first.first, tree->first.second);
      ASSERT_EQ(items.size(), static_cast<size_t>(2 * n));
      EXPECT_EQ(items.back().best, best);
      EXPECT_EQ(search.hypothesis(items.back().hypothesis).score, tree->second);
      EXPECT_EQ(tree_of(search, parts.arcs(), items.back().hypothesis), tree->first);
      if (items.back().same) {
        EXPECT_EQ(best_score, tree->second);
      }
      EXPECT_EQ(items.back().same, tree_of(search, parts.arcs(), best) == tree->first);
      for (const auto& item : items) {
        ASSERT_NE(item.best, ArcSet::kNone);
        // Exact search never ranks an item's best below its hypothesis of the tree.
        if (wide) {
          EXPECT_GE(search.hypothesis(item.best).score, search.hypothesis(item.hypothesis).score);
        }
      }
    }
}

TEST(Cube, LabelingsOfAnItemCanBeLimited) {
  Search search;
  for (int round = 0; round < 60; ++round) {
    RandomParts parts(9, 4, 3, 0.2, 30000 + round);
    const auto run = [&](int labelings, bool single_root) {
      EXPECT_TRUE(search.run(parts, {.beam = 4, .slack = 4, .labelings = labelings, .single_root = single_root}));
      std::map<std::vector<int>, int> roots;  // the words on the root: the two outermost are all that signatures tell
      for (int r = 0; r < search.results(); ++r) {
        const auto [heads, labels] = tree_of(search, parts.arcs(), search.result(r));
        std::vector<int> words;
        for (int m = 1; m <= 9; ++m)
          if (heads[m] == 0) words.push_back(m);
        ++roots[words];
        Sum sum{parts};
        search.for_each_part(search.result(r), sum);
        EXPECT_EQ(sum.total, search.hypothesis(search.result(r)).score);
      }
      int most = 0;
      for (const auto& [words, count] : roots) most = std::max(most, count);
      return most;
    };
    for (const int labelings : {1, 2}) EXPECT_LE(run(labelings, true), labelings);
    run(0, true);
    const float best = search.hypothesis(search.result(0)).score;
    run(1000, true);
    EXPECT_EQ(search.hypothesis(search.result(0)).score, best) << "a limit that is never reached";
  }
}

TEST(Cube, WiderBeamsDoNotHurtOnAverage) {
  Search search;
  double last = -1e9;
  for (const int beam : {1, 2, 6, 24}) {
    double sum = 0;
    for (int round = 0; round < 60; ++round) {
      RandomParts parts(12, 2, 3, 0.4, 20000 + round);
      if (search.run(parts, {.beam = beam, .slack = beam})) sum += search.hypothesis(search.result(0)).score;
    }
    EXPECT_GE(sum, last);
    last = sum;
  }
}

}  // namespace
}  // namespace espalier
