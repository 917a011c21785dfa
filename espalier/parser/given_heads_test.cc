#include "espalier/parser/given_heads.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/base/rng.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

constexpr int kWords = 5;

std::vector<std::vector<int>> trees(bool projective) {
  std::vector<std::vector<int>> all;
  for_each_tree(kWords, true, [&](const std::vector<int>& heads) {
    if (!projective || arcs_do_not_cross(heads)) all.push_back(heads);
  });
  return all;
}

Constraints random_part(const std::vector<int>& tree, Rng& rng) {
  Constraints given;
  given.heads = tree;
  for (int& head : given.heads)
    if (rng.below(2)) head = -1;
  given.heads[0] = -1;
  return given;
}

long shared(const std::vector<int>& a, const std::vector<int>& b) {
  long count = 0;
  for (size_t i = 1; i < a.size(); ++i) count += a[i] == b[i];
  return count;
}

TEST(GivenHeads, AsManyAsAProjectiveTreeHas) {
  const auto all = trees(false), projective = trees(true);
  Rng rng(1, "heads");
  for (int round = 0; round < 300; ++round) {
    const Constraints given = random_part(all[rng.below(all.size())], rng);
    const std::vector<int> part = projective_part(given.heads);
    long most = 0;
    bool exists = false;
    for (const auto& tree : projective) {
      most = std::max(most, shared(tree, given.heads));
      exists = exists || has_given_heads(tree, {part, {}, {}, {}, {}});
    }
    EXPECT_TRUE(exists);
    EXPECT_EQ(std::ranges::count_if(part, [](int head) { return head >= 0; }), most);
    EXPECT_EQ(shared(part, given.heads) - std::ranges::count(given.heads.begin() + 1, given.heads.end(), -1), most);
  }
}

TEST(GivenHeads, AMendedTreeSharesMostArcs) {
  const auto all = trees(false);
  Rng rng(2, "mend");
  for (int round = 0; round < 300; ++round) {
    const Constraints given = random_part(all[rng.below(all.size())], rng);
    const std::vector<int>& before = all[rng.below(all.size())];
    Analysis analysis;
    analysis.heads = before;
    analysis.deprels.assign(before.size(), "x");
    mend(given, Roots::kOne, analysis);
    EXPECT_TRUE(has_given_heads(analysis.heads, given));
    EXPECT_NE(std::ranges::find(all, analysis.heads), all.end());
    long most = 0;
    for (const auto& tree : all)
      if (has_given_heads(tree, given)) most = std::max(most, shared(tree, before));
    EXPECT_EQ(shared(analysis.heads, before), most);
  }
}

TEST(GivenHeads, TextsAreWrittenAsGiven) {
  Analysis analysis;
  analysis.heads = {0, 2, 0};
  analysis.deprels = {"", "nsubj", "root"};
  mend({{}, {"_", "obj", "_"}, {}, {}, {}}, Roots::kOne, analysis);
  EXPECT_EQ(analysis.deprels, (std::vector<std::string>{"", "obj", "root"}));
}

}  // namespace
}  // namespace espalier
