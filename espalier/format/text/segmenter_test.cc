#include "espalier/format/text/segmenter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "espalier/format/format.h"
#include "espalier/format/line_reader.h"

namespace espalier {
namespace {

std::vector<Sentence> segment(const std::string& text, const std::string& language = "en") {
  std::vector<Sentence> sentences;
  Segmenter(language).segment(text, sentences);
  return sentences;
}

/// Words joined by spaces, sentences by " | ".
std::string words(const std::string& text, const std::string& language = "en") {
  std::string result;
  for (const Sentence& sentence : segment(text, language)) {
    if (!result.empty()) result += " |";
    for (const Token& token : sentence.tokens) result += (result.empty() ? "" : " ") + token.form;
  }
  return result;
}

TEST(Segmenter, EndlessSentencesAreCut) {
  std::string text;
  for (size_t i = 0; i < kLongestSentence; ++i) text += "can't ";  // two words each, which stay together
  for (const std::string language : {"en", "de"}) {
    const auto sentences = segment(text, language);
    size_t words = 0;
    std::string joined;
    for (const Sentence& sentence : sentences) {
      EXPECT_LE(sentence.tokens.size(), kLongestSentence + 1) << language;
      words += sentence.tokens.size();
      joined += surface_text(sentence) + " ";
    }
    EXPECT_EQ(words, (language == "en" ? 2 : 1) * kLongestSentence);
    EXPECT_EQ(joined, text);
  }
}

TEST(Segmenter, CutsPunctuationAndClitics) {
  EXPECT_EQ(words("Don't (please) sing!"), "Do n't ( please ) sing !");
  EXPECT_EQ(words("It's John's, they're the dogs' and I'd've cannot gonna."),
            "It 's John 's , they 're the dogs ' and I 'd 've can not gon na .");
  EXPECT_EQ(words("He said 'the dogs' and “we’ll see”."), "He said ' the dogs ' and “ we ’ll see ” .");
  EXPECT_EQ(words("'Tis the '70s, the 80's; 'em"), "'Tis the '70s , the 80's ; 'em");
  EXPECT_EQ(words("Wow!!! Really?! Hm... --ok-- <<a>>"), "Wow !!! | Really ?! | Hm ... -- ok -- << a >>");
}

TEST(Segmenter, KeepsNumbersAddressesAbbreviationsAndSmileysWhole) {
  EXPECT_EQ(words("$1,000.50 at 7:30pm on 9/11, 11/28/2000 or 1/2 of 3-4"),
            "$ 1,000.50 at 7:30 pm on 9/11 , 11/28/2000 or 1 / 2 of 3 - 4");
  EXPECT_EQ(words("Call 713-555-0100 or 555-0100, the 20th or 35mm 5%."),
            "Call 713-555-0100 or 555-0100 , the 20th or 35 mm 5 % .");
  EXPECT_EQ(words("See www.example.org/a?b=c, (http://x.org/y) or <me@example.org>."),
            "See www.example.org/a?b=c , ( http://x.org/y ) or < me@example.org > .");
  EXPECT_EQ(words("Mr. J. Smith of the U.S. Army, e.g. AT&T Inc. and etc. :) #tag"),
            "Mr. J. Smith of the U.S. Army , e.g. AT&T Inc. and etc. :) #tag");
}

TEST(Segmenter, CutsHyphensAsTheTreebankDoes) {
  EXPECT_EQ(words("well-known e-mail, non-stop and/or state-of-the-art w/o"),
            "well - known e-mail , non-stop and / or state - of - the - art w/o");
}

TEST(Segmenter, FindsSentences) {
  EXPECT_EQ(words("He left. She stayed at 5 p.m. in St. Louis. \"Why?\" (No idea.) So it goes. i left"),
            "He left . | She stayed at 5 p.m. in St. Louis . | \" Why ? \" | ( No idea . ) | So it goes . | i left");
  EXPECT_EQ(words("I live in the U.S. We know."), "I live in the U.S . | We know .");
}

TEST(Segmenter, WritesWhatRecoversTheText) {
  std::ostringstream output;
  for (const Sentence& sentence : segment("I  can't\n\tsay, \xEF\xBB\xBFJoe's."))
    make_writer("conllu", output)->write(sentence);
  EXPECT_EQ(output.str(),
            "# text = I can't say, Joe's.\n"
            "1\tI\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "2\tca\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "3\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "4\tsay\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
            "5\t,\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "6-7\tJoe's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
            "6\tJoe\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "7\t's\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "8\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
}

TEST(Segmenter, OtherLanguagesGetTheRulesOfIcu) {
  EXPECT_EQ(words("Das ist gut. Wirklich!", "de"), "Das ist gut . | Wirklich !");
  EXPECT_EQ(words("我喜欢音乐。你呢？", "zh"), "我 喜欢 音乐 。 | 你 呢 ？");
  EXPECT_EQ(words("a b", "no-such-language"), "a b");
}

TEST(Segmenter, EmptyTextHasNoSentences) {
  EXPECT_TRUE(segment("").empty());
  EXPECT_TRUE(segment(" \n\t\xEF\xBB\xBF ").empty());
}

std::string without_space(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\n') result += c;
  }
  return result;
}

RC_GTEST_PROP(Segmenter, LosesNoCharacterAndRecoversItsText, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "a", "B", "the", "n't", "'", "’", "s", ".", ".", " ", " ", "\n", "1", "-", "/", "@", "www.", "http://", "?", "*",
      "&", ":)", "(", ")", "\"", "$", "U.S.", "Mr.", "é", "你", ",", ":", "#", "cannot", "é"));
  const bool english = *rc::gen::arbitrary<bool>();
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  std::string rest;
  for (Sentence& sentence : segment(text, english ? "en" : "fr")) {
    RC_ASSERT(sentence.size() > 0);
    const std::string written = surface_text(sentence);
    sentence.comments.clear();
    RC_ASSERT(surface_text(sentence) == written);  // the words alone say the same
    for (const Token& token : sentence.tokens) rest += token.form;
  }
  RC_ASSERT(rest == without_space(text));
}

}  // namespace
}  // namespace espalier
