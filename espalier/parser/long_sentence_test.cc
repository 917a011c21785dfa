#include "espalier/parser/long_sentence.h"

#include <gtest/gtest.h>

#include "espalier/parser/model_file.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

/// Hangs every word on the one before it and puts all words under one root; counts the words that it was given.
class Chain final : public Parser {
 public:
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Workspace>(); }
  void parse(Sentence& sentence, const Constraints&, Workspace&) const override {
    longest = std::max(longest, sentence.size());
    sentence.constituents.nodes.assign(1, {.label = "TOP", .children = {}});
    for (int i = 1; i <= sentence.size(); ++i) {
      sentence.word(i).head = i - 1;
      sentence.word(i).deprel = i == 1 ? "root" : "next";
      sentence.constituents.nodes[0].children.push_back(i);
      sentence.constituents.nodes.push_back({.label = "X", .children = {}, .word = i});
    }
  }
  AboutParser about() const override {
    return {.kind = "chain", .predicts = {"heads", "constituents"}, .most_words = most_words};
  }
  nlohmann::json save(ModelWriter&, const std::string&) const override { return {}; }

  mutable int longest = 0;
  int most_words = 1'000'000;
};

Sentence words(int count) {
  Sentence sentence;
  for (int i = 0; i < count; ++i) sentence.tokens.push_back(word("tree", "NOUN", Token::kNoHead, "_"));
  return sentence;
}

TEST(LongSentence, ShortOnesAreParsedAsTheyAre) {
  Chain parser;
  Workspace workspace;
  Sentence within = words(10), plain = words(10);
  EXPECT_FALSE(parse_within(parser, within, workspace, 10));
  parser.parse(plain, {}, workspace);
  EXPECT_EQ(within.tokens, plain.tokens);
  EXPECT_TRUE(within.comments.empty());
}

TEST(LongSentence, LongOnesAreOneTreeOfPieces) {
  Chain parser;
  Workspace workspace;
  for (int n = 11; n <= 47; ++n) {
    Sentence sentence = words(n);
    sentence.word(9).form = ";";
    EXPECT_TRUE(parse_within(parser, sentence, workspace, 10));
    EXPECT_LE(parser.longest, 10);
    EXPECT_EQ(tree_problem(sentence), "") << n;
    EXPECT_EQ(sentence.word(9).head, 8);
    EXPECT_EQ(sentence.word(10).head, 1);  // cut after the semicolon
    EXPECT_EQ(sentence.word(10).deprel, "dep");
    ASSERT_EQ(sentence.comments.size(), 1u);
    EXPECT_EQ(sentence.comments[0], "# parser = fallback: split into pieces of at most 10 words");
    ASSERT_EQ(sentence.constituents.nodes.size(), static_cast<size_t>(n) + 1);
    for (int i = 1; i <= n; ++i) {
      EXPECT_EQ(sentence.constituents.nodes[0].children[static_cast<size_t>(i - 1)], i);
      EXPECT_EQ(sentence.constituents.nodes[static_cast<size_t>(i)].word, i);
    }
  }
}

TEST(LongSentence, NoLimitIsStillThatOfTheParser) {
  Chain parser;
  Workspace workspace;
  parser.most_words = 600;
  for (const int limit : {0, 1000}) {
    Sentence most = words(600), more = words(601);
    EXPECT_FALSE(parse_within(parser, most, workspace, limit));
    EXPECT_TRUE(parse_within(parser, more, workspace, limit));
    EXPECT_EQ(parser.longest, 600);
    EXPECT_EQ(tree_problem(more), "");
    EXPECT_EQ(more.comments[0], "# parser = fallback: split into pieces of at most 600 words");
  }
  Sentence many = words(700);
  parser.most_words = 1'000'000;
  EXPECT_FALSE(parse_within(parser, many, workspace, 0));
}

}  // namespace
}  // namespace espalier
