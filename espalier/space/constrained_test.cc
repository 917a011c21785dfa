#include "espalier/space/constrained.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "espalier/space/arc_eager.h"
#include "espalier/space/arc_hybrid.h"
#include "espalier/space/arc_standard.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

using Heads = std::vector<int>;

/// All trees that some walk builds; fails where a walk has no next step.
template <class Space>
std::set<Heads> trees_built(const Space& space, const Heads& given, bool& dead_end) {
  const int n = static_cast<int>(given.size()) - 1;
  DependencyTree partial(n);
  partial.head = given;
  const Gold gold(partial);
  const ActionTable actions;
  const std::vector<bool> encoded;
  const Constrained<Space> constrained(space, actions, gold, encoded);
  typename Space::Arena arena;
  Heads heads(given.size(), -1);
  std::set<Heads> built;
  const std::function<void(typename Space::State)> walk = [&](typename Space::State state) {
    if (constrained.is_final(state, arena)) {
      heads[0] = 0;
      built.insert(heads);
      return;
    }
    MoveSet legal = constrained.legal(state, arena);
    dead_end = dead_end || legal == 0;
    for (int move = 0; legal; ++move, legal >>= 1) {
      if (!(legal & 1)) continue;
      const Arc arc = space.part(state, arena, move);
      if (arc.dependent) heads[static_cast<size_t>(arc.dependent)] = arc.head;
      auto next = state;
      constrained.apply(next, arena, move, 0);
      walk(next);
    }
  };
  walk(constrained.initial(arena, n));
  return built;
}

/// Every choice of given heads that some tree of the list has.
void for_each_part(const std::vector<Heads>& trees, const std::function<void(const Heads&)>& visit) {
  std::set<Heads> parts;
  for (const Heads& tree : trees)
    for (unsigned kept = 0; kept < 1u << (tree.size() - 1); ++kept) {
      Heads part = tree;
      for (size_t m = 1; m < part.size(); ++m)
        if (!(kept >> (m - 1) & 1)) part[m] = -1;
      parts.insert(part);
    }
  for (const Heads& part : parts) visit(part);
}

bool agrees(const Heads& tree, const Heads& given) {
  for (size_t m = 1; m < tree.size(); ++m)
    if (given[m] >= 0 && given[m] != tree[m]) return false;
  return true;
}

template <class Space>
void expect_exactly_the_trees_with_what_is_given(Space space, bool single_root) {
  space.single_root = single_root;
  // Arc-eager leaves it to the parser to choose among several roots.
  const bool builds_one_root = single_root && Space::kName != ArcEager::kName;
  for (int n = 1; n <= 5; ++n) {
    std::vector<Heads> asked, all;
    for_each_tree(n, single_root, [&](const Heads& heads) {
      if (arcs_do_not_cross(heads)) asked.push_back(heads);
    });
    for_each_tree(n, builds_one_root, [&](const Heads& heads) {
      if (arcs_do_not_cross(heads)) all.push_back(heads);
    });
    for_each_part(asked, [&](const Heads& given) {
      bool dead_end = false;
      const std::set<Heads> built = trees_built(space, given, dead_end);
      EXPECT_FALSE(dead_end) << ::testing::PrintToString(given) << single_root;
      std::set<Heads> expected;
      for (const Heads& tree : all)
        if (agrees(tree, given)) expected.insert(tree);
      EXPECT_EQ(built, expected) << ::testing::PrintToString(given);
    });
  }
}

TEST(Constrained, ArcStandardBuildsExactlyTheTreesWithWhatIsGiven) {
  expect_exactly_the_trees_with_what_is_given(ArcStandard(), true);
  expect_exactly_the_trees_with_what_is_given(ArcStandard(), false);
}
TEST(Constrained, ArcHybridBuildsExactlyTheTreesWithWhatIsGiven) {
  expect_exactly_the_trees_with_what_is_given(ArcHybrid(), true);
  expect_exactly_the_trees_with_what_is_given(ArcHybrid(), false);
}
TEST(Constrained, ArcEagerBuildsExactlyTheTreesWithWhatIsGiven) {
  expect_exactly_the_trees_with_what_is_given(ArcEager(), true);
}
TEST(Constrained, SwapBuildsNothingElseAndEveryTree) {
  for (int n = 1; n <= 3; ++n) {
    std::vector<Heads> all;
    for_each_tree(n, true, [&](const Heads& heads) { all.push_back(heads); });
    for_each_part(all, [&](const Heads& given) {
      bool dead_end = false;
      std::set<Heads> expected;
      for (const Heads& tree : all)
        if (agrees(tree, given)) expected.insert(tree);
      EXPECT_EQ(trees_built(ArcStandardSwap(), given, dead_end), expected);
    });
  }
}

}  // namespace
}  // namespace espalier
