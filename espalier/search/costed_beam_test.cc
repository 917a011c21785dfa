#include "espalier/search/costed_beam.h"

#include <gtest/gtest.h>

#include <map>

#include "espalier/base/rng.h"
#include "tests/written_space.h"

namespace espalier {
namespace {

/// Edges lead to higher numbers: paths to a state differ in length.
WrittenSpace random_space(Rng& rng) {
  WrittenSpace space;
  space.unique_paths = false;
  const int states = 3 + static_cast<int>(rng.below(12));
  for (int from = 0; from < states; ++from) {
    for (int to = from + 1; to < states; ++to) {
      if (rng.below(2)) space.children[from].push_back({to, rng.uniform()});
    }
  }
  for (int state = 1; state < states; ++state)
    if (state == states - 1 || rng.below(5) == 0) space.final[state] = true;
  return space;
}

TEST(CostedBeam, AWideOneFindsTheCheapestPaths) {
  Rng rng(7, "beam");
  for (int trial = 0; trial < 500; ++trial) {
    WrittenSpace space = random_space(rng);
    std::map<int, double> costs;
    cheapest_of_each(space, 0, 0, costs);
    std::vector<double> sorted;
    for (const auto& [state, cost] : costs) sorted.push_back(cost);
    std::ranges::sort(sorted);
    for (const size_t k : {1u, 3u, 100u}) {
      std::vector<CostedBeam<WrittenSpace>::Solution> best;
      const auto report = CostedBeam<WrittenSpace>().run(space, 10'000, k, best);
      ASSERT_EQ(report.solved, !sorted.empty());
      ASSERT_EQ(best.size(), std::min(k, sorted.size()));
      for (size_t i = 0; i < best.size(); ++i) {
        ASSERT_NEAR(best[i].cost, sorted[i], 1e-12);
        ASSERT_NEAR(best[i].cost, costs.at(best[i].state), 1e-12);
      }
    }
  }
}

TEST(CostedBeam, ANarrowOneKeepsTheCheapestOfEveryStep) {
  WrittenSpace space;  // by 1, or by 2, which costs more at first, and has a step more
  space.children = {{0, {{1, 1}, {2, 2}}}, {1, {{3, 5}}}, {2, {{4, 1}}}, {3, {{9, 0}}}, {4, {{5, 0.5}}}, {5, {{9, 0}}}};
  space.final = {{9, true}};
  std::vector<CostedBeam<WrittenSpace>::Solution> best;
  CostedBeam<WrittenSpace> beam;
  EXPECT_DOUBLE_EQ(beam.run(space, 2, 1, best).cost, 3.5);  // found after a dearer solution
  EXPECT_DOUBLE_EQ(beam.run(space, 1, 1, best).cost, 6);    // state 2 is given up for state 1
  EXPECT_FALSE(beam.run(space, 1, 1, best).optimal);
}

TEST(CostedBeam, TimeIsThatOfTheWidthTimesTheLength) {
  WrittenSpace space;
  space.unique_paths = false;
  constexpr int kSteps = 50, kBroad = 20;
  for (int step = 0; step < kSteps; ++step) {
    for (int i = 0; i < (step ? kBroad : 1); ++i) {
      for (int j = 0; j < kBroad; ++j) {
        const int to = 1 + step * kBroad + j;
        space.children[step ? 1 + (step - 1) * kBroad + i : 0].push_back({to, 1 + 0.01 * j});
        if (step == kSteps - 1) space.final[to] = true;
      }
    }
  }
  std::vector<CostedBeam<WrittenSpace>::Solution> best;
  EXPECT_DOUBLE_EQ(CostedBeam<WrittenSpace>().run(space, 4, 1, best).cost, kSteps);
  EXPECT_LE(space.explored.size(), 1u + 4 * kSteps);
  space.explored.clear();  // a limit on memory leaves one path
  EXPECT_DOUBLE_EQ(CostedBeam<WrittenSpace>().run(space, 20, 1, best, 100'000).cost, kSteps);
  EXPECT_LE(space.explored.size(), 100u + 20 + kSteps);
}

}  // namespace
}  // namespace espalier
