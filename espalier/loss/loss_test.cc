// The losses on a sentence of five words, computed by hand; that what a search adds up arc by arc is what a ranker asks
// of the whole tree, for all trees of up to five words; and that losses agree with the scores of eval/.
#include "espalier/loss/loss.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/eval/attachment.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/tools/reorder.h"
#include "tests/test_trees.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

using testing::constituents;
using testing::dependencies;

// Gold arcs have the lengths 1, 2 (root), 2, 1, 3: together 9.
const Sentence kGold = dependencies("the/DET/2/det cat/NOUN/0/root in/ADP/5/case our/DET/5/nmod hat/NOUN/2/obl");
// Word 3 has a wrong head, word 4 a wrong label, word 5 both wrong.
const Sentence kFound = dependencies("the/DET/2/det cat/NOUN/0/root in/ADP/4/case our/DET/5/det hat/NOUN/4/obj");
const Sentence kChain = dependencies("the/DET/0/x cat/NOUN/1/x in/ADP/2/x our/DET/3/x hat/NOUN/4/x");

double cost(const char* loss, const Sentence& found, const Sentence& gold = kGold) {
  return make_loss(loss)->cost(gold, dependencies_of(found));
}

TEST(Loss, CountsWrongArcs) {
  EXPECT_EQ(cost("hamming", kFound), 2);
  EXPECT_EQ(cost("labelled", kFound), 3);
  EXPECT_EQ(cost("labelled-210", kFound), 2 + 1 + 2);
  EXPECT_EQ(cost("labelled-210", kChain), 10) << "at most 2n";
}

TEST(Loss, ArcLengthWeighsWordsByTheirGoldArc) {
  EXPECT_NEAR(cost("arc-length", kFound), (2.0 + 3.0) / 9, 1e-6);
  EXPECT_NEAR(cost("arc-length-labelled", kFound), (2.0 + 1.0 + 3.0) / 9, 1e-6);
  EXPECT_NEAR(cost("arc-length", kChain), 1, 1e-6);
}

TEST(Loss, ChosenLabelsAloneCount) {
  EXPECT_EQ(cost("labels:obl+nmod", kFound), 2);
  EXPECT_EQ(cost("labels:case", kFound), 1);
  EXPECT_EQ(cost("labels:det", kFound), 0);
  EXPECT_THROW(make_loss("labels"), Error);
  EXPECT_THROW(make_loss("labels:+"), Error);
}

TEST(Loss, SumsOfLossesAreInWords) {
  EXPECT_NEAR(cost("sum:labelled,arc-length", kFound), 3 + 5 * 5.0 / 9, 1e-5);
  EXPECT_NEAR(cost("sum:0.5*labelled-210,2*labels:det+nmod,root", kChain), 0.5 * 10 + 2 * 2 + 1, 1e-5);
  EXPECT_EQ(cost("sum:labelled", kFound), cost("labelled", kFound));
  for (const char* wrong :
       {"sum", "sum:", "sum:labelled,parseval", "sum:-1*root", "sum:x*root", "sum:nan*root", "sum:*root"})
    EXPECT_THROW(make_loss(wrong), Error) << wrong;
}

TEST(Loss, TagsThatBothHave) {
  Analysis found;
  found.upos = {"", "DET", "VERB", "ADP", "PRON", "NOUN"};
  EXPECT_EQ(make_loss("tags")->cost(kGold, found), 2);
  EXPECT_EQ(make_loss("tags:upos")->cost(kGold, found), 2);
  EXPECT_EQ(make_loss("tags:xpos")->cost(kGold, found), 0);
  EXPECT_THROW(make_loss("tags:lemma"), Error);
}

TEST(Loss, ReorderComparesTheOrderByRules) {
  Sentence gold = dependencies("see/VERB/0/root her/PRON/1/obj now/ADV/1/advmod");
  set_reference_order(gold, std::vector<int>{0, 3, 2, 1});
  EXPECT_EQ(make_loss("reorder:en-ja")->cost(gold, dependencies_of(gold)), 0);
  EXPECT_EQ(make_loss("reorder:en-ja")->cost(gold, {{0, 0, 1, 2}, {"", "root", "fixed", "fixed"}, {}, {}, {}, {}, {}}),
            1);
  EXPECT_THROW(make_loss("reorder"), Error);
}

TEST(Loss, RootIsRightOnlyIfItIsTheOnlyOne) {
  EXPECT_EQ(cost("root", kFound), 0);
  EXPECT_EQ(cost("root", kChain), 1);
  EXPECT_EQ(cost("root", dependencies("a/X/0 b/X/0"), dependencies("a/X/2 b/X/0")), 1) << "two roots";
  EXPECT_EQ(cost("root", dependencies("a/X/2 b/X/1"), dependencies("a/X/2 b/X/0")), 1) << "no root";
  EXPECT_EQ(cost("root", dependencies("a/X/2 b/X/0"), dependencies("a b/X/0")), 0) << "all that is annotated";
}

TEST(Loss, WhatIsNotAnnotatedCostsNothing) {
  const Sentence partial = dependencies("the cat/NOUN/1/root in/ADP/4 our hat/NOUN/2/obl");
  EXPECT_EQ(cost("labelled", kFound, partial), 2) << "words 2 and 5; word 3 has no gold label";
  EXPECT_EQ(cost("root", kFound, partial), 0);
  EXPECT_NEAR(cost("arc-length", kFound, partial), 4.0 / 5, 1e-6);
}

TEST(Loss, BracketsAreCountedAsEvalCountsThem) {
  const Sentence gold = constituents("(S (NP (DT the) (NN cat)) (VP (VBZ sat) (PP (IN on) (NP (NN it)))) (. .))");
  Analysis found;
  // Of 5 gold brackets 3 are found; 1 of the 4 that were found is invented.
  found.constituents = constituents("(S (NP (DT the) (NN cat)) (VP (VBZ sat) (X (IN on) (NN it))) (. .))").constituents;
  EXPECT_EQ(make_loss("brackets")->cost(gold, found), 2 + 1);
  EXPECT_DOUBLE_EQ(make_loss("parseval")->cost(gold, found), 1 - 2.0 * 3 / (5 + 4));
  EXPECT_EQ(make_loss("brackets:NP")->cost(gold, found), 1) << "the NP under PP is missed";
  EXPECT_EQ(make_loss("brackets:X+PP")->cost(gold, found), 2) << "one invented, one missed";
  EXPECT_EQ(make_loss("brackets:VP")->cost(gold, found), 0);
  EXPECT_DOUBLE_EQ(make_loss("parseval:NP")->cost(gold, found), 1 - 2.0 * 1 / (2 + 1));
  found.constituents = gold.constituents;
  EXPECT_EQ(make_loss("parseval")->cost(gold, found), 0);
  EXPECT_EQ(make_loss("parseval")->cost(gold, {}), 1) << "no tree misses everything";
  EXPECT_EQ(make_loss("brackets")->cost(gold, {}), 5);
  EXPECT_EQ(make_loss("parseval")->cost({}, {}), 0);
}

TEST(Loss, SaysWhetherItIsACountOrAShare) {
  EXPECT_EQ(make_loss("labelled")->scale(), LossScale::kCount);
  EXPECT_EQ(make_loss("arc-length")->scale(), LossScale::kShare);
  EXPECT_EQ(make_loss("parseval")->scale(), LossScale::kShare);
  EXPECT_EQ(make_loss("brackets")->scale(), LossScale::kCount);
}

TEST(Loss, SaysWhetherItLooksAtLabels) {
  for (const char* name : {"labelled", "labelled-210", "arc-length-labelled", "labels:obj", "sum:labelled,arc-length"})
    EXPECT_EQ(make_loss(name)->looks_at_labels(), LooksAtLabels::kYes) << name;
  for (const char* name : {"hamming", "arc-length", "root", "sum:hamming,2*root"})
    EXPECT_EQ(make_loss(name)->looks_at_labels(), LooksAtLabels::kNo) << name;
  for (const char* name : {"reorder:en-ja", "command: ./labelled"})
    EXPECT_EQ(make_loss(name)->looks_at_labels(), LooksAtLabels::kPerhaps) << name;
}

TEST(Loss, UnknownNamesAndWrongAnalysesAreErrors) {
  EXPECT_THROW(make_loss("haming"), Error);
  EXPECT_THROW(make_loss("hamming:5"), Error);
  EXPECT_THROW(make_arc_loss("parseval"), Error);
  EXPECT_THROW(make_loss("hamming")->cost(kGold, {}), Error);
  EXPECT_THROW(make_loss("callable:of nobody"), Error);
  for (const std::string& name : loss_names()) {
    if (name.starts_with("callable:")) continue;  // exists when a program has named one
    EXPECT_NO_THROW(make_loss(name)) << name;
  }
}

TEST(Loss, EmptySentence) {
  for (const std::string& name : loss_names()) {
    if (name.starts_with("command:") || name.starts_with("callable:")) continue;  // a program's, a function's: nobody's
    EXPECT_EQ(make_loss(name)->cost({}, dependencies_of({})), 0) << name;
  }
}

/// Every loss over arcs, every tree against some gold trees.
TEST(Loss, PricesOfArcsAddUpToTheWholeTree) {
  Rng rng(1, "loss");
  for (const char* name : {"hamming", "labelled", "labelled-210", "arc-length", "arc-length-labelled", "root",
                           "labels:b", "sum:labelled,2*arc-length"}) {
    const auto loss = make_arc_loss(name);
    for (int words = 1; words <= 5; ++words) {
      std::vector<Sentence> trees;
      for_each_tree(words, true, [&](const std::vector<int>& heads) {
        Sentence& tree = trees.emplace_back();
        for (int i = 1; i <= words; ++i) {
          tree.tokens.emplace_back();
          tree.tokens.back().head = heads[static_cast<size_t>(i)];
          tree.tokens.back().deprel = rng.below(2) ? "a" : "b";
        }
      });
      for (int trial = 0; trial < 5; ++trial) {
        const Sentence& gold = trees[rng.below(trees.size())];
        const Analysis right = dependencies_of(gold);
        const auto prices = loss->prices(right), in_words = loss->prices_in_words(gold, right.heads);
        for (const Sentence& tree : trees) {
          double sum = 0, scaled = 0;
          for (int i = 1; i <= words; ++i) {
            const Token &a = tree.word(i), &b = gold.word(i);
            sum += prices[static_cast<size_t>(i)].of(a.head == b.head, a.deprel == b.deprel);
            scaled += in_words[static_cast<size_t>(i)].of(a.head == b.head, a.deprel == b.deprel);
          }
          const double whole = loss->cost(gold, dependencies_of(tree));
          ASSERT_NEAR(sum, whole, 1e-6) << name;
          ASSERT_NEAR(scaled, whole * loss->in_words(words), words / 256.0) << name;
        }
      }
    }
  }
}

TEST(Loss, AttachmentAgreesWithEval) {
  const AttachmentScore score = score_attachment(kGold, kFound);
  EXPECT_EQ(cost("hamming", kFound), static_cast<double>(score.uas.total - score.uas.hits));
  EXPECT_EQ(cost("labelled", kFound), static_cast<double>(score.las.total - score.las.hits));
  EXPECT_NEAR(100 * (1 - cost("arc-length", kFound)), score.arc_length.percent(), 1e-4);
}

}  // namespace
}  // namespace espalier
