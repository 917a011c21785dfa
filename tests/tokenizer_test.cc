// The tokenizer from a treebank's surface to sentences and back.
#include "espalier/parser/l2s/tokenizer.h"

#include <gtest/gtest.h>

#include "espalier/base/rng.h"
#include "espalier/eval/ud_score.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

Sentence sentence_of(const std::vector<std::string>& words, std::string_view no_space_after) {
  Sentence s;
  for (size_t i = 0; i < words.size(); ++i) {
    Token token;
    token.form = words[i];
    if (no_space_after[i] == 'x') token.misc = "SpaceAfter=No";
    s.tokens.push_back(token);
  }
  return s;
}

std::vector<Sentence> toy_paragraphs(int count) {
  Rng rng(5, "test");
  std::vector<Sentence> bank;
  for (int i = 0; i < count; ++i) {
    const std::string noun = rng.below(2) ? "pears" : "plums";
    switch (rng.below(5)) {
      case 0:
        bank.push_back(sentence_of({"Mr.", "Green", "grows", noun, ",", "I", "think", "."}, "...x..x."));
        break;
      case 1:
        bank.push_back(sentence_of({"They", "do", "n't", "grow", noun, "."}, "....x."));
        bank.back().extra.push_back({1, "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_"});
        break;
      case 2:  // whether "its" is one word or two depends on what follows
        bank.push_back(sentence_of({"It", "likes", "its", noun, "."}, "...x."));
        break;
      case 3:
        bank.push_back(sentence_of({"I", "think", "it", "s", "full", "."}, "....x."));
        bank.back().extra.push_back({2, "3-4\tits\t_\t_\t_\t_\t_\t_\t_\t_"});
        break;
      default:
        bank.push_back(sentence_of({"We", "(", "all", ")", "like", noun, "!"}, ".x.x.x."));
        bank.back().tokens[2].misc = "SpaceAfter=No";
        bank.back().tokens[3].misc = "_";
    }
    if (i % 7 == 0) bank.back().comments.push_back("# newpar");
  }
  return bank;
}

TEST(L2sTokenizer, TokensEndWithinLettersOnlyWhereTheyDidInTheTreebank) {
  std::vector<Sentence> bank;
  for (int i = 0; i < 10; ++i) bank.push_back(sentence_of({"We", "like", "pears", "."}, "..x."));
  bank.push_back(sentence_of({"I", "Can", "NOT", "go", "."}, ".x.x."));
  L2sTokenizer task;
  task.learn_rests(surface_of(bank));
  ASSERT_TRUE(task.rests);
  EXPECT_EQ(*task.rests, std::set<std::string>{"not"});
  L2sTokenizer loaded;
  loaded.load(task.save());
  L2sTokenizer::Example x;
  const auto open = [&](const L2sTokenizer& with) {
    with.prepare(x);
    std::string marks;
    for (const uint8_t mark : x.open) marks += mark ? 'x' : '.';
    return marks;
  };
  x.text = U"Knot, plums!?";
  EXPECT_EQ(open(loaded), "x..xxx....xxx");
  EXPECT_EQ(open(L2sTokenizer()), "xxxxxxxxxxxxx");
  // Where words are written together, tokens may end anywhere.
  for (Sentence& sentence : bank)
    for (Token& token : sentence.tokens) token.misc = "SpaceAfter=No";
  L2sTokenizer together;
  together.learn_rests(surface_of(bank));
  EXPECT_FALSE(together.rests);
}

/// Which characters may end a token, as the treebank has taught it.
std::string open_in(const L2sTokenizer& task, const std::u32string& text) {
  L2sTokenizer::Example x;
  x.text = text;
  task.prepare(x);
  std::string marks;
  for (const uint8_t mark : x.open) marks += mark ? 'x' : '.';
  return marks;
}

L2sTokenizer learned_from(const std::vector<Sentence>& bank) {
  std::vector<WordSplitter::Seen> tokens;
  const auto paragraphs = surface_of(bank, &tokens);
  L2sTokenizer task;
  task.learn_tokens(tokens, paragraphs);
  L2sTokenizer loaded;
  loaded.load(task.save());
  return loaded;
}

TEST(L2sTokenizer, AddressesAndHandlesAreWholeUnlessTheTreebankCutsThem) {
  std::vector<Sentence> bank;
  for (int i = 0; i < 5; ++i) bank.push_back(sentence_of({"Ask", "a.b@c.org", "or", "www.d.org/e", "."}, "...x."));
  const L2sTokenizer task = learned_from(bank);
  EXPECT_TRUE(task.whole_addresses);
  EXPECT_EQ(open_in(task, U"to a-b@c.org."), "xxx........xx");
  EXPECT_EQ(open_in(task, U"(http://x.org/y?z=1),"), "x.................xxx");
  EXPECT_EQ(open_in(task, U"@jo_1: #go 3@4 #1"), "....xxx..xxxxxxxx");
  for (Sentence& sentence : bank) sentence = sentence_of({"Ask", "a.b", "@", "c.org", "or", "@", "d", "."}, ".xx..xx.");
  EXPECT_FALSE(learned_from(bank).whole_addresses);
}

TEST(L2sTokenizer, ContractionsAreLearnedWithTheirExceptions) {
  std::vector<Sentence> bank;
  for (int i = 0; i < 45; ++i) {
    bank.push_back(sentence_of({"I", "'ve", "pears", "."}, "..x."));
    bank.back().extra.push_back({0, "1-2\tI've\t_\t_\t_\t_\t_\t_\t_\t_"});
  }
  bank.push_back(sentence_of({"St.", "Eve've", "o'clock", "."}, "..x."));
  bank.push_back(sentence_of({"A", "\"", "pear", "\"", "."}, ".x.xx"));
  const L2sTokenizer task = learned_from(bank);
  EXPECT_TRUE(task.plain_quotes);
  EXPECT_EQ(task.contractions.endings, std::set<std::u32string>{U"ve"});
  EXPECT_EQ(task.contractions.exceptions, std::set<std::u32string>{U"eve've"});
  L2sTokenizer::Example x;
  const auto is_contraction = [&](const std::u32string& text) {
    x.text = text;
    task.prepare(x);
    return task.is_contraction(x, 0, text.size() - 1);
  };
  EXPECT_TRUE(is_contraction(U"They've"));
  EXPECT_TRUE(is_contraction(U"They\u2019ve"));
  EXPECT_FALSE(is_contraction(U"Eve've"));
  EXPECT_FALSE(is_contraction(U"'ve"));
  EXPECT_FALSE(is_contraction(U"o'clock"));
}

TEST(Surface, JoinsTokensWithTheirSpaces) {
  std::vector<Sentence> bank = {sentence_of({"Do", "n't", "!"}, "..."), sentence_of({"Go", "."}, "x.")};
  bank[0].extra.push_back({0, "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No"});
  std::vector<WordSplitter::Seen> tokens;
  const auto paragraphs = surface_of(bank, &tokens);
  ASSERT_EQ(paragraphs.size(), 1u);
  EXPECT_EQ(paragraphs[0].text, U"Don't! Go.");
  EXPECT_EQ(paragraphs[0].labels, (std::vector<uint8_t>{0, 0, 0, 0, 3, 2, 0, 0, 1, 2}));
  EXPECT_EQ(raw_text(paragraphs), "Don't! Go.\n\n");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[0].words, (std::vector<std::u32string>{U"Do", U"n't"}));
}

class TrainedTokenizer : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    TrainData data;
    data.train = toy_paragraphs(200);
    data.dev = toy_paragraphs(20);
    Settings settings;
    settings.set("recipe", "tokenizer");
    settings.set("bits", "14");
    trained_ = new Trained(train(settings, data, {}));
  }
  static void TearDownTestSuite() { delete trained_; }
  static std::vector<Sentence> tokenize(const std::string& text) {
    const auto workspace = trained_->parser->make_workspace();
    return trained_->parser->tokenizer()->tokenize(text, *workspace);
  }
  static Trained* trained_;
};
Trained* TrainedTokenizer::trained_ = nullptr;

TEST_F(TrainedTokenizer, LearnsTheToyTreebank) {
  const std::vector<Sentence> bank = toy_paragraphs(60);
  const UdScore score = score_ud(bank, tokenize(raw_text(surface_of(bank))));
  EXPECT_GT(score.tokens.f1(), 99);
  EXPECT_GT(score.words.f1(), 99);
  EXPECT_GT(score.sentences.f1(), 95);
}

TEST_F(TrainedTokenizer, WritesTextSpacesAndMultiwordTokens) {
  const auto sentences = tokenize("They don't grow\nplums. We (all) like pears!");
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0].comments, (std::vector<std::string>{"# newpar", "# text = They don't grow plums."}));
  ASSERT_EQ(sentences[0].extra.size(), 1u);
  EXPECT_EQ(sentences[0].extra[0], (ExtraLine{1, "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_"}));
  ASSERT_EQ(sentences[0].size(), 6);
  EXPECT_EQ(sentences[0].word(3).form, "n't");
  EXPECT_EQ(sentences[0].word(5).misc, "SpaceAfter=No");
  EXPECT_EQ(sentences[0].word(6).misc, "_");
}

TEST_F(TrainedTokenizer, ContextDecidesWhetherATokenIsSeveralWords) {
  EXPECT_EQ(tokenize("It likes its pears.").at(0).size(), 5);
  EXPECT_EQ(tokenize("I think its full.").at(0).size(), 6);
}

TEST_F(TrainedTokenizer, EmptyLinesEndSentencesAndNothingIsLost) {
  EXPECT_TRUE(tokenize("").empty());
  EXPECT_TRUE(tokenize(" \n\n \t\n").empty());
  EXPECT_EQ(tokenize("Mr.\n \nGreen").size(), 2u);
  // Lines that no margin has broken: items of a list.
  EXPECT_EQ(tokenize("- pears\n- plums\n- all").size(), 3u);
  EXPECT_EQ(tokenize("1. pears\n2) plums").size(), 2u);
  EXPECT_EQ(tokenize("We like pears\nThey like plums").size(), 2u);
  EXPECT_EQ(tokenize("We like\npears").size(), 1u);
  EXPECT_EQ(tokenize("x").at(0).word(1).form, "x");
  Rng rng(6, "test");
  for (int trial = 0; trial < 200; ++trial) {
    std::string text, kept, joined;
    for (size_t i = 0, n = rng.below(30); i < n; ++i) {
      static const char* const kPieces[] = {"a", "B", ".", " ", "\n", "\xc3\xa9", "\xe2\x80\x94", "7", "'", "\t"};
      text += kPieces[rng.below(10)];
    }
    for (char c : text) {
      if (c != ' ' && c != '\n' && c != '\t') kept += c;
    }
    for (const Sentence& sentence : tokenize(text)) {
      EXPECT_GT(sentence.size(), 0);
      for (const Token& token : sentence.tokens) joined += token.form;
    }
    EXPECT_EQ(joined, kept);
  }
}

TEST_F(TrainedTokenizer, SurvivesSaving) {
  ModelWriter writer;
  writer.metadata["model"] = save_part(*trained_->parser, writer, "");
  const auto loaded = load_parser(ModelFile::from_bytes(writer.to_bytes(), "test.esp"));
  ASSERT_TRUE(loaded->about().can.tokenize);
  const std::string text = raw_text(surface_of(toy_paragraphs(30)));
  const auto workspace = loaded->make_workspace();
  const auto again = loaded->tokenizer()->tokenize(text, *workspace), before = tokenize(text);
  ASSERT_EQ(again.size(), before.size());
  for (size_t i = 0; i < again.size(); ++i) EXPECT_EQ(again[i].tokens, before[i].tokens);
}

}  // namespace
}  // namespace espalier
