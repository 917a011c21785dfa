#include "espalier/learn/update/violation.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// A chain of two links under a root: items 0 and 1 are leaves' links, 2 joins them, 3 is the root.
std::vector<GoldItem> derivation(float a, float b, float joined, float root) {
  return {{a, false, 1, 1}, {b, false, 4, 2}, {joined, false, 1, 5, 0, 1}, {root, false, 0, 6, 2, -1}};
}

TEST(Violation, StandardTakesTheRootEvenWithoutViolation) {
  EXPECT_EQ(items_to_update(derivation(1, 1, 1, -2), ViolationUpdate::kStandard), std::vector<int>{3});
  EXPECT_TRUE(items_to_update(derivation(1, 1, 1, -2), ViolationUpdate::kSkip).empty());
  EXPECT_EQ(items_to_update(derivation(1, 1, 1, 0), ViolationUpdate::kSkip), std::vector<int>{3});
}

TEST(Violation, SingleMaxTakesTheLargestThenTheWidest) {
  EXPECT_EQ(items_to_update(derivation(1, 3, 2, -1), ViolationUpdate::kSingleMax), std::vector<int>{1});
  EXPECT_EQ(items_to_update(derivation(3, 3, 3, 3), ViolationUpdate::kSingleMax), std::vector<int>{3});
  EXPECT_EQ(items_to_update(derivation(3, 3, -1, -1), ViolationUpdate::kSingleMax), std::vector<int>{1});
  EXPECT_TRUE(items_to_update(derivation(-3, -1, -2, -1), ViolationUpdate::kSingleMax).empty());
}

TEST(Violation, ParallelMaxTakesTheFrontier) {
  // Nothing above reaches the leaves' violations: both are on the frontier.
  EXPECT_EQ(items_to_update(derivation(2, 3, 1, -1), ViolationUpdate::kParallelMax), (std::vector<int>{1, 0}));
  // The joining item is as bad as the worst below: it covers both.
  EXPECT_EQ(items_to_update(derivation(2, 3, 3, -1), ViolationUpdate::kParallelMax), std::vector<int>{2});
  // Bare words have violation 0, so a negative item is nobody's maximum.
  EXPECT_EQ(items_to_update(derivation(-1, 3, 1, -1), ViolationUpdate::kParallelMax), std::vector<int>{1});
}

TEST(Violation, TheGoldDerivationItselfIsNeverCorrected) {
  auto items = derivation(0, 0, 0, 0);
  for (auto& item : items) item.same = true;
  for (const auto update :
       {ViolationUpdate::kStandard, ViolationUpdate::kSkip, ViolationUpdate::kSingleMax, ViolationUpdate::kParallelMax})
    EXPECT_TRUE(items_to_update(items, update).empty());
}

}  // namespace
}  // namespace espalier
