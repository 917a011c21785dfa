#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "espalier/base/rng.h"
#include "espalier/parser/combine/mixture.h"
#include "espalier/parser/combine/pooled_list.h"
#include "espalier/parser/combine/rank_weights.h"
#include "espalier/parser/combine/tree_features.h"
#include "tests/random_constituents.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

Candidate candidate(double score, std::vector<int> heads) {
  Candidate made;
  made.score = score;
  made.analysis.deprels.assign(heads.size(), "dep");
  made.analysis.heads = std::move(heads);
  return made;
}

TEST(RankWeights, SumsOfGroupsAreThoseOfATable) {
  Rng rng(1, "weights");
  std::map<uint64_t, float> table;
  for (int i = 0; i < 20000; ++i) table[rng.next()] = static_cast<float>(rng.uniform() - 0.5);
  const RankWeights weights({table.begin(), table.end()}, 1 << 20);
  std::vector<uint64_t> keys;
  std::vector<size_t> ends;
  for (const auto& [key, value] : table) {
    keys.push_back(key);
    keys.push_back(rng.next());  // not there
    ends.push_back(keys.size());
  }
  std::vector<int64_t> sums(ends.size());
  weights.sum(keys, ends, sums.data());
  size_t group = 0, wrong = 0;
  for (const auto& [key, value] : table)
    wrong += std::abs(static_cast<double>(sums[group++]) * weights.scale() - value) > 1e-4;
  EXPECT_LT(wrong, table.size() / 50);  // full buckets and foreign fingerprints
  const uint64_t small = rng.next(), large = rng.next();
  const RankWeights largest({{small, 0.5f}, {large, -2.0f}}, 1);
  const std::vector<uint64_t> both = {small, large};
  largest.sum(both, std::vector<size_t>{1, 2}, sums.data());
  EXPECT_EQ(sums[0], 0);
  EXPECT_NEAR(static_cast<double>(sums[1]) * largest.scale(), -2, 1e-6);
}

TEST(PooledList, EveryTreeOnceAndWhatAParserLacksGetsItsLowest) {
  std::vector<std::vector<Candidate>> lists(2);
  lists[0] = {candidate(9, {-1, 0, 1}), candidate(5, {-1, 2, 0})};
  lists[1] = {candidate(0.5, {-1, 2, 0}), candidate(0.25, {-1, 0, 0})};
  const PooledList pooled = pool(std::move(lists));
  ASSERT_EQ(pooled.size(), 3u);
  EXPECT_EQ(pooled.analyses[2].heads, (std::vector<int>{-1, 0, 0}));
  EXPECT_EQ(pooled.scores[0], (std::vector<double>{9, 5, 5}));
  EXPECT_EQ(pooled.scores[1], (std::vector<double>{0.25, 0.5, 0.25}));
}

TEST(PooledList, BracketsAreTheSameInAnyOrderOfTheirNodes) {
  Analysis one, other;
  one.constituents = testing::constituents("(S (NP (NN a)) (VP (VB b)))").constituents;
  other.constituents = one.constituents;
  // Breadth first instead of depth first.
  auto& nodes = other.constituents.nodes;
  nodes = {nodes[0], nodes[1], nodes[3], nodes[2], nodes[4]};
  nodes[0].children = {1, 2};
  nodes[1].children = {3};
  nodes[2].children = {4};
  EXPECT_NE(one, other);
  EXPECT_EQ(tree_hash(one), tree_hash(other));
}

TEST(Mixture, AtTheEndsOneScoreDecidesAlone) {
  const std::vector<std::vector<double>> parser = {{1, 0.5, 0}};
  const std::vector<double> ranker = {0, 1, 0.5};
  EXPECT_EQ(mixed_order(std::vector{1.0}, parser, ranker), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(mixed_order(std::vector{0.0}, parser, ranker), (std::vector<size_t>{1, 2, 0}));
  EXPECT_EQ(mixed_best(std::vector{0.5}, parser, ranker), 1u);
  // Ties: the parser's order.
  EXPECT_EQ(mixed_best(std::vector{0.0}, std::vector<std::vector<double>>{{0, 1}}, std::vector{1.0, 1.0}), 1u);
  std::vector<double> equal = {3, 3}, some = {-1, 0, 3};
  rescale(equal);
  rescale(some);
  EXPECT_EQ(equal, (std::vector<double>{0, 0}));
  EXPECT_EQ(some, (std::vector<double>{0, 0.25, 1}));
}

std::vector<uint64_t> all_keys(const FeatureGroups& groups, size_t tree) {
  std::vector<uint64_t> keys;
  for (const uint32_t group : groups.tree(tree))
    keys.insert(keys.end(), groups.keys(group).begin(), groups.keys(group).end());
  std::ranges::sort(keys);
  return keys;
}

/// What a tree's features are must not depend on the trees before it, which share groups with it: a signature that
/// leaves out something that its templates look at would show here.
void expect_same_alone(const Sentence& sentence, const std::vector<Analysis>& trees) {
  TreeFeatures together({}), alone({});
  const FeatureGroups& all = together.extract(sentence, trees);
  ASSERT_EQ(all.trees(), trees.size());
  for (size_t i = 0; i < trees.size(); ++i) {
    const FeatureGroups& one = alone.extract(sentence, std::span(trees).subspan(i, 1));
    ASSERT_EQ(all_keys(all, i), all_keys(one, 0)) << "tree " << i;
  }
}

TEST(TreeFeatures, DependencyTreesShareGroupsWithoutHarm) {
  Sentence sentence = testing::dependencies(
      "the/DET/_/_ dogs/NOUN/_/_ and/CCONJ/_/_ cats/NOUN/_/_ ,/PUNCT/_/_ saw/VERB/_/_ it/PRON/_/_ on/ADP/_/_ "
      "hills/NOUN/_/_ ./PUNCT/_/_");
  sentence.word(2).feats = sentence.word(4).feats = "Case=Nom|Number=Plur";
  sentence.word(6).feats = "Number=Sing|Tense=Past";
  const std::string labels[] = {"nsubj", "conj", "cc", "punct", "case", "obl"};
  Rng rng(3, "trees");
  std::vector<Analysis> trees;
  const int n = sentence.size();
  while (trees.size() < 2000) {
    Analysis tree;
    if (!trees.empty() && rng.below(4) > 0) {  // a neighbour of an earlier one
      tree = trees[rng.below(trees.size())];
      tree.heads[rng.below(static_cast<size_t>(n)) + 1] = static_cast<int>(rng.below(static_cast<size_t>(n) + 1));
      tree.deprels[rng.below(static_cast<size_t>(n)) + 1] = labels[rng.below(6)];
    } else {
      tree.heads.assign(1, -1);
      tree.deprels.assign(1, "");
      for (int i = 1; i <= n; ++i) {
        tree.heads.push_back(static_cast<int>(rng.below(static_cast<size_t>(n) + 1)));
        tree.deprels.push_back(labels[rng.below(6)]);
      }
    }
    Sentence copy = sentence;
    annotate(copy, tree);
    if (tree_problem(copy, nullptr, Roots::kAny).empty()) trees.push_back(std::move(tree));
  }
  expect_same_alone(sentence, trees);
}

TEST(TreeFeatures, ConstituentsShareGroupsWithoutHarm) {
  Rng rng(4, "brackets");
  const Sentence sentence = testing::dependencies("old/ADJ dogs/NOUN and/CC cats/NOUN bark/VERB ./PUNCT");
  std::vector<Analysis> trees(1000);
  for (Analysis& tree : trees) {
    tree.constituents = testing::RandomConstituents(sentence.size(), rng).tree;
    for (auto& node : tree.constituents.nodes)
      if (node.word > 0) node.label = sentence.word(node.word).upos;
  }
  expect_same_alone(sentence, trees);
}

TEST(TreeFeatures, LabelsAndHeadsTellTreesApart) {
  const Sentence sentence = testing::dependencies("dogs/NOUN/2/nsubj bark/VERB/0/root");
  Analysis one = dependencies_of(sentence), other = one;
  other.deprels[1] = "obj";
  TreeFeatures features({});
  const FeatureGroups& groups = features.extract(sentence, std::vector{one, other});
  EXPECT_NE(all_keys(groups, 0), all_keys(groups, 1));
  EXPECT_EQ(all_keys(groups, 0).size(), all_keys(groups, 1).size());
}

}  // namespace
}  // namespace espalier
