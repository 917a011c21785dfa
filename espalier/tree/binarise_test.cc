#include "espalier/tree/binarise.h"

#include <gtest/gtest.h>

#include "espalier/tree/constituent_labels.h"
#include "tests/random_constituents.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

/// The nodes as text, in order: "1 2 A<(0,1)*": words, then binary nodes with the side of the head, * for parts.
std::string text(const BinaryTree& tree, const Vocabulary& labels) {
  std::string out;
  for (const auto& node : tree.nodes) {
    if (!out.empty()) out += ' ';
    if (node.kind == BinaryTree::kWord) {
      out += std::to_string(node.word);
      continue;
    }
    out += labels.text(node.label) + (node.kind == BinaryTree::kUnary      ? ""
                                      : node.kind == BinaryTree::kHeadLeft ? "<"
                                                                           : ">");
    out += "(" + std::to_string(node.left) + (node.right < 0 ? "" : "," + std::to_string(node.right)) + ")";
    if (node.part) out += '*';
  }
  return out;
}

ConstituentTree tree_of(const std::string& brackets) { return testing::constituents(brackets).constituents; }

TEST(Binarise, GrowsFromTheHeadToTheLeftAndThenToTheRight) {
  Vocabulary labels;
  const auto tree = tree_of("(TOP (X (T a) (T b) (T c) (T d)))");
  EXPECT_EQ(text(binarised(
                     tree, [](int) { return 1; }, labels),
                 labels),
            "1 2 X>(0,1)* 3 X<(2,3)* 4 X<(4,5)");
  EXPECT_EQ(text(binarised(
                     tree, [](int) { return 3; }, labels),
                 labels),
            "1 2 3 4 X>(2,3)* X>(1,4)* X>(0,5)");
}

TEST(Binarise, ChainsAreOneNode) {
  Vocabulary labels;
  const auto tree = tree_of("(TOP (S (VP (T a) (NP (T b)))))");
  EXPECT_EQ(text(binarised(
                     tree, [](int) { return 0; }, labels),
                 labels),
            "1 2 NP(1) VP<(0,2) S(3)");
  const auto chain = tree_of("(TOP (S (VP (T a))))");
  EXPECT_EQ(text(binarised(
                     chain, [](int) { return 0; }, labels),
                 labels),
            "1 S VP(0)");
  EXPECT_EQ(top_of_chain("S VP"), "S");
  EXPECT_EQ(top_of_chain("S"), "S");
}

TEST(Binarise, UnbinarisedIsTheInverse) {
  Rng rng(1, "binarise");
  for (int trial = 0; trial < 2000; ++trial) {
    const auto tree = testing::RandomConstituents(1 + static_cast<int>(rng.below(9)), rng).tree;
    Vocabulary labels;
    const auto head = [&](int node) {
      return static_cast<int>(rng.below(tree.nodes[static_cast<size_t>(node)].children.size()));
    };
    const BinaryTree binary = binarised(tree, head, labels);
    ASSERT_EQ(unbinarised(binary, labels.texts()), tree);
  }
}

TEST(Binarise, AMirroredTreeIsTheBinarisedMirror) {
  Rng rng(2, "mirror");
  for (int trial = 0; trial < 2000; ++trial) {
    const auto tree = testing::RandomConstituents(1 + static_cast<int>(rng.below(9)), rng).tree;
    Vocabulary labels;
    const auto size = [&](int node) { return static_cast<int>(tree.nodes[static_cast<size_t>(node)].children.size()); };
    const auto head = [&](int node) { return node * 7 % size(node); };
    const BinaryTree binary = binarised(tree, head, labels);
    ConstituentTree reversed = tree;
    const int words = static_cast<int>(binary.words());
    for (auto& node : reversed.nodes) {
      std::ranges::reverse(node.children);
      if (node.word > 0) node.word = words + 1 - node.word;
    }
    const auto from_the_right = [&](int node) { return size(node) - 1 - head(node); };
    ASSERT_EQ(mirrored(binary), binarised(reversed, from_the_right, labels));
    ASSERT_EQ(mirrored(mirrored(binary)), binary);
  }
}

TEST(ConstituentLabels, RareOnesAreCutOut) {
  const std::vector<ConstituentTree> trees = {tree_of("(TOP (S (NP (T a)) (RARE (VP (T b)) (T c))))"),
                                              tree_of("(TOP (S (NP (T a)) (VP (T b))))")};
  const Vocabulary labels = frequent_labels(trees, 2);
  EXPECT_EQ(labels.texts(), (std::vector<std::string>{"TOP", "NP", "S", "VP"}));
  EXPECT_EQ(with_known_labels(trees[0], labels), tree_of("(TOP (S (NP (T a)) (VP (T b)) (T c)))"));
  EXPECT_EQ(with_known_labels(trees[1], labels), trees[1]);
}

}  // namespace
}  // namespace espalier
