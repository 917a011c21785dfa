#include "espalier/tree/phrases.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/test_trees.h"

namespace espalier {
namespace {

std::string texts(const ConstituentTree& tree) {
  std::string all;
  for (const Phrase& phrase : phrases_of(tree))
    all += fmt::format("{}:{} {}-{}\n", phrase.node, phrase.label, phrase.first, phrase.last);
  return all;
}

TEST(Phrases, AreInnerNodesWithTheirWords) {
  EXPECT_EQ(
      texts(
          testing::constituents("(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (NP (NN cats))))))").constituents),
      "0:ROOT 1-4\n1:S 1-4\n2:NP 1-2\n5:VP 3-4\n7:NP 4-4\n8:NP 4-4\n");
  EXPECT_EQ(texts({}), "");
}

TEST(Phrases, OverTracesAloneAreLeftOut) {
  ConstituentTree tree = testing::constituents("(S (NP (DT the)) (VP (VB go)))").constituents;
  tree.nodes[2] = {"-NONE-", {}, 0, "*"};
  EXPECT_EQ(texts(tree), "0:S 2-2\n3:VP 2-2\n");
}

}  // namespace
}  // namespace espalier
