#include "espalier/tree/head_dependencies.h"

#include <gtest/gtest.h>

#include "espalier/base/rng.h"
#include "espalier/tree/projectivity.h"
#include "tests/random_constituents.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

std::string dependencies_of_tree(Sentence sentence) {
  OpenHeadRules rules("english");
  add_dependencies(sentence, rules);
  std::string text;
  for (const Token& token : sentence.tokens)
    text += token.form + " " + std::to_string(token.head) + " " + token.deprel + "\n";
  return text;
}

TEST(HeadDependencies, ByHand) {
  EXPECT_EQ(dependencies_of_tree(testing::constituents("(ROOT (S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBZ sees) (NP=2 "
                                                       "(NNS cats)) (PP-LOC (IN in) (NP (NN town)))) (. .)))")),
            "the 2 DT\ndog 3 SBJ\nsees 0 root\ncats 3 NP\nin 3 LOC\ntown 5 NP\n. 3 .\n");
  EXPECT_EQ(dependencies_of_tree(testing::constituents("(ROOT (NP (NP (NNS dogs)) (CC and) (NP (NNS cats))))")),
            "dogs 0 root\nand 1 CC\ncats 1 NP\n");
}

TEST(HeadDependencies, TracesHaveNone) {
  Sentence sentence = testing::constituents("(S (NP (NN x)) (VP (VB go) (NP (NN home))))");
  auto& nodes = sentence.constituents.nodes;
  nodes[2] = {"-NONE-", {}, 0, "*"};
  sentence.tokens.erase(sentence.tokens.begin());
  nodes[4].word = 1, nodes[6].word = 2;
  EXPECT_EQ(dependencies_of_tree(sentence), "go 0 root\nhome 1 NP\n");
}

TEST(HeadDependencies, AreAlwaysAProjectiveTree) {
  OpenHeadRules rules("generic");
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed, "heads");
    Sentence sentence;
    sentence.tokens.resize(1 + rng.below(8));
    sentence.constituents = testing::RandomConstituents(sentence.size(), rng).tree;
    for (auto& node : sentence.constituents.nodes)
      if (node.word > 0) node.label = rng.below(4) ? "NN" : ",";
    add_dependencies(sentence, rules);
    EXPECT_EQ(tree_problem(sentence), "") << seed;
    std::vector<int> heads{0};
    for (const Token& token : sentence.tokens) heads.push_back(token.head);
    EXPECT_TRUE(is_projective(heads)) << seed;
  }
}

}  // namespace
}  // namespace espalier
