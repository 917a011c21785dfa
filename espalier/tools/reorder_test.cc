#include "espalier/tools/reorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

ReorderRules rules(const std::string& name) { return {reorder_rules_text(name), name}; }

std::string in_order(const ReorderRules& rules, const Sentence& sentence) {
  std::string text;
  for (const int word : rules.order(sentence)) text += (text.empty() ? "" : " ") + sentence.word(word).form;
  return text;
}

TEST(Reorder, EnglishAsJapanese) {
  const ReorderRules japanese = rules("en-ja");
  const auto order = [&](const std::string& text) { return in_order(japanese, testing::dependencies(text)); };
  EXPECT_EQ(order("John/PROPN/3/nsubj can/AUX/3/aux hit/VERB/0/root the/DET/5/det ball/NOUN/3/obj ./PUNCT/3/punct"),
            "John the ball hit can .");
  EXPECT_EQ(order("the/DET/2/det man/NOUN/0/root in/ADP/5/case the/DET/5/det house/NOUN/2/nmod"),
            "the house in the man");
  EXPECT_EQ(order("He/PRON/2/nsubj bought/VERB/0/root it/PRON/2/obj because/SCONJ/7/mark it/PRON/7/nsubj was/AUX/7/cop "
                  "cheap/ADJ/2/advcl"),
            "He it cheap was because it bought");
  EXPECT_EQ(order("I/PRON/4/nsubj did/AUX/4/aux not/PART/4/advmod see/VERB/0/root her/PRON/4/obj"),
            "I her see not did");
  EXPECT_EQ(order("She/PRON/3/nsubj would/AUX/3/aux like/VERB/0/root to/PART/5/mark eat/VERB/3/xcomp bread/NOUN/5/obj "
                  "and/CCONJ/8/cc butter/NOUN/6/conj ,/PUNCT/11/punct he/PRON/11/nsubj said/VERB/3/parataxis "
                  "./PUNCT/3/punct"),
            "She bread and butter eat to like would , he said .");
}

TEST(Reorder, PunctuationFollowsWhatItFollowed) {
  EXPECT_EQ(in_order(rules("en-ja"), testing::dependencies("\"/PUNCT/4/punct Well/INTJ/4/discourse ,/PUNCT/4/punct "
                                                           "go/VERB/0/root home/ADV/4/advmod !/PUNCT/4/punct")),
            "\" Well , home go !");
}

TEST(Reorder, EnglishAsSpanish) {
  EXPECT_EQ(in_order(rules("en-es"), testing::dependencies("the/DET/4/det first/ADJ/4/amod natural/ADJ/4/amod "
                                                           "lake/NOUN/5/nsubj froze/VERB/0/root")),
            "the first lake natural froze");
}

TEST(Reorder, AnyTreeGivesAPermutationInWhichSubtreesStayTogether) {
  Rng rng(1, "reorder");
  const std::vector<std::string> labels = {"nsubj", "obj", "punct", "case", "advmod",
                                           "conj",  "cc",  "x:y",   "aux",  "nmod"};
  for (int round = 0; round < 500; ++round) {
    Sentence sentence;
    const int n = 1 + static_cast<int>(rng.below(9));
    sentence.tokens.resize(static_cast<size_t>(n));
    std::vector<int> words(static_cast<size_t>(n));
    std::iota(words.begin(), words.end(), 1);
    rng.shuffle(words);  // each word's head is one before it in this order
    for (size_t i = 0; i < words.size(); ++i) {
      Token& token = sentence.word(words[i]);
      token.form = "w";
      token.upos = rng.below(2) ? "VERB" : "NOUN";
      token.head = i == 0 ? 0 : words[rng.below(i)];
      token.deprel = i == 0 ? "root" : labels[rng.below(labels.size())];
    }
    for (const char* name : {"en-ja", "en-es"}) {
      const std::vector<int> order = rules(name).order(sentence);
      std::vector<int> sorted = order;
      std::ranges::sort(sorted);
      for (int i = 0; i < n; ++i) ASSERT_EQ(sorted[static_cast<size_t>(i)], i + 1);
      for (int head = 1; head <= n; ++head) {
        // Apart from punctuation, a word's descendants are one run of the order.
        int runs = 0;
        bool inside = false;
        for (const int word : order) {
          bool mark = false, below = false;
          for (int up = word; up != 0; up = sentence.word(up).head) {
            mark = mark || sentence.word(up).deprel == "punct";
            below = below || up == head;
          }
          if (mark) continue;
          runs += below && !inside;
          inside = below;
        }
        EXPECT_LE(runs, 1);
      }
    }
  }
}

TEST(Reorder, LongChainsAndCycles) {
  Sentence chain;
  constexpr int kWords = 200000;
  chain.tokens.resize(kWords);
  for (int i = 1; i <= kWords; ++i) {
    chain.word(i).head = i - 1;
    chain.word(i).deprel = i == 1 ? "root" : "obj";
    chain.word(i).upos = "VERB";
  }
  const auto order = rules("en-ja").order(chain);
  EXPECT_EQ(order.front(), kWords);
  EXPECT_EQ(order.back(), 1);
  const Sentence cycle = testing::dependencies("a/X/2/x b/X/1/x c/X/0/root");
  EXPECT_EQ(rules("en-ja").order(cycle), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(rules("en-ja").order(testing::dependencies("a b/X/0/root")), (std::vector<int>{1, 2})) << "no heads";
}

TEST(Reorder, Score) {
  const std::vector<int> reference = {0, 1, 2, 3, 4};
  const auto score = [&](std::vector<int> order) { return reorder_score(order, reference); };
  EXPECT_DOUBLE_EQ(score({1, 2, 3, 4}), 1);
  EXPECT_DOUBLE_EQ(score({3, 4, 1, 2}), 2. / 3);
  EXPECT_DOUBLE_EQ(score({4, 3, 2, 1}), 0);
  EXPECT_DOUBLE_EQ(score({2, 3, 1, 4}), 1. / 3);
  // Words without a place are passed over; places need not be dense.
  EXPECT_DOUBLE_EQ(reorder_score(std::vector<int>{2, 1, 3}, std::vector<int>{0, 0, 5, 9}), 1);
  EXPECT_DOUBLE_EQ(reorder_score(std::vector<int>{1}, std::vector<int>{0, 3}), 1);
}

TEST(Reorder, ReferenceInMisc) {
  Sentence sentence = testing::dependencies("a/X/0/root b/X/1/x c/X/1/x");
  sentence.word(1).misc = "SpaceAfter=No|Order=7";
  set_reference_order(sentence, std::vector<int>{0, 2, 1, 0});
  EXPECT_EQ(sentence.word(1).misc, "SpaceAfter=No|Order=2");
  EXPECT_EQ(sentence.word(3).misc, "_");
  EXPECT_EQ(reference_order(sentence), (std::vector<int>{0, 2, 1, 0}));
  sentence.word(1).misc = "Order=x";
  EXPECT_THROW(reference_order(sentence), Error);
}

TEST(Reorder, BadRulesAreNamedByLine) {
  const auto message = [](const std::string& text) {
    try {
      ReorderRules(text, "my.rules");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("class a =\n  nsubj<x\n  HEAD\n"), "my.rules:2: 'nsubj<x' is no way to name children");
  EXPECT_EQ(message("# none"), "my.rules: there are no rules");
  EXPECT_EQ(message("class a =\n  nsubj\n"), "my.rules: a class without a slot HEAD");
  EXPECT_EQ(message("nsubj"), "my.rules:1: a slot before the first class");
  EXPECT_THROW(reorder_rules_text("no-such"), Error);
}

}  // namespace
}  // namespace espalier
