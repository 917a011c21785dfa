// The oracle of brackets against enumeration: along derivations of gold trees exactly one action costs nothing; without
// parts that are under way the costs are exact; in any state what it thinks best is best.
#include "espalier/space/bracket_oracle.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/random_constituents.h"

namespace espalier {
namespace {

using Action = ShiftReduce::Step;

/// A random gold tree of a few words, and everything that can be done with them.
class SmallTree {
 public:
  SmallTree(int words, Rng& rng) : words(words) {
    const ConstituentTree tree = testing::RandomConstituents(words, rng).tree;
    Vocabulary names;
    names.add("never in gold");
    gold = binarised(
        tree, [&](int node) { return static_cast<int>(rng.below(tree.nodes[node].children.size())); }, names);
    space = ShiftReduce(names.texts());
    oracle = BracketOracle(gold);
    for (const bool unary : {false, true}) {
      labels[unary] = oracle.labels(unary);
      labels[unary].push_back(0);
    }
  }

  std::vector<Action> actions(const ConstituentState& state) const {
    std::vector<Action> all;
    for (MoveSet legal = space.legal(state, arena); legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      if (move == ShiftReduce::kShift || move == ShiftReduce::kStay) {
        all.push_back({move, -1});
        continue;
      }
      for (const int label : labels[move == ShiftReduce::kUnary])
        if (space.allows(state, arena, move, label)) all.push_back({move, label});
    }
    return all;
  }
  int worth(const ConstituentState& state, const Action& action) {
    return oracle.worth(space, state, arena, action.move, action.label, scratch);
  }
  /// The same by enumeration of everything that can follow.
  int true_worth(ConstituentState state, const Action& action) {
    const size_t size = arena.items.size();
    space.apply(state, arena, action.move, action.label);
    int best = space.is_final(state, arena) ? 0 : -1000;
    for (const Action& next : space.is_final(state, arena) ? std::vector<Action>() : actions(state))
      best = std::max(best, true_worth(state, next));
    best += oracle.worth_of_built(state, arena, action.move);
    arena.items.resize(size);
    return best;
  }
  bool has_part(const ConstituentState& state, const Action& next) const {
    bool part = next.move == ShiftReduce::kLeftPart || next.move == ShiftReduce::kRightPart;
    for (int i = state.top; i != ConstituentItem::kNone; i = arena[i].below) part |= arena[i].part;
    return part;
  }

  int words;
  BinaryTree gold;
  ShiftReduce space;
  BracketOracle oracle;
  ConstituentArena arena;
  BracketOracle::Scratch scratch;
  std::array<std::vector<int>, 2> labels;
};

TEST(BracketOracle, FollowingItBuildsTheGoldTreeInOneWay) {
  Rng rng(1, "oracle");
  for (int trial = 0; trial < 500; ++trial) {
    SmallTree tree(1 + static_cast<int>(rng.below(9)), rng);
    ConstituentState state = tree.space.initial(tree.arena, tree.words);
    int gained = 0;
    for (const Action& gold : ShiftReduce::derivation(tree.gold)) {
      for (const Action& action : tree.actions(state)) {
        const int left = tree.oracle.all() - gained - tree.worth(state, action);
        EXPECT_EQ(left == 0, action == gold) << left;
        EXPECT_GE(left, 0);
      }
      tree.space.apply(state, tree.arena, gold.move, gold.label);
      gained += tree.oracle.worth_of_built(state, tree.arena, gold.move);
    }
    EXPECT_EQ(gained, tree.oracle.all());
  }
}

TEST(BracketOracle, WhatItThinksBestIsBestAndCostsAreExactWithoutParts) {
  Rng rng(2, "oracle");
  int estimates = 0, all = 0;
  for (int trial = 0; trial < 150; ++trial) {
    SmallTree tree(1 + static_cast<int>(rng.below(3)), rng);
    for (const double astray : {0.0, 0.3, 0.9}) {
      ConstituentState state = tree.space.initial(tree.arena, tree.words);
      while (!tree.space.is_final(state, tree.arena)) {
        const std::vector<Action> actions = tree.actions(state);
        std::vector<int> thought, truth;
        for (const Action& action : actions) {
          thought.push_back(tree.worth(state, action));
          truth.push_back(tree.true_worth(state, action));
          EXPECT_GE(thought.back(), truth.back());
          if (!tree.has_part(state, action)) {
            EXPECT_EQ(thought.back(), truth.back());
          }
          estimates += thought.back() != truth.back();
          ++all;
        }
        const int best = std::ranges::max(thought);
        for (size_t i = 0; i < actions.size(); ++i)
          if (thought[i] == best) {
            EXPECT_EQ(truth[i], std::ranges::max(truth));
          }
        const auto& next =
            actions[rng.uniform() < astray ? rng.below(actions.size())
                                           : static_cast<size_t>(std::ranges::max_element(thought) - thought.begin())];
        tree.space.apply(state, tree.arena, next.move, next.label);
      }
    }
  }
  EXPECT_LT(estimates, all / 5);
}

}  // namespace
}  // namespace espalier
