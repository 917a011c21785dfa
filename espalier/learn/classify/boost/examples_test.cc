#include "espalier/learn/classify/boost/examples.h"

#include <gtest/gtest.h>

#include "tests/test_trees.h"

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

// After a mistake, correct is what can still be saved of the gold tree.
TEST(BoostExamples, MistakesLeadToStatesThatNoGoldDerivationHas) {
  const std::vector<std::string> symbols = {"TOP", "S", "A", "B", "t"};
  const std::vector<bool> marks(symbols.size(), false);
  const HeadRules heads("*: left", "test", {"TOP", "S", "A", "B"}, symbols, marks);
  const auto gold = testing::constituents("(TOP (S (A (t a) (t b)) (B (t c))))").constituents;
  const auto parsed = testing::constituents("(TOP (S (A (t a)) (A (t b)) (B (t c))))").constituents;
  const auto numbers = [&](const ConstituentTree& tree) {
    std::vector<int> labels;
    for (const auto& node : tree.nodes)
      labels.push_back(static_cast<int>(std::ranges::find(symbols, node.label) - symbols.begin()));
    return labels;
  };
  struct Expected {
    int first, count;
    std::string label;
  };
  const auto check = [&](Strategy strategy, const std::vector<Expected>& expected) {
    const BottomUp logic(strategy, 4, marks);
    BoostExamples examples(logic, heads, false);
    const std::vector<int> words(3, 4);
    EXPECT_EQ(examples.add_mistakes(words, std::vector<WordValues>(3), gold, numbers(gold), gold, numbers(gold)), 0u);
    EXPECT_TRUE(examples.sentences.empty());
    EXPECT_EQ(examples.add_mistakes(words, std::vector<WordValues>(3), gold, numbers(gold), parsed, numbers(parsed)),
              expected.size());
    ASSERT_EQ(examples.positives.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      const auto& positive = examples.positives[i];
      EXPECT_EQ(examples.state_of(positive.span), i);
      EXPECT_EQ(examples.spans[positive.span].items(), (ItemSpan{expected[i].first, expected[i].count})) << i;
      EXPECT_EQ(symbols[static_cast<size_t>(positive.label)], expected[i].label) << i;
      EXPECT_FALSE(positive.extra);
    }
  };
  // A over the first word is wrong at a state that gold has; from there A over the wrong A and the second word is best,
  // twice; B instead is a mistake again, though a constituent of gold, and ends the chances of that A.
  check(Strategy::kLeftToRight, {{0, 2, "A"}, {0, 2, "A"}, {0, 3, "S"}, {0, 1, "TOP"}});
  // From the right B is right, A over the second word wrong; S comes when A over both could still be built.
  check(Strategy::kRightToLeft, {{0, 2, "A"}, {0, 2, "A"}, {0, 1, "TOP"}});
}

TEST(BoostExamples, SentencesWithoutMemoryForTheirStatesAreLeftOut) {
  const std::vector<std::string> symbols = {"TOP", "S", "t"};
  const std::vector<bool> marks(symbols.size(), false);
  const HeadRules heads("*: left", "test", {"TOP", "S"}, symbols, marks);
  const BottomUp logic(Strategy::kRightToLeft, 2, marks);
  for (const int words : {BottomUp::kMostWords, BottomUp::kMostWords + 1, 70'000}) {
    ConstituentTree tree;
    tree.nodes.push_back({.label = "TOP", .children = {1}});
    tree.nodes.push_back({.label = "S", .children = {}});
    std::vector<int> labels = {0, 1};
    for (int i = 1; i <= words; ++i) {
      tree.nodes[1].children.push_back(i + 1);
      tree.nodes.push_back({.label = "t", .children = {}, .word = i});
      labels.push_back(2);
    }
    const std::vector<int> terminals(static_cast<size_t>(words), 2);
    const std::vector<WordValues> values(terminals.size());
    BoostExamples examples(logic, heads, false);
    Rng rng(1, "derivations");
    const bool fits = words == BottomUp::kMostWords;
    EXPECT_EQ(examples.add(terminals, values, tree, labels, rng), fits);
    // A constituent of so many words is one that the logic cannot build: only TOP above it is still right.
    EXPECT_EQ(examples.add_mistakes(terminals, values, tree, labels, tree, labels), fits ? 1u : 0u);
    EXPECT_EQ(examples.sentences.size(), fits ? 2u : 0u);
    if (fits) {
      EXPECT_EQ(examples.spans[examples.positives[0].span].items(), (ItemSpan{0, words}));
    }
  }
}

}  // namespace
}  // namespace espalier
