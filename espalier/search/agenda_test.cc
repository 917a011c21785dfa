#include "espalier/search/agenda.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/base/rng.h"
#include "tests/written_space.h"

namespace espalier {
namespace {

/// Figure 3.2 of the thesis: states are named by the cost of reaching them.
WrittenSpace figure() {
  WrittenSpace space;
  space.children = {{0, {{1, 1}, {2, 2}, {9, 9}}}, {1, {{4, 3}}}, {4, {{8, 4}}}, {2, {{3, 1}}}, {3, {{6, 3}}}};
  space.final = {{9, true}, {8, true}, {6, true}};
  return space;
}

TEST(Agenda, Figure32BestFirst) {
  WrittenSpace space = figure();
  int best = -1;
  const auto report = AgendaSearch<WrittenSpace>().run(space, {AgendaStrategy::kBestFirst, 0}, best);
  EXPECT_EQ(best, 6);
  EXPECT_EQ(space.explored, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(report.optimal);
}

TEST(Agenda, Figure32GreedyCompletion) {
  WrittenSpace space = figure();
  int best = -1;
  const auto report = AgendaSearch<WrittenSpace>().run(space, {AgendaStrategy::kGreedyCompletion, 0}, best);
  EXPECT_EQ(best, 6);
  EXPECT_EQ(space.explored, (std::vector<int>{0, 1, 4, 2, 3}));
  EXPECT_TRUE(report.optimal);
  EXPECT_FALSE(report.first_was_best);
  EXPECT_DOUBLE_EQ(report.cost, 6);
}

TEST(Agenda, AnotherSolutionOnTheGreedyPathIsNotTheFirst) {
  WrittenSpace space;  // 9 is met on the way to 8, which is cheaper
  space.children = {{0, {{1, 1}, {9, 5}}}, {1, {{8, 1}}}};
  space.final = {{9, true}, {8, true}};
  int best = -1;
  EXPECT_TRUE(AgendaSearch<WrittenSpace>().run(space, {AgendaStrategy::kGreedyCompletion, 0}, best).first_was_best);
  EXPECT_EQ(best, 8);
  EXPECT_FALSE(AgendaSearch<WrittenSpace>().run(space, {AgendaStrategy::kBestFirst, 0}, best).first_was_best);
}

TEST(Agenda, MemoryIsALimit) {
  for (const size_t memory : {0u, 1000u, 2000u, 3000u}) {  // the greedy path takes three states
    WrittenSpace space = figure();
    int best = -1;
    const auto report = AgendaSearch<WrittenSpace>().run(space, {AgendaStrategy::kGreedyCompletion, 0, memory}, best);
    EXPECT_EQ(best, 8);
    EXPECT_FALSE(report.optimal);
    EXPECT_EQ(space.explored.size(), 3u);
  }
}

TEST(Agenda, GreedyTakesTheCheapestStep) {
  WrittenSpace space = figure();
  int best = -1;
  const auto report = AgendaSearch<WrittenSpace>().run(space, {AgendaStrategy::kGreedy, 0}, best);
  EXPECT_EQ(best, 8);
  EXPECT_FALSE(report.optimal);
}

TEST(Agenda, LimitGivesNoFalseCertificate) {
  for (const size_t limit : {1u, 2u, 3u, 4u, 5u, 6u}) {
    WrittenSpace space = figure();
    int best = -1;
    const auto report = AgendaSearch<WrittenSpace>().run(space, {AgendaStrategy::kGreedyCompletion, limit}, best);
    ASSERT_TRUE(report.solved);  // the first completion is never cut
    EXPECT_TRUE(!report.optimal || best == 6) << limit;
  }
}

TEST(Agenda, DeadEndsEndQuietly) {
  WrittenSpace space;
  space.children = {{0, {{1, 1}}}};
  int best = -1;
  const auto report = AgendaSearch<WrittenSpace>().run(space, {AgendaStrategy::kGreedyCompletion, 0}, best);
  EXPECT_FALSE(report.solved);
  EXPECT_EQ(best, -1);
}

/// The cheapest way to a final state, by trying all.
double cheapest(const WrittenSpace& space, int state) {
  if (space.final.contains(state)) return 0;
  double best = std::numeric_limits<double>::infinity();
  const auto it = space.children.find(state);
  if (it == space.children.end()) return best;
  for (const auto& [to, cost] : it->second) best = std::min(best, cost + cheapest(space, to));
  return best;
}

TEST(Agenda, FindsTheCheapestPathsOfRandomSpaces) {
  Rng rng(7, "agenda");
  for (int trial = 0; trial < 500; ++trial) {
    // Layers of states, edges to the next layer; states are shared, so paths to them must be compared.
    WrittenSpace space;
    space.unique_paths = false;
    const int layers = 2 + static_cast<int>(rng.below(4)), width = 1 + static_cast<int>(rng.below(4));
    for (int layer = 0; layer < layers; ++layer) {
      for (int i = 0; i < (layer ? width : 1); ++i) {
        for (int j = 0; j < width; ++j) {
          const int to = 1 + layer * width + j;
          if (rng.below(4)) space.children[layer ? 1 + (layer - 1) * width + i : 0].push_back({to, rng.uniform()});
          if (layer == layers - 1 || rng.below(9) == 0) space.final[to] = true;
        }
      }
    }
    const double expected = cheapest(space, 0);
    for (const auto strategy : {AgendaStrategy::kBestFirst, AgendaStrategy::kGreedyCompletion}) {
      int best = -1;
      const auto report = AgendaSearch<WrittenSpace>().run(space, {strategy, 0}, best);
      ASSERT_EQ(report.solved, expected < std::numeric_limits<double>::infinity());
      if (!report.solved) continue;
      ASSERT_NEAR(report.cost, expected, 1e-12);
      ASSERT_TRUE(report.optimal);
    }

    // The k cheapest final states, each by its cheapest path.
    std::map<int, double> costs;
    cheapest_of_each(space, 0, 0, costs);
    std::vector<double> sorted;
    for (const auto& [state, cost] : costs) sorted.push_back(cost);
    std::ranges::sort(sorted);
    for (const auto strategy : {AgendaStrategy::kBestFirst, AgendaStrategy::kGreedyCompletion})
      for (const size_t k : {1u, 2u, 3u, 100u}) {
        std::vector<AgendaSearch<WrittenSpace>::Solution> best;
        AgendaSearch<WrittenSpace>().run(space, {strategy, 0}, k, best);
        ASSERT_EQ(best.size(), std::min(k, sorted.size()));
        for (size_t i = 0; i < best.size(); ++i) {
          ASSERT_NEAR(best[i].cost, sorted[i], 1e-12);
          ASSERT_NEAR(best[i].cost, costs.at(best[i].state), 1e-12);
        }
      }
  }
}

}  // namespace
}  // namespace espalier
