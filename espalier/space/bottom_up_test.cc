#include "espalier/space/bottom_up.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

constexpr int kLabels = 4;  // TOP and three others
constexpr int kWord = 4, kMark = 5;

BottomUp logic(Strategy strategy, int reach = 0) {
  return {strategy, kLabels, {false, false, false, false, false, true}, reach};
}

std::string text(const Forest& forest, int item) {
  const Item& it = forest.items[static_cast<size_t>(item)];
  std::string out = std::to_string(it.symbol);
  if (it.is_terminal()) return out;
  out += '(';
  for (int i = 0; i < it.count; ++i)
    (out += text(forest, forest.children[static_cast<size_t>(it.children + i)])) += ' ';
  return out += ')';
}

/// Walks every derivation; how often each tree was built.
void enumerate(const BottomUp& space, const ForestState& state, const Forest& forest,
               std::map<std::string, int>& trees) {
  if (space.is_final(state, forest)) {
    ++trees[text(forest, state.last)];
    return;
  }
  std::vector<ItemSpan> spans;
  space.spans(state, forest, spans);
  int legal = 0;
  for (const ItemSpan span : spans) {
    for (int label = 0; label < kLabels; ++label) {
      if (!space.allows(state, forest, span, label)) continue;
      ++legal;
      Forest copy = forest;
      enumerate(space, space.apply(state, copy, span, label, 0), copy, trees);
    }
  }
  ASSERT_GT(legal, 0) << "dead end";
}

std::map<std::string, int> all_trees(Strategy strategy, const std::vector<int>& words) {
  const BottomUp space = logic(strategy);
  Forest forest;
  const ForestState start = space.initial(words, forest);
  std::map<std::string, int> trees;
  enumerate(space, start, forest, trees);
  return trees;
}

TEST(BottomUp, DeterministicLogicsBuildEveryTreeOnce) {
  for (const auto& words : {std::vector<int>{kWord}, {kWord, kWord}, {kWord, kMark, kWord}}) {
    const auto l2r = all_trees(Strategy::kLeftToRight, words), r2l = all_trees(Strategy::kRightToLeft, words);
    for (const auto& [tree, ways] : l2r) EXPECT_EQ(ways, 1) << tree;
    for (const auto& [tree, ways] : r2l) EXPECT_EQ(ways, 1) << tree;
    EXPECT_EQ(l2r, r2l);
  }
}

TEST(BottomUp, FreeOrderBuildsTheSameTrees) {
  const std::vector<int> words = {kWord, kWord};
  const auto free = all_trees(Strategy::kBottomUp, words), r2l = all_trees(Strategy::kRightToLeft, words);
  EXPECT_EQ(free.size(), r2l.size());
  int more = 0;
  for (const auto& [tree, ways] : free) {
    EXPECT_TRUE(r2l.contains(tree));
    more += ways > 1;
  }
  EXPECT_GT(more, 0);
}

TEST(BottomUp, NoDeadEndsOnRandomWalks) {
  Rng rng(3, "walks");
  for (const auto& space : {logic(Strategy::kLeftToRight), logic(Strategy::kRightToLeft), logic(Strategy::kBottomUp),
                            logic(Strategy::kLeftToRight, 1), logic(Strategy::kRightToLeft, 2)}) {
    for (int trial = 0; trial < 300; ++trial) {
      std::vector<int> words(1 + rng.below(14));
      for (int& w : words) w = rng.below(2) ? kMark : kWord;  // many marks in a row
      Forest forest;
      ForestState state = space.initial(words, forest);
      std::vector<ItemSpan> spans;
      for (int steps = 0; !space.is_final(state, forest); ++steps) {
        ASSERT_LT(steps, 200);
        space.spans(state, forest, spans);
        std::vector<std::pair<ItemSpan, int>> legal;
        for (const ItemSpan span : spans) {
          for (int label = 0; label < kLabels; ++label) {
            if (space.allows(state, forest, span, label)) legal.push_back({span, label});
          }
        }
        ASSERT_FALSE(legal.empty());
        const auto [span, label] = legal[rng.below(legal.size())];
        state = space.apply(state, forest, span, label, 0);
      }
      EXPECT_EQ(forest.items[static_cast<size_t>(state.last)].end, static_cast<int>(words.size()));
    }
  }
}

TEST(BottomUp, Restrictions) {
  const BottomUp space = logic(Strategy::kRightToLeft);
  Forest forest;
  ForestState state = space.initial(std::vector<int>{kWord, kMark, kWord, kWord, kWord, kWord, kWord}, forest);
  std::vector<ItemSpan> spans;
  space.spans(state, forest, spans);
  for (const ItemSpan span : spans) {
    EXPECT_LE(span.count, BottomUp::kMaxChildren);
    EXPECT_NE(span.first, 1);                   // begins with a mark
    EXPECT_NE(span.first + span.count - 1, 1);  // ends with one
  }
  EXPECT_FALSE(space.allows(state, forest, {0, 1}, BottomUp::kTop));
  state = space.apply(state, forest, {3, 1}, 2, 0);
  EXPECT_FALSE(space.allows(state, forest, {3, 1}, 2));  // the label again
  EXPECT_TRUE(space.allows(state, forest, {3, 1}, 1));
  space.spans(state, forest, spans);
  for (const ItemSpan span : spans) EXPECT_LE(span.first, 3);  // nothing right of the last item
}

TEST(BottomUp, AReachLimitsHowFarTheNextInferenceIs) {
  Rng rng(5, "reach");
  for (const auto strategy : {Strategy::kLeftToRight, Strategy::kRightToLeft}) {
    constexpr int kReach = 3;
    const BottomUp free = logic(strategy), near = logic(strategy, kReach);
    for (int trial = 0; trial < 100; ++trial) {
      Forest forest;
      ForestState state = free.initial(std::vector<int>(1 + rng.below(20), kWord), forest);
      while (!free.is_final(state, forest)) {
        std::vector<ItemSpan> all, expected, spans;
        free.spans(state, forest, all);
        const bool from_right = strategy == Strategy::kRightToLeft;
        int at = from_right ? state.size - 1 : 0;
        for (int p = 0; p < state.size; ++p)
          if (state.frontier(forest)[static_cast<size_t>(p)] == state.last) at = p;
        for (const ItemSpan span : all)
          if (from_right ? at - span.first <= kReach : span.first + span.count - 1 - at <= kReach)
            expected.push_back(span);
        near.spans(state, forest, spans);
        ASSERT_EQ(spans, expected);
        // Walk on, also to where the nearer logic would not go; joining takes the walk to its end.
        std::erase_if(all, [&](const ItemSpan& span) { return span.count == 1 && state.size > 1; });
        state = free.apply(state, forest, all[rng.below(all.size())], state.size == 1 ? BottomUp::kTop : 1, 0);
      }
    }
  }
}

TEST(BottomUp, SignatureForgetsTheOrderButNotUnaryChains) {
  const BottomUp space = logic(Strategy::kBottomUp);
  Forest forest;
  const ForestState start = space.initial(std::vector<int>{kWord, kWord}, forest);
  const auto a = space.apply(space.apply(start, forest, {0, 1}, 1, 0), forest, {1, 1}, 2, 0);
  const auto b = space.apply(space.apply(start, forest, {1, 1}, 2, 0), forest, {0, 1}, 1, 0);
  EXPECT_EQ(a.signature, b.signature);
  const auto c = space.apply(space.apply(start, forest, {0, 1}, 1, 0), forest, {0, 1}, 2, 0);
  const auto d = space.apply(space.apply(start, forest, {0, 1}, 2, 0), forest, {0, 1}, 1, 0);
  EXPECT_NE(c.signature, d.signature);
}

}  // namespace
}  // namespace espalier
