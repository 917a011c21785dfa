// The shift-reduce space: every tree has one derivation and it rebuilds the tree; no walk ends in a dead end; and beam
// search without a limit finds what enumeration finds.
#include "espalier/space/shift_reduce.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "espalier/search/beam.h"
#include "tests/random_constituents.h"

namespace espalier {
namespace {

bool can_take(const ShiftReduce& space, const ConstituentState& state, const ConstituentArena& arena, int move,
              int label) {
  return (space.legal(state, arena) >> move & 1) && space.allows(state, arena, move, label);
}

TEST(ShiftReduce, TheDerivationOfEveryTreeRebuildsIt) {
  Rng rng(1, "shift-reduce");
  for (int trial = 0; trial < 2000; ++trial) {
    const int words = 1 + static_cast<int>(rng.below(9));
    const auto tree = testing::RandomConstituents(words, rng).tree;
    Vocabulary labels;
    const auto head = [&](int node) {
      return static_cast<int>(rng.below(tree.nodes[static_cast<size_t>(node)].children.size()));
    };
    const BinaryTree gold = binarised(tree, head, labels);
    const ShiftReduce space(labels.texts());
    ConstituentArena arena;
    auto state = space.initial(arena, words);
    const auto steps = ShiftReduce::derivation(gold);
    EXPECT_EQ(steps.size(), static_cast<size_t>(4 * words - 2));
    for (const auto& [move, label] : steps) {
      ASSERT_FALSE(space.is_final(state, arena));
      ASSERT_TRUE(can_take(space, state, arena, move, label)) << "move " << move;
      space.apply(state, arena, move, label);
    }
    ASSERT_TRUE(space.is_final(state, arena));
    BinaryTree built;
    ShiftReduce::append_tree(arena, state.top, built);
    EXPECT_EQ(built, gold);
  }
}

/// All labels on all sides: what a trained model has.
ActionTable all_actions(int labels) {
  std::vector<ActionTable::Count> counts;
  for (const int move :
       {ShiftReduce::kLeft, ShiftReduce::kRight, ShiftReduce::kLeftPart, ShiftReduce::kRightPart, ShiftReduce::kUnary})
    for (int label = 0; label < labels; ++label) counts.push_back({move, label, 1});
  std::vector<bool> unlabelled(ShiftReduce::kMoves, false);
  unlabelled[ShiftReduce::kShift] = unlabelled[ShiftReduce::kStay] = true;
  return ActionTable(ShiftReduce::kMoves, unlabelled, counts, 1000,
                     std::vector<std::string>(static_cast<size_t>(labels)));
}

TEST(ShiftReduce, RandomWalksEndInATree) {
  const ShiftReduce space({"A", "B", "A B"});
  const ActionTable actions = all_actions(3);
  Rng rng(2, "walk");
  for (int trial = 0; trial < 3000; ++trial) {
    const int words = 1 + static_cast<int>(rng.below(8));
    ConstituentArena arena;
    auto state = space.initial(arena, words);
    int steps = 0;
    while (!space.is_final(state, arena)) {
      std::vector<ActionTable::Action> open;
      for (int column = 0; column < actions.columns(); ++column) {
        const auto& action = actions.action(column);
        if (can_take(space, state, arena, action.move, action.label)) open.push_back(action);
      }
      ASSERT_FALSE(open.empty()) << "dead end";
      const auto& action = open[rng.below(open.size())];
      space.apply(state, arena, action.move, action.label);
      ++steps;
    }
    EXPECT_EQ(steps, 4 * words - 2);
    EXPECT_EQ(arena[state.top].first, 1);
    EXPECT_EQ(arena[state.top].last, words);
    EXPECT_FALSE(arena[state.top].part);
  }
}

struct Enumeration {
  long derivations = 0;
  double best = -1e9;
  std::set<std::vector<int>> trees;  // flattened nodes
};

/// Scores that depend on the state and the column in an arbitrary but fixed way.
struct RandomRows {
  const ConstituentArena* arena;
  uint64_t seed;
  std::vector<int> row = std::vector<int>(32);

  const int* operator()(const ConstituentState& c, int = 0) {
    uint64_t look = static_cast<uint64_t>(c.next * 2 + c.unary_due);
    for (int i = c.top, depth = 0; i >= 0 && depth < 2; i = (*arena)[i].below, ++depth)
      look = combine(look, (*arena)[i].look[1]);
    for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<int>(combine(look, seed + i) % 1000);
    return row.data();
  }
};

Enumeration enumerate(const ShiftReduce& space, const ActionTable& actions, int words, ConstituentArena& arena,
                      RandomRows& rows) {
  Enumeration all;
  std::function<void(ConstituentState, double)> walk = [&](ConstituentState state, double score) {
    if (space.is_final(state, arena)) {
      ++all.derivations;
      all.best = std::max(all.best, score);
      BinaryTree tree;
      ShiftReduce::append_tree(arena, state.top, tree);
      std::vector<int> key;
      for (const auto& n : tree.nodes)
        for (const int x : {int{n.kind}, int{n.part}, n.word, n.label, n.left, n.right}) key.push_back(x);
      all.trees.insert(key);
      return;
    }
    const bool forced = forced_column(space.legal(state, arena), actions) >= 0;
    for (int column = 0; column < actions.columns(); ++column) {
      const auto& action = actions.action(column);
      if (!can_take(space, state, arena, action.move, action.label)) continue;
      const size_t mark = arena.items.size();
      const double step = forced ? 0 : rows(state)[column];
      auto next = state;
      space.apply(next, arena, action.move, action.label);
      walk(next, score + step);
      arena.items.resize(mark);
    }
  };
  walk(space.initial(arena, words), 0);
  return all;
}

TEST(ShiftReduce, AnUnboundedBeamFindsTheBestAndEveryTreeHasOneDerivation) {
  const ShiftReduce space({"A", "B"});
  const ActionTable actions = all_actions(2);
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const int words = 1 + static_cast<int>(seed % 3);
    ConstituentArena arena;
    RandomRows rows{&arena, seed};
    const Enumeration all = enumerate(space, actions, words, arena, rows);
    EXPECT_EQ(static_cast<size_t>(all.derivations), all.trees.size());
    Beam<ShiftReduce> beam;
    beam.run(space, actions, words, 1'000'000, arena, rows);
    EXPECT_EQ(static_cast<long>(beam.survivors().size()), all.derivations);
    EXPECT_EQ(beam.survivors()[0].score, all.best);
    // A narrow one keeps its order and finds no better one.
    beam.run(space, actions, words, 3, arena, rows);
    EXPECT_LE(beam.survivors()[0].score, all.best);
    EXPECT_LE(beam.survivors().size(), 3u);
  }
}

}  // namespace
}  // namespace espalier
