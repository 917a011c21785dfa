// The losses on a tree of five words, computed by hand, and their relation to the scores of eval/.
#include <gtest/gtest.h>

#include "espalier/loss/arc_length.h"
#include "espalier/loss/common.h"
#include "espalier/loss/hamming.h"
#include "espalier/loss/labelled_210.h"
#include "espalier/loss/root.h"

namespace espalier {
namespace {

DependencyTree tree(std::vector<int> heads, std::vector<int> labels) {
  DependencyTree result(static_cast<int>(heads.size()));
  std::copy(heads.begin(), heads.end(), result.head.begin() + 1);
  std::copy(labels.begin(), labels.end(), result.label.begin() + 1);
  return result;
}

// Gold arcs have the lengths 1, 2 (root), 2, 1, 3: together 9.
const DependencyTree kGold = tree({2, 0, 5, 5, 2}, {1, 0, 2, 3, 4});
// Word 3 has a wrong head, word 4 a wrong label, word 5 both wrong.
const DependencyTree kFound = tree({2, 0, 4, 5, 4}, {1, 0, 2, 9, 9});

TEST(Loss, HammingCountsWrongArcs) {
  EXPECT_EQ(total_loss(Hamming{.labelled = false}, kFound, kGold), 2);
  EXPECT_EQ(total_loss(Hamming{}, kFound, kGold), 3);
  EXPECT_EQ(total_loss(Hamming{}, kGold, kGold), 0);
}

TEST(Loss, Labelled210ChargesTwoForAHeadAndOneForALabel) {
  EXPECT_EQ(total_loss(Labelled210{}, kFound, kGold), 2 + 1 + 2);
  EXPECT_EQ(total_loss(Labelled210{}, tree({0, 1, 1, 1, 1}, {9, 9, 9, 9, 9}), kGold), 10) << "at most 2n";
}

TEST(Loss, ArcLengthWeighsWordsByTheirGoldArc) {
  EXPECT_DOUBLE_EQ(total_loss(ArcLength(kGold), kFound, kGold), (2.0 + 3.0) / 9);
  EXPECT_DOUBLE_EQ(total_loss(ArcLength(kGold, true), kFound, kGold), (2.0 + 1.0 + 3.0) / 9);
  EXPECT_DOUBLE_EQ(total_loss(ArcLength(kGold), tree({0, 1, 1, 1, 1}, {0, 0, 0, 0, 0}), kGold), 1.0);
}

TEST(Loss, RootIsRightOnlyIfItIsTheOnlyOne) {
  EXPECT_EQ(root_loss(kFound, 2), 0);
  EXPECT_EQ(root_loss(kFound, 1), 1);
  EXPECT_EQ(root_loss(tree({0, 0, 2, 2, 2}, {0, 0, 0, 0, 0}), 2), 1) << "two roots";
  EXPECT_EQ(root_loss(tree({2, 1}, {0, 0}), 1), 1) << "no root";
}

TEST(Loss, ZeroOne) {
  EXPECT_EQ(zero_one_loss(kGold, kGold), 0);
  EXPECT_EQ(zero_one_loss(kFound, kGold), 1);
}

TEST(Loss, EmptySentence) {
  EXPECT_EQ(total_loss(Hamming{}, DependencyTree(0), DependencyTree(0)), 0);
  EXPECT_EQ(total_loss(ArcLength(DependencyTree(0)), DependencyTree(0), DependencyTree(0)), 0);
  EXPECT_EQ(root_loss(DependencyTree(0), 0), 0);
}

}  // namespace
}  // namespace espalier
