#include "espalier/learn/constituent/boost/examples.h"

#include <gtest/gtest.h>

#include "espalier/tree/test_trees.h"

namespace espalier {
namespace {

// Where any order is a derivation several inferences are correct at once. Boosters look them up by span.
TEST(BoostExamples, CorrectInferencesComeBySpanWhateverTheOrderOfTheDerivation) {
  const std::vector<std::string> symbols = {"TOP", "S", "A", "B", "t"};
  const std::vector<bool> marks(symbols.size(), false);
  const BottomUp logic(Strategy::kBottomUp, 4, marks);
  const HeadRules heads("*: left", "test", {"TOP", "S", "A", "B"}, symbols, marks);
  // S has more children than the logic can build: that inference is extra.
  const auto tree =
      testing::constituents("(TOP (S (A (t a) (t b)) (B (t c)) (A (t d)) (B (t e)) (A (t f)) (B (t g))))");
  std::vector<int> labels;
  for (const auto& node : tree.constituents.nodes)
    labels.push_back(static_cast<int>(std::ranges::find(symbols, node.label) - symbols.begin()));
  BoostExamples examples(logic, heads, false);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed, "derivations");
    ASSERT_TRUE(examples.add(std::vector<int>(7, 4), std::vector<WordValues>(7), tree.constituents, labels, rng));
  }
  EXPECT_EQ(examples.states.size(), 20u * 8);
  EXPECT_EQ(examples.positives.size(), 20u * (6 + 5 + 4 + 3 + 2 + 1 + 1 + 1));
  EXPECT_TRUE(std::ranges::is_sorted(examples.positives, {}, &BoostExamples::Positive::span));
}

}  // namespace
}  // namespace espalier
