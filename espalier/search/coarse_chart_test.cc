#include "espalier/search/coarse_chart.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "espalier/base/rng.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

/// The items of one tree, found by walking it: (what, i, middle, j, side).
enum What { kArcItem, kCompleteItem, kJoin, kCompletion };
using Item = std::tuple<int, int, int, int, int>;

class Items {
 public:
  Items(const std::vector<int>& heads, bool single_root, std::set<Item>& all)
      : heads_(heads), single_root_(single_root), all_(all) {
    side_of(0, kRightSide);
  }

 private:
  /// Adds what the head's side is made of, and returns how far it reaches.
  int side_of(int head, Side side) {
    const int n = static_cast<int>(heads_.size()) - 1, step = side == kRightSide ? 1 : -1;
    const Side facing = side == kRightSide ? kLeftSide : kRightSide;
    int end = head;
    for (int m = head + step; m >= 1 && m <= n; m += step) {
      if (heads_[m] != head) continue;
      const int i = std::min(head, m), j = std::max(head, m), before = end;
      const int inner = side_of(m, facing);
      EXPECT_EQ(inner, before + step);
      all_.insert({kArcItem, i, 0, j, side});
      all_.insert({kJoin, i, side == kRightSide ? before : inner, j, side});
      end = side_of(m, side);
      const int from = std::min(head, end), to = std::max(head, end);
      if (head == 0 && single_root_ && to < n) continue;  // of the root nothing but the whole is an item
      all_.insert({kCompleteItem, from, 0, to, side});
      all_.insert({kCompletion, from, m, to, side});
    }
    return end;
  }
  const std::vector<int>& heads_;
  const bool single_root_;
  std::set<Item>& all_;
};

// What is kept is what the trees within the gap are made of: no less, and no more.
TEST(CoarseChart, KeepsWhatGoodTreesAreMadeOf) {
  Rng rng(1, "coarse");
  CoarseChart chart;
  for (int n = 1; n <= 6; ++n)
    for (int round = 0; round < 24; ++round) {
      const bool single_root = round % 2 == 0;
      ArcSet arcs;
      arcs.reset(n);
      ArcMatrix scores;
      scores.reset(n);
      for (int h = 0; h <= n; ++h)
        for (int m = 1; m <= n; ++m)
          if (h != m && (h == m - 1 || rng.uniform() > 0.3)) {  // a chain is always there
            arcs.keep(h, m);
            scores(h, m) = static_cast<float>(rng.below(1024)) / 64;
          }
      arcs.number();
      std::vector<std::pair<float, std::vector<int>>> trees;
      float best = kNoArc;
      for_each_tree(n, single_root, [&](const std::vector<int>& heads) {
        if (!arcs_do_not_cross(heads)) return;
        float sum = 0;
        for (int m = 1; m <= n; ++m) sum += scores(heads[m], m);
        if (sum == kNoArc) return;
        trees.push_back({sum, heads});
        best = std::max(best, sum);
      });
      const float gap = static_cast<float>(rng.below(640)) / 64;
      std::set<Item> good;
      for (const auto& [score, heads] : trees)
        if (score >= best - gap) Items(heads, single_root, good);
      chart.fill(arcs, scores, gap, single_root);
      for (int i = 0; i <= n; ++i)
        for (int j = i + 1; j <= n; ++j)
          for (const Side side : {kLeftSide, kRightSide}) {
            if (i == 0 && side == kLeftSide) continue;
            const int head = side == kRightSide ? i : j, modifier = side == kRightSide ? j : i;
            const bool arc = arcs.kept(head, modifier);
            EXPECT_EQ(arc && chart.keeps_arc(head, modifier), good.contains({kArcItem, i, 0, j, side}));
            for (int k = i; arc && k < (i == 0 && single_root ? 1 : j); ++k)
              EXPECT_EQ(chart.keeps_join(i, k, j, side), good.contains({kJoin, i, k, j, side}));
            if (i == 0 && single_root && j < n) continue;
            const bool complete = good.contains({kCompleteItem, i, 0, j, side});
            EXPECT_EQ(chart.keeps_complete(i, j, side), complete);
            for (int m = side == kRightSide ? i + 1 : i; m < (side == kRightSide ? j + 1 : j); ++m) {
              if (!complete || !arcs.kept(head, m)) continue;
              EXPECT_EQ(chart.keeps_completion(i, m, j, side), good.contains({kCompletion, i, m, j, side}));
            }
          }
    }
}

}  // namespace
}  // namespace espalier
