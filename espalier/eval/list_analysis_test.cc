#include "espalier/eval/list_analysis.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/test_trees.h"

namespace espalier {
namespace {

TEST(ListAnalysis, DecomposesErrorsOfDependencies) {
  const Sentence gold = testing::dependencies("old/ADJ/2/amod dogs/NOUN/3/nsubj bark/VERB/0/root ./PUNCT/3/punct");
  const Analysis right = dependencies_of(gold);
  Analysis first = right, second = right, third = right;
  first.heads = {-1, 3, 1, 0, 2};   // three wrong heads, one of them punctuation's
  second.heads = {-1, 3, 3, 0, 3};  // one
  third.deprels[1] = "det";         // none, but a label
  ListAnalysis analysis;
  analysis.add(gold, std::vector{first, second, third}, Punctuation::kUpos);
  const auto out = to_json(analysis);
  EXPECT_NEAR(out["uas"].get<double>(), 100.0 / 3, 1e-9);
  EXPECT_NEAR(out["oracle_uas"].get<double>(), 100, 1e-9);
  EXPECT_NEAR(out["las"].get<double>(), 25, 1e-9);
  EXPECT_NEAR(out["oracle_las"].get<double>(), 75, 1e-9);
  EXPECT_EQ(out["gold_in_list"].get<double>(), 0);
  EXPECT_NEAR(out["eps_C_diff"].get<double>(), 200.0 / 3, 1e-9);
  EXPECT_GE(out["eps_C_dist"].get<double>(), out["eps_C_diff"].get<double>() - 1e-9);
  EXPECT_NEAR(out["by_size"]["2"]["oracle_uas"].get<double>(), 200.0 / 3, 1e-9);
  EXPECT_FALSE(out["by_size"].contains("16"));
  EXPECT_EQ(out["by_length"]["1-10"]["sentences"], 1);

  analysis.add(gold, std::vector{first, right}, Punctuation::kUpos);
  EXPECT_NEAR(to_json(analysis)["gold_in_list"].get<double>(), 50, 1e-9);
  EXPECT_NEAR(to_json(analysis)["gold_not_first"].get<double>(), 50, 1e-9);
  EXPECT_NE(to_table(analysis).find("eps_C_dist"), std::string::npos);
  EXPECT_NE(to_svg(analysis).find("oracle_las"), std::string::npos);
}

/// The distance can exceed the difference: two trees may be wrong in different places.
TEST(ListAnalysis, DistanceCountsWhatDiffers) {
  const Sentence gold = testing::dependencies("a/X/0/root b/X/1/dep c/X/1/dep d/X/1/dep");
  Analysis first = dependencies_of(gold), best = first;
  first.heads = {-1, 0, 1, 2, 2};  // two wrong
  best.heads = {-1, 0, 3, 1, 1};   // one wrong, elsewhere
  ListAnalysis analysis;
  analysis.add(gold, std::vector{first, best}, Punctuation::kInclude);
  const auto out = to_json(analysis);
  EXPECT_NEAR(out["eps_C_diff"].get<double>(), 25, 1e-9);
  EXPECT_NEAR(out["eps_C_dist"].get<double>(), 75, 1e-9);
}

TEST(ListAnalysis, CountsBrackets) {
  const Sentence gold = testing::constituents("(S (NP (DT the) (NN dog)) (VP (VB barks)))");
  Analysis right, flat;
  right.constituents = gold.constituents;
  flat.constituents = testing::constituents("(S (DT the) (NN dog) (VP (VB barks)))").constituents;
  ListAnalysis analysis;
  analysis.add(gold, std::vector{flat, right}, Punctuation::kInclude);
  const auto out = to_json(analysis);
  EXPECT_NEAR(out["f1"].get<double>(), 80, 1e-9);
  EXPECT_NEAR(out["oracle_f1"].get<double>(), 100, 1e-9);
  EXPECT_NEAR(out["gold_not_first"].get<double>(), 100, 1e-9);
}

}  // namespace
}  // namespace espalier
