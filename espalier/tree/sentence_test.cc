#include "espalier/tree/sentence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace espalier {
namespace {

Sentence with_heads(const std::vector<int>& heads) {
  Sentence sentence;
  for (const int head : heads) sentence.tokens.emplace_back().head = head;
  return sentence;
}

std::vector<std::pair<int, std::string>> problems(const std::vector<int>& heads) {
  std::vector<std::pair<int, std::string>> result;
  for (const TreeProblem& p : tree_problems(with_heads(heads))) result.emplace_back(p.word, p.message);
  return result;
}

using Expected = std::vector<std::pair<int, std::string>>;

TEST(TreeProblems, NamesEveryOne) {
  EXPECT_EQ(problems({}), Expected{});
  EXPECT_EQ(problems({2, 0, 2}), Expected{});
  EXPECT_EQ(problems({0, 0, 0}),
            (Expected{{2, "a second root (the first is token 1)"}, {3, "a second root (the first is token 1)"}}));
  EXPECT_EQ(
      problems({Token::kNoHead, 0, -2, 9}),
      (Expected{{1, "HEAD is missing"}, {3, "HEAD -2 is negative"}, {4, "HEAD 9 is past the end of the sentence"}}));
  EXPECT_EQ(problems({1, 0}), (Expected{{1, "the word is its own head"}}));
  EXPECT_EQ(problems({0, 3, 2, 5, 6, 4}),
            (Expected{{2, "the word is part of a cycle"}, {4, "the word is part of a cycle"}}));
}

TEST(TreeProblems, FirstOneIsTreeProblem) {
  int word = 0;
  EXPECT_EQ(tree_problem(with_heads({2, 0, 0}), &word), "a second root (the first is token 2)");
  EXPECT_EQ(word, 3);
  EXPECT_EQ(tree_problem(with_heads({0})), "");
}

/// The obvious definition: exactly one root, and every word reaches it in at most n steps.
bool is_tree(const std::vector<int>& heads) {
  const int n = static_cast<int>(heads.size());
  if (n == 0) return true;
  if (std::ranges::count(heads, 0) != 1) return false;
  for (int i = 1; i <= n; ++i) {
    int at = i;
    for (int steps = 0; steps <= n && at != 0; ++steps) {
      if (at < 0 || at > n) return false;
      at = heads[static_cast<size_t>(at) - 1];
    }
    if (at != 0) return false;
  }
  return true;
}

RC_GTEST_PROP(TreeProblems, AgreeWithTheDefinition, ()) {
  const int n = *rc::gen::inRange(0, 7);
  const auto heads = *rc::gen::container<std::vector<int>>(static_cast<size_t>(n), rc::gen::inRange(-1, n + 2));
  RC_ASSERT(tree_problem(with_heads(heads)).empty() == is_tree(heads));
}

}  // namespace
}  // namespace espalier
