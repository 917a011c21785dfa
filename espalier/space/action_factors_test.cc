#include "espalier/space/action_factors.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/space/shift_reduce.h"

namespace espalier {
namespace {

TEST(ActionFactors, PlainOnesAreTheColumnAndTheColumnsOfItsMove) {
  const ActionTable actions(2, {true, false}, {{1, 0, 5}, {1, 1, 3}}, 64, {"a", "b"});
  const ActionFactors factors(actions);
  ASSERT_EQ(factors.columns(), 3);
  EXPECT_FALSE(factors.factored());
  const auto of = factors.of(2);
  ASSERT_EQ(of.size(), 2u);
  EXPECT_EQ(factors.columns_of(of[0]).begin, 2);
  EXPECT_EQ(factors.columns_of(of[0]).end, 3);
  EXPECT_EQ(factors.columns_of(of[1]).begin, 1);
  EXPECT_EQ(factors.columns_of(of[1]).end, 3);
}

TEST(ActionFactors, FactoredScoresAreSums) {
  const ActionFactors factors(3, {{0}, {1, 2}, {0, 1, 2}});
  const float row[] = {1, 10, 100};
  std::vector<double> scores(3);
  factors.expand(row, 0, 3, scores.data());
  EXPECT_EQ(scores, (std::vector<double>{1, 110, 111}));
}

TEST(ActionFactors, ReductionsOfOneLabelShareIt) {
  std::vector<ActionTable::Count> counts;
  for (const int move :
       {ShiftReduce::kLeft, ShiftReduce::kRight, ShiftReduce::kLeftPart, ShiftReduce::kRightPart, ShiftReduce::kUnary})
    for (const int label : {0, 1}) counts.push_back({move, label, 1});
  std::vector<bool> unlabelled(ShiftReduce::kMoves, false);
  unlabelled[ShiftReduce::kShift] = unlabelled[ShiftReduce::kStay] = true;
  const ActionTable actions(ShiftReduce::kMoves, unlabelled, counts, 64, {"A", "B"});
  const ActionFactors factors = ShiftReduce::factors(actions);
  EXPECT_EQ(factors.columns(), 3 + 2 + 2 + 2);  // sides and part; shift and stay; labels; unary labels
  const auto first = [&](int move, int label) { return factors.of(actions.column(move, label))[0]; };
  EXPECT_EQ(first(ShiftReduce::kLeft, 1), first(ShiftReduce::kRightPart, 1));
  EXPECT_NE(first(ShiftReduce::kLeft, 1), first(ShiftReduce::kLeft, 0));
  EXPECT_NE(first(ShiftReduce::kLeft, 1), first(ShiftReduce::kUnary, 1));
  // No two actions are the same sum.
  std::vector<float> row(static_cast<size_t>(factors.columns()));
  for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(1 << i);
  std::vector<float> scores;
  factors.expand(row.data(), actions, (1u << ShiftReduce::kMoves) - 1, scores);
  std::ranges::sort(scores);
  EXPECT_EQ(std::ranges::adjacent_find(scores), scores.end());
}

}  // namespace
}  // namespace espalier
