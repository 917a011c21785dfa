// Every transition system against brute force: all projective trees of up to five words, all reachable states.
#include <gtest/gtest.h>

#include <functional>

#include "espalier/base/rng.h"
#include "espalier/space/arc_eager.h"
#include "espalier/space/arc_hybrid.h"
#include "espalier/space/arc_standard.h"
#include "espalier/tree/projectivity.h"

namespace espalier {
namespace {

bool is_tree(const std::vector<int>& head) {
  for (size_t i = 1; i < head.size(); ++i) {
    size_t up = i, steps = 0;
    while (up != 0 && steps++ < head.size()) up = static_cast<size_t>(head[up]);
    if (up != 0) return false;
  }
  return true;
}

int roots(const std::vector<int>& head) { return static_cast<int>(std::count(head.begin() + 1, head.end(), 0)); }

void for_all_trees(int n, const std::function<void(const DependencyTree&)>& visit) {
  DependencyTree tree(n);
  std::function<void(int)> fill = [&](int word) {
    if (word > n) {
      if (is_tree(tree.head)) visit(tree);
      return;
    }
    for (int h = 0; h <= n; ++h) {
      if (h == word) continue;
      tree.head[static_cast<size_t>(word)] = h;
      tree.label[static_cast<size_t>(word)] = word % 3;
      fill(word + 1);
    }
  };
  fill(1);
}

template <class Space>
void take(const Space& space, typename Space::State& state, typename Space::Arena& arena, int move,
          DependencyTree& built) {
  const Arc arc = space.part(state, arena, move);
  if (arc.dependent != 0) built.head[static_cast<size_t>(arc.dependent)] = arc.head;
  space.apply(state, arena, move, arc.dependent % 3);
}

template <class Space>
DependencyTree follow_oracle(const Space& space, const Gold& gold, int* steps = nullptr) {
  typename Space::Arena arena;
  DependencyTree built(gold.size());
  auto state = space.initial(arena, gold.size());
  int count = 0;
  while (!space.is_final(state, arena)) {
    const int move = space.oracle(state, arena, gold);
    EXPECT_TRUE(space.legal(state, arena) >> move & 1) << Space::kName << " move " << move;
    if (!(space.legal(state, arena) >> move & 1)) break;
    take(space, state, arena, move, built);
    if (++count > 1000) {
      ADD_FAILURE() << "the oracle does not end";
      break;
    }
  }
  if (steps) *steps = count;
  return built;
}

/// What they are worth.
int wrong_heads(const DependencyTree& built, const Gold& gold) {
  int wrong = 0;
  for (size_t i = 1; i < built.head.size(); ++i) wrong += built.head[i] != gold.head[i] ? gold.worth[i] : 0;
  return wrong;
}

// The least number of wrong heads reachable from a state, checking the cost of every legal move on the way.
template <class Space>
int least_loss(const Space& space, typename Space::State state, typename Space::Arena& arena,
               const DependencyTree& built, const Gold& gold) {
  if (space.is_final(state, arena)) return wrong_heads(built, gold);
  std::vector<int> losses(Space::kMoves, -1);
  int least = 1000;
  for (int move = 0; move < Space::kMoves; ++move) {
    if (!(space.legal(state, arena) >> move & 1)) continue;
    auto next = state;
    auto tree = built;
    const size_t mark = arena.items.size();
    take(space, next, arena, move, tree);
    losses[static_cast<size_t>(move)] = least_loss(space, next, arena, tree, gold);
    arena.items.resize(mark);
    least = std::min(least, losses[static_cast<size_t>(move)]);
  }
  EXPECT_LT(least, 1000) << "dead end in " << Space::kName;
  for (int move = 0; move < Space::kMoves; ++move)
    if (losses[static_cast<size_t>(move)] >= 0) {
      EXPECT_EQ(space.cost(state, arena, gold, move), losses[static_cast<size_t>(move)] - least)
          << Space::kName << " move " << move;
    }
  return least;
}

template <class Space>
class TransitionSystem : public ::testing::Test {};
using Systems = ::testing::Types<ArcStandard, ArcStandardSwap, ArcHybrid, ArcEager>;
TYPED_TEST_SUITE(TransitionSystem, Systems);

TYPED_TEST(TransitionSystem, OracleRebuildsEveryTreeOfItsClass) {
  for (bool single : {true, false}) {
    TypeParam space;
    space.single_root = single;
    for (int n = 0; n <= 5; ++n)
      for_all_trees(n, [&](const DependencyTree& tree) {
        if ((single && n > 0 && roots(tree.head) != 1) || (!TypeParam::kNonProjective && !is_projective(tree.head)))
          return;
        int steps = 0;
        const Gold gold(tree);
        EXPECT_EQ(wrong_heads(follow_oracle(space, gold, &steps), gold), 0) << TypeParam::kName;
        EXPECT_TRUE(steps == 2 * n || !is_projective(tree.head));
      });
  }
}

TYPED_TEST(TransitionSystem, RandomWalksEndInTrees) {
  Rng rng(1, "walk");
  for (bool single : {true, false}) {
    TypeParam space;
    space.single_root = single;
    typename TypeParam::Arena arena;
    for (int round = 0; round < 500; ++round) {
      const int n = 1 + static_cast<int>(rng.below(9));
      auto state = space.initial(arena, n);
      DependencyTree built(n);
      for (int steps = 0; !space.is_final(state, arena); ++steps) {
        const MoveSet legal = space.legal(state, arena);
        ASSERT_NE(legal, 0u);
        ASSERT_LE(steps, 2 * n + n * (n - 1));
        int move;
        do move = static_cast<int>(rng.below(TypeParam::kMoves));
        while (!(legal >> move & 1));
        take(space, state, arena, move, built);
      }
      EXPECT_TRUE(is_tree(built.head));
      for (int i = 1; i <= n; ++i) EXPECT_GE(built.head[static_cast<size_t>(i)], 0);
      EXPECT_TRUE(!single || (std::is_same_v<TypeParam, ArcEager>) || roots(built.head) == 1);
    }
  }
}

template <class Space>
class DynamicSystem : public ::testing::Test {};
using DynamicSystems = ::testing::Types<ArcHybrid, ArcEager>;
TYPED_TEST_SUITE(DynamicSystem, DynamicSystems);

TYPED_TEST(DynamicSystem, CostsEqualBruteForceInEveryReachableState) {
  for (bool single : {true, false}) {
    TypeParam space;
    space.single_root = single;
    for (int n = 1; n <= 4; ++n)
      for_all_trees(n, [&](const DependencyTree& tree) {
        if (!is_projective(tree.head) || (single && roots(tree.head) != 1)) return;
        Gold gold(tree);
        typename TypeParam::Arena arena;
        for (const int base : {1, 3}) {  // all arcs are worth the same, or 0, 1, 3, 9
          for (int i = 1, worth = base == 1; i <= n; ++i, worth = std::max(1, worth * base))
            gold.worth[static_cast<size_t>(i)] = worth;
          const auto state = space.initial(arena, n);
          EXPECT_EQ(least_loss(space, state, arena, DependencyTree(n), gold), 0);
        }
      });
  }
}

TYPED_TEST(DynamicSystem, CostsOfARandomWalkAddUpToItsLoss) {
  Rng rng(2, "walk");
  for (int round = 0; round < 3000; ++round) {
    const int n = 1 + static_cast<int>(rng.below(9));
    DependencyTree tree(n);
    for (int i = 1; i <= n; ++i) {  // attach each word to an earlier one of a random order, then lift
      tree.head[static_cast<size_t>(i)] = 0;
      tree.label[static_cast<size_t>(i)] = 0;
    }
    std::vector<int> order;
    for (int i = 1; i <= n; ++i) order.push_back(i);
    rng.shuffle(order);
    for (size_t i = 1; i < order.size(); ++i) tree.head[static_cast<size_t>(order[i])] = order[rng.below(i)];
    projectivise(tree.head);
    if (roots(tree.head) != 1) continue;
    const Gold gold(tree);
    TypeParam space;
    typename TypeParam::Arena arena;
    auto state = space.initial(arena, n);
    DependencyTree built(n);
    int sum = 0;
    while (!space.is_final(state, arena)) {
      int move;
      do move = static_cast<int>(rng.below(TypeParam::kMoves));
      while (!(space.legal(state, arena) >> move & 1));
      sum += space.cost(state, arena, gold, move);
      take(space, state, arena, move, built);
    }
    EXPECT_EQ(sum, wrong_heads(built, gold));
  }
}

TEST(ArcStandard, LateOracleAttachesRightDependentsFirst) {
  ArcStandard space;
  space.late_left = true;
  int differs = 0;
  for (int n = 1; n <= 5; ++n)
    for_all_trees(n, [&](const DependencyTree& tree) {
      if (!is_projective(tree.head) || roots(tree.head) != 1) return;
      const Gold gold(tree);
      EXPECT_EQ(wrong_heads(follow_oracle(space, gold), gold), 0);
      ++differs;
    });
  EXPECT_GT(differs, 50);
  // w1 ← w2 → w3: late LEFT means SHIFT SHIFT SHIFT RIGHT LEFT ROOT.
  DependencyTree tree(3);
  tree.head = {-1, 2, 0, 2};
  tree.label = {-1, 0, 0, 0};
  const Gold gold(tree);
  ItemArena arena;
  auto state = space.initial(arena, 3);
  std::vector<int> moves;
  while (!space.is_final(state, arena)) {
    moves.push_back(space.oracle(state, arena, gold));
    space.apply(state, arena, moves.back(), 0);
  }
  EXPECT_EQ(moves, (std::vector<int>{ArcStandard::kShift, ArcStandard::kShift, ArcStandard::kShift, ArcStandard::kRight,
                                     ArcStandard::kLeft, ArcStandard::kRoot}));
}

}  // namespace
}  // namespace espalier
