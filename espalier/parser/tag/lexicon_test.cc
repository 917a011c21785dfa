#include "espalier/parser/tag/lexicon.h"

#include <gtest/gtest.h>

#include <sstream>

#include "espalier/base/error.h"

namespace espalier {
namespace {

Lexicon lexicon_of(const std::string& text) {
  std::istringstream input(text);
  return Lexicon::read(input, "forms.tsv");
}

std::string lemma(const Lexicon& lexicon, std::string form, std::string upos = "_", std::string xpos = "_",
                  std::string feats = "_") {
  Token token;
  token.form = form, token.upos = upos, token.xpos = xpos, token.feats = feats;
  const std::string* found = lexicon.find(token);
  return found ? *found : "nothing";
}

TEST(Lexicon, MoreTagsWinThenLaterLines) {
  const Lexicon lexicon = lexicon_of(
      "left\tleave\tVERB\n"
      "left\tleft\n"
      "left\tleave hurriedly\tVERB Tense=Past\r\n"
      "\n"
      "odd\tfirst\n"
      "odd\tsecond\n");
  EXPECT_EQ(lemma(lexicon, "left"), "left");
  EXPECT_EQ(lemma(lexicon, "left", "VERB"), "leave");
  EXPECT_EQ(lemma(lexicon, "left", "VERB", "VBD", "Mood=Ind|Tense=Past"), "leave hurriedly");
  EXPECT_EQ(lemma(lexicon, "left", "X", "VERB"), "leave");
  EXPECT_EQ(lemma(lexicon, "odd"), "second");
  EXPECT_EQ(lemma(lexicon, "even"), "nothing");
}

TEST(Lexicon, CapitalsFindSmallLetters) {
  const Lexicon lexicon = lexicon_of("ärzte\tarzt\nUS\tUS\nus\twe\n");
  EXPECT_EQ(lemma(lexicon, "Ärzte"), "arzt");
  EXPECT_EQ(lemma(lexicon, "US"), "US");
  EXPECT_EQ(lemma(lexicon, "Us"), "we");
  EXPECT_EQ(lemma(lexicon_of("US\tUS\n"), "us"), "nothing");
}

TEST(Lexicon, ErrorsNameTheLine) {
  for (const char* bad : {"ok\tok\nalone\n", "ok\tok\na\tb\tc\td\n", "ok\tok\n\tb\n", "ok\tok\n\xff\tb\n"}) {
    try {
      lexicon_of(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("forms.tsv:2"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace espalier
