// Beam search against enumeration of all derivations, and against greedy search.
#include "espalier/search/beam.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "espalier/base/hash.h"
#include "espalier/search/greedy.h"
#include "espalier/space/arc_eager.h"
#include "espalier/space/arc_hybrid.h"
#include "espalier/space/arc_standard.h"

namespace espalier {
namespace {

/// Scores that depend on the state and the column in an arbitrary but fixed way.
struct RandomRows {
  const ItemArena* arena;
  uint64_t seed;
  std::vector<int> row;

  const int* operator()(const StackState& c, int = 0) {
    const uint64_t top = c.top == StackItem::kNone ? 0 : (*arena)[c.top].signature;
    const uint64_t under = c.top == StackItem::kNone || (*arena)[c.top].below == StackItem::kNone
                               ? 0
                               : (*arena)[(*arena)[c.top].below].signature;
    row.resize(8);
    for (size_t i = 0; i < row.size(); ++i)
      row[i] =
          static_cast<int>(mix(combine(combine(top, under), seed + i) + static_cast<uint64_t>(c.b(*arena, 0))) % 1000);
    return row.data();
  }
};

template <class Space>
ActionTable one_label_each() {
  std::vector<bool> unlabelled(static_cast<size_t>(Space::kMoves), true);
  std::vector<ActionTable::Count> counts;
  for (const int move : {int{Space::kLeft}, int{Space::kRight}, int{Space::kRoot}}) {
    unlabelled[static_cast<size_t>(move)] = false;
    counts.push_back({move, 0, 1});
  }
  return ActionTable(Space::kMoves, unlabelled, counts, 64, {"label"});
}

template <class Space>
class BeamOver : public ::testing::Test {};
using Spaces = ::testing::Types<ArcStandard, ArcHybrid, ArcEager, ArcStandardSwap>;
TYPED_TEST_SUITE(BeamOver, Spaces);

TYPED_TEST(BeamOver, UnboundedEqualsEnumeration) {
  const TypeParam space;
  const ActionTable actions = one_label_each<TypeParam>();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const int words = 1 + static_cast<int>(seed % 4);
    ItemArena arena;
    RandomRows rows{&arena, seed, {}};
    double best = -1e9;
    long complete = 0;
    std::function<void(StackState, double)> walk = [&](StackState state, double score) {
      if (space.is_final(state, arena)) {
        best = std::max(best, score);
        ++complete;
        return;
      }
      const MoveSet legal = space.legal(state, arena);
      const bool forced = forced_column(legal, actions) >= 0;
      for (int move = 0; move < TypeParam::kMoves; ++move) {
        if (!(legal >> move & 1)) continue;
        StackState next = state;
        const int column = actions.begin(move);
        const double step = forced ? 0 : rows(state)[column];
        space.apply(next, arena, move, actions.action(column).label);
        walk(next, score + step);
      }
    };
    walk(space.initial(arena, words), 0);
    Beam<TypeParam> beam;
    beam.run(space, actions, words, 100000, arena, rows);
    ASSERT_FALSE(beam.survivors().empty());
    EXPECT_EQ(beam.survivors()[0].score, best);
    EXPECT_EQ(static_cast<long>(beam.survivors().size()), complete);
    // Derivations are distinct and reproduce their scores.
    std::set<std::vector<int32_t>> seen;
    for (size_t i = 0; i < beam.survivors().size(); ++i) {
      std::vector<int32_t> columns;
      beam.derivation(beam.first_survivor() + static_cast<int>(i), columns);
      EXPECT_TRUE(seen.insert(columns).second);
    }
  }
}

TYPED_TEST(BeamOver, WidthOneIsGreedy) {
  const TypeParam space;
  const ActionTable actions = one_label_each<TypeParam>();
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const int words = 1 + static_cast<int>(seed % 9);
    ItemArena arena;
    RandomRows rows{&arena, seed, {}};
    std::vector<int32_t> greedy, beamed;
    greedy_search(space, actions, words, arena, rows,
                  [&](const auto&, int column, float) { greedy.push_back(column); });
    Beam<TypeParam> beam;
    beam.run(space, actions, words, 1, arena, rows);
    beam.derivation(beam.first_survivor(), beamed);
    EXPECT_EQ(greedy, beamed);
  }
}

TYPED_TEST(BeamOver, WiderIsNeverWorseOnAverage) {
  const TypeParam space;
  const ActionTable actions = one_label_each<TypeParam>();
  double last = 0;
  for (const int width : {1, 4, 16, 64}) {
    double sum = 0;
    for (uint64_t seed = 0; seed < 40; ++seed) {
      ItemArena arena;
      RandomRows rows{&arena, seed, {}};
      Beam<TypeParam> beam;
      beam.run(space, actions, 7, width, arena, rows);
      sum += beam.survivors()[0].score;
    }
    EXPECT_GE(sum, last);
    last = sum;
  }
}

TEST(Beam, TheEmptySentenceHasOneEmptyAnalysis) {
  const ArcStandard space;
  ItemArena arena;
  Beam<ArcStandard> beam;
  beam.run(space, one_label_each<ArcStandard>(), 0, 8, arena, RandomRows{&arena, 1, {}});
  EXPECT_EQ(beam.survivors().size(), 1u);
}

}  // namespace
}  // namespace espalier
