#include "espalier/tree/projectivity.h"

#include <gtest/gtest.h>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

Sentence sentence_of(const std::vector<int>& head, int labels, Rng& rng) {
  Sentence sentence;
  for (size_t i = 1; i < head.size(); ++i) {
    Token token;
    token.form = "w";
    token.head = head[i];
    token.deprel =
        head[i] == 0 ? "root" : std::string(1, static_cast<char>('a' + rng.below(static_cast<size_t>(labels))));
    sentence.tokens.push_back(token);
  }
  return sentence;
}

std::vector<int> random_tree(int n, Rng& rng) {
  std::vector<int> order;
  for (int i = 1; i <= n; ++i) order.push_back(i);
  rng.shuffle(order);
  std::vector<int> head(static_cast<size_t>(n) + 1, 0);
  for (size_t i = 1; i < order.size(); ++i) head[static_cast<size_t>(order[i])] = order[rng.below(i)];
  return head;
}

bool crosses(const std::vector<int>& head) {  // the definition, pair by pair
  const int n = static_cast<int>(head.size()) - 1;
  for (int a = 1; a <= n; ++a)
    for (int b = 1; b <= n; ++b) {
      const int al = std::min(a, head[static_cast<size_t>(a)]), ar = std::max(a, head[static_cast<size_t>(a)]);
      const int bl = std::min(b, head[static_cast<size_t>(b)]), br = std::max(b, head[static_cast<size_t>(b)]);
      if (al < bl && bl < ar && ar < br) return true;
    }
  return false;
}

TEST(Projectivity, DetectsCrossingArcs) {
  Rng rng(1, "projectivity");
  int crossing = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto head = random_tree(1 + static_cast<int>(rng.below(8)), rng);
    EXPECT_EQ(is_projective(head), !crosses(head));
    crossing += crosses(head);
  }
  EXPECT_GT(crossing, 500);
}

TEST(Projectivity, LiftingGivesAProjectiveTreeAndKeepsProjectiveOnes) {
  Rng rng(2, "projectivity");
  for (int round = 0; round < 2000; ++round) {
    const auto gold = random_tree(1 + static_cast<int>(rng.below(10)), rng);
    auto head = gold;
    const int lifted = projectivise(head);
    EXPECT_FALSE(crosses(head));
    EXPECT_EQ(lifted > 0, crosses(gold));
    EXPECT_TRUE(lifted > 0 || head == gold);
    Rng labels(3, "labels");
    EXPECT_EQ(tree_problem(sentence_of(head, 3, labels)), "");
  }
}

TEST(Projectivity, HeadEncodingIsInvertedAlmostAlways) {
  Rng rng(4, "projectivity");
  int words = 0, right = 0;
  for (int round = 0; round < 1000; ++round) {
    const Sentence gold = sentence_of(random_tree(8, rng), 20, rng);
    Sentence coded = gold;
    encode_pseudo_projective(coded);
    Analysis analysis = dependencies_of(coded);
    decode_pseudo_projective(analysis);
    annotate(coded, analysis);
    EXPECT_EQ(tree_problem(coded), "");
    for (int i = 1; i <= gold.size(); ++i) {
      ++words;
      right += coded.word(i).head == gold.word(i).head;
      EXPECT_EQ(coded.word(i).deprel, gold.word(i).deprel);
    }
  }
  EXPECT_GT(right, words * 93 / 100);  // random trees are far less projective than treebanks
}

TEST(Projectivity, KnownLift) {
  // "A hearing is scheduled on the issue today": on(5) → hearing(2) crosses is(3) → scheduled(4).
  std::vector<int> head{0, 2, 4, 4, 0, 2, 7, 5, 4};
  std::vector<bool> lifted;
  EXPECT_EQ(projectivise(head, &lifted), 1);
  EXPECT_EQ(head, (std::vector<int>{0, 2, 4, 4, 0, 4, 7, 5, 4}));
  EXPECT_TRUE(lifted[5]);
}

}  // namespace
}  // namespace espalier
