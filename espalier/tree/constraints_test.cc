#include "espalier/tree/constraints.h"

#include <gtest/gtest.h>

#include "tests/test_trees.h"

namespace espalier {
namespace {

using testing::dependencies;

TEST(Constraints, AreWhatTheColumnsSay) {
  const Sentence sentence = dependencies("the/DET/_/_ dog/_/3/nsubj barks/_/_/root");
  const Constraints both = constraints_of(sentence, {true, true});
  EXPECT_EQ(both.heads, (std::vector<int>{-1, -1, 3, -1}));
  EXPECT_EQ(both.deprels, (std::vector<std::string>{"_", "_", "nsubj", "root"}));
  EXPECT_EQ(both.upos, (std::vector<std::string>{"_", "DET", "_", "_"}));
  EXPECT_TRUE(both.xpos.empty());
  EXPECT_FALSE(constraints_of(sentence, {true, false}).on_trees());
  EXPECT_FALSE(constraints_of(sentence, {false, true}).on_tags());
  EXPECT_TRUE(constraints_of(sentence, {}).empty());
}

Constraints heads(std::vector<int> given) {
  given.insert(given.begin(), -1);
  return {given, {}, {}, {}, {}};
}

TEST(Constraints, WhatNoTreeHasIsTakenOutWithAReason) {
  Constraints given = heads({2, 3, 1, 4, 9, 0, 0});
  const auto problems = drop_impossible(given);
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0].message, "the given heads make a cycle");
  EXPECT_EQ(problems[0].word, 3);
  EXPECT_EQ(problems[1].message, "the word is its own head");
  EXPECT_EQ(problems[2].message, "HEAD 9 is not a word of the sentence");
  EXPECT_EQ(problems[3].message, "a second root (the first is token 6)");
  EXPECT_EQ(given.heads, heads({2, 3, -1, -1, -1, 0, -1}).heads);
  EXPECT_TRUE(drop_impossible(given).empty());

  Constraints several = heads({0, 0});
  EXPECT_TRUE(drop_impossible(several, Roots::kAny).empty());
}

}  // namespace
}  // namespace espalier
