// PARSEVAL on hand-made trees, one convention of evalb at a time, and against a slow referee on random trees.
#include "espalier/eval/bracket.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "espalier/base/rng.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

using testing::constituents;

BracketScore score(const std::string& gold, const std::string& system, const BracketOptions& options = {}) {
  return score_brackets(constituents(gold), constituents(system), options);
}

TEST(Brackets, CountsByHand) {
  const auto result = score("(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))))",
                            "(S (NP (DT the) (NN dog)) (VP (VP (VBZ sees)) (NP (DT a) (VB cat))))");
  EXPECT_EQ(result.brackets, (Overlap{4, 4, 5}));
  EXPECT_EQ(result.tags, (Share{4, 5}));
  EXPECT_EQ(result.exact, (Share{0, 1}));
  EXPECT_EQ(result.crossing, 0);
  EXPECT_DOUBLE_EQ(result.brackets.precision(), 80);
  EXPECT_DOUBLE_EQ(result.brackets.recall(), 100);
}

TEST(Brackets, OfATreeOneByOne) {
  const Sentence gold = constituents("(ROOT (S (NP-SBJ (NN dogs) (, ,)) (VP (VBP see) (NP (NP (NN cats))))))");
  const auto judged = [&](const char* text) {
    const ConstituentTree tree = constituents(text).constituents;
    EXPECT_EQ(brackets_of(tree).size(), right_brackets(gold, tree).size());
    return right_brackets(gold, tree);
  };
  using Verdicts = std::vector<bool>;
  EXPECT_EQ(judged("(ROOT (S (NP (NN dogs)) (, ,) (VP (VBP see) (NP (NN cats)))))"),
            Verdicts({true, true, true, true}));
  EXPECT_EQ(judged("(S (VP (NP (NN dogs)) (, ,) (VBP see)) (NP (NP (NP (NN cats)))))"),
            Verdicts({true, false, true, true, true, false}));
  EXPECT_EQ(judged("(ROOT (S (NN dogs)))"), Verdicts({false})) << "other words";
}

TEST(Brackets, FunctionTagsTopAndPrt) {
  EXPECT_EQ(score("(ROOT (S (NP-SBJ-1 (NN dogs)) (VP=2 (VBP run) (PRT (RP off)))))",
                  "(TOP (S (NP (NN dogs)) (VP (VBP run) (ADVP (RP off)))))")
                .brackets,
            (Overlap{4, 4, 4}));
  EXPECT_EQ(score("(S1 (S (NN a)))", "( (S (NN a)))").brackets, (Overlap{1, 1, 1}));
  EXPECT_EQ(score("(-X (NN a))", "(X (NN a))").brackets.correct, 0) << "a '-' at the front belongs to the label";
}

TEST(Brackets, PunctuationIsDeletedByGoldTags) {
  // The comma is inside NP in gold, outside in the system: no difference once it is gone.
  const auto moved =
      score("(S (NP (NN dogs) (, ,)) (VP (VBP bark)) (. .))", "(S (NP (NN dogs)) (, ,) (VP (VBP bark)) (. .))");
  EXPECT_EQ(moved.brackets, (Overlap{3, 3, 3}));
  EXPECT_EQ(moved.tags, (Share{2, 2}));
  // A tagging error on punctuation must not shift the words.
  EXPECT_EQ(score("(S (NP (NN dogs)) (: --) (VP (VBP bark)))", "(S (NP (NN dogs)) (NN --) (VP (VBP bark)))").brackets,
            (Overlap{3, 3, 3}));
  EXPECT_EQ(score("(S (NP (NN x)) (NN y))", "(S (NP (NN x)) (. y))").brackets, (Overlap{2, 2, 2}));
  // Nodes over nothing but deleted words disappear.
  EXPECT_EQ(score("(S (NN a) (PRN (, ,) (: -)))", "(S (NN a) (, ,) (: -))").brackets, (Overlap{1, 1, 1}));
  // Deleted words may differ in form; brackets and currency are words.
  EXPECT_EQ(score("(S (`` ``) (NN a))", "(S (`` \") (NN a))").errors, 0);
  EXPECT_EQ(score("(NP (-LRB- -LRB-) (NN a) ($ $))", "(NP (-LRB- -LRB-) (NN a) ($ $))").tags.total, 3);
}

TEST(Brackets, TracesAreNoWords) {
  const auto result = score("(S (NP (-NONE- *T*)) (VP (VB go) (SBAR (-NONE- 0))))", "(S (VP (VB go)))");
  EXPECT_EQ(result.errors, 0);
  EXPECT_EQ(result.brackets, (Overlap{2, 2, 2}));
  EXPECT_EQ(length_without_traces(constituents("(S (NP (-NONE- *)) (VB go) (. .))")), 2);
}

TEST(Brackets, UnaryChainsAreMultisets) {
  EXPECT_EQ(score("(S (NP (NN a)))", "(NP (S (NN a)))").brackets, (Overlap{2, 2, 2})) << "order does not count";
  EXPECT_EQ(score("(NP (NP (NN a)))", "(NP (NN a))").brackets, (Overlap{1, 2, 1}));
  EXPECT_EQ(score("(NP (NN a))", "(NP (NP (NP (NN a))))").brackets, (Overlap{1, 1, 3}));
}

TEST(Brackets, Crossing) {
  const auto result = score("(S (X (A a) (B b)) (Y (C c) (D d)))", "(S (A a) (X (B b) (C c)) (D d))");
  EXPECT_EQ(result.brackets, (Overlap{1, 3, 2}));
  EXPECT_EQ(result.crossing, 1) << "one bracket of the system crosses two of gold: it counts once";
  EXPECT_EQ(result.no_crossing, (Share{0, 1}));
  EXPECT_EQ(result.at_most_two_crossing, (Share{1, 1}));
}

TEST(Brackets, Unlabelled) {
  EXPECT_EQ(score("(S (NP (NN a)) (NN b))", "(X (Y (NN a)) (NN b))", {.labelled = false}).brackets, (Overlap{2, 2, 2}));
}

TEST(Brackets, FailuresAndErrors) {
  const char* const gold = "(S (NP (NN dogs)) (VP (VBP bark)))";
  EXPECT_EQ(score(gold, "()").brackets, (Overlap{0, 3, 0}));
  EXPECT_EQ(score(gold, "()").failures, 1);
  EXPECT_EQ(score(gold, "()").tags, (Share{0, 2}));
  EXPECT_EQ(score(gold, "()", {.skip_failures = true}).brackets, Overlap{});
  EXPECT_EQ(score(gold, "()", {.skip_failures = true}).exact, Share{});
  for (const char* other : {"(S (NP (NN cats)) (VP (VBP bark)))", "(S (NN dogs))", "(S (NN dogs) (VBP bark) (NN x))"}) {
    const BracketScore result = score(gold, other);
    EXPECT_EQ(result.errors, 1) << other;
    EXPECT_EQ(result.brackets, Overlap{}) << other;
    EXPECT_EQ(result.exact.total, 0) << other;
  }
  const BracketScore nothing = score("(ROOT (NN a))", "(TOP (NN a))");
  EXPECT_EQ(nothing.exact, (Share{1, 1})) << "no brackets on either side";
  EXPECT_EQ(nothing.brackets, Overlap{});
  EXPECT_EQ(score("()", "()").exact, (Share{1, 1}));
}

TEST(Brackets, ByLabelAndOverSentences) {
  const std::vector<Sentence> gold = {constituents("(S (NP (NN a)) (VP (VB b)))"), constituents("(NP (NN a))")};
  const std::vector<Sentence> system = {constituents("(S (NP (NN a)) (NP (VB b)))"), constituents("(NP (NN a))")};
  BracketsByLabel labels;
  for (size_t i = 0; i < gold.size(); ++i) score_brackets(gold[i], system[i], {}, &labels);
  EXPECT_EQ(labels.at("NP"), (Overlap{2, 2, 3}));
  EXPECT_EQ(labels.at("VP"), (Overlap{0, 1, 0}));
  EXPECT_EQ(score_brackets(gold, system).brackets, (Overlap{3, 4, 4}));
  EXPECT_EQ(score_brackets(gold, system).exact, (Share{1, 2}));
}

TEST(Brackets, DeepTreesDoNotOverflow) {
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "(X ";
  deep += "(NN a)" + std::string(200000, ')');
  EXPECT_EQ(score(deep, deep).brackets.correct, 200000);
}

/// A random tree over words a, b, ... with punctuation among them.
std::string random_tree(Rng& rng, const std::vector<std::string>& leaves, size_t begin, size_t end, int depth) {
  static const char* const labels[] = {"S", "NP-SBJ", "NP", "VP", "PRT", "ADVP", "ROOT"};
  std::string text = std::string("(") + labels[rng.below(7)];
  if (end - begin == 1 && (depth > 3 || rng.below(2))) return text + " " + leaves[begin] + ")";
  if (depth > 5) {
    for (size_t i = begin; i < end; ++i) text += " " + leaves[i];
    return text + ")";
  }
  for (size_t i = begin; i < end;) {
    const size_t size = 1 + rng.below(end - i);
    text += " " + (size == 1 && rng.below(2) ? leaves[i] : random_tree(rng, leaves, i, i + size, depth + 1));
    i += size;
  }
  return text + ")";
}

/// The definition, told slowly: the set of words under every node, by recursion.
struct Referee {
  Overlap brackets;
  long crossing = 0;
};

Referee referee(const Sentence& gold, const Sentence& system) {
  const std::set<std::string> deleted = {",", "."};
  using Key = std::pair<std::string, std::set<int>>;
  const auto collect = [&](const Sentence& tree) {
    std::multiset<Key> found;
    std::function<std::set<int>(int)> walk = [&](int index) {
      const auto& node = tree.constituents.nodes[static_cast<size_t>(index)];
      std::set<int> words;
      if (node.is_leaf() && !deleted.count(gold.word(node.word).xpos)) words.insert(node.word);
      for (int child : node.children) words.merge(walk(child));
      std::string label = node.label == "NP-SBJ" ? "NP" : node.label == "PRT" ? "ADVP" : node.label;
      if (!node.is_leaf() && !words.empty() && label != "ROOT") found.insert({label, words});
      return words;
    };
    walk(0);
    return found;
  };
  const auto in_gold = collect(gold), in_system = collect(system);
  Referee result{{0, static_cast<long>(in_gold.size()), static_cast<long>(in_system.size())}};
  for (auto key = in_gold.begin(); key != in_gold.end(); key = in_gold.upper_bound(*key))
    result.brackets.correct += static_cast<long>(std::min(in_gold.count(*key), in_system.count(*key)));
  for (const auto& ours : in_system) {
    result.crossing += std::any_of(in_gold.begin(), in_gold.end(), [&](const Key& theirs) {
      std::vector<int> common;
      std::ranges::set_intersection(ours.second, theirs.second, std::back_inserter(common));
      return !common.empty() && common.size() < ours.second.size() && common.size() < theirs.second.size();
    });
  }
  return result;
}

TEST(Brackets, AgreeWithTheRefereeOnRandomTrees) {
  Rng rng(3, "trees");
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::string> leaves;
    for (size_t i = 0, n = 1 + rng.below(8); i < n; ++i) leaves.push_back(rng.below(4) ? "(NN w)" : "(, w)");
    const Sentence gold = constituents(random_tree(rng, leaves, 0, leaves.size(), 0));
    const Sentence system = constituents(random_tree(rng, leaves, 0, leaves.size(), 0));
    const BracketScore fast = score_brackets(gold, system);
    const Referee slow = referee(gold, system);
    ASSERT_EQ(fast.brackets, slow.brackets) << round;
    ASSERT_EQ(fast.crossing, slow.crossing) << round;
  }
}

}  // namespace
}  // namespace espalier
