#include "espalier/format/text/word_places.h"

#include <gtest/gtest.h>

#include <sstream>

#include "espalier/format/format.h"

namespace espalier {
namespace {

std::vector<Sentence> segmented(const std::string& text, const std::string& language) {
  std::istringstream input(text);
  ReaderOptions options;
  options.language = language;
  const auto reader = make_reader("text", input, options);
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader->next(sentence);) sentences.push_back(std::move(sentence));
  return sentences;
}

/// Every word's place holds the word, places are in order, and nothing but white space lies between them.
void expect_found(const std::string& text, const std::string& language) {
  const auto sentences = segmented(text, language);
  const auto places = word_places(text, sentences);
  ASSERT_EQ(places.size(), sentences.size());
  size_t end = 0;
  for (size_t s = 0; s < sentences.size(); ++s) {
    ASSERT_EQ(places[s].size(), sentences[s].tokens.size());
    for (const TextSpan& place : places[s]) {
      if (place.end == end) continue;  // a word of the same multiword token
      ASSERT_GE(place.begin, end);
      ASSERT_LT(place.begin, place.end);
      EXPECT_EQ(text.substr(end, place.begin - end).find_first_not_of(" \t\n\r\x01\xEF\xBB\xBF\xC2\xA0"),
                std::string::npos);
      end = place.end;
    }
  }
  EXPECT_EQ(text.substr(end).find_first_not_of(" \n"), std::string::npos);
}

TEST(WordPlaces, WordsAndMultiwordTokens) {
  const std::string text = "  I can't  sing.\n\nBut\twe do.";
  const auto sentences = segmented(text, "en");
  const auto places = word_places(text, sentences);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0], (std::vector<TextSpan>{{2, 3}, {4, 9}, {4, 9}, {11, 15}, {15, 16}}));  // ca and n't share can't
  EXPECT_EQ(text.substr(places[1][1].begin, 2), "we");
}

TEST(WordPlaces, OddCharacters) {
  for (const std::string language : {"en", "de", "zh"}) {
    expect_found("Grüße an 東京! Wie\xC2\xA0geht's?\r\nGut\x01so.", language);
    expect_found("\xEF\xBB\xBFone two", language);
    expect_found("na\xC3\xAFve e\xCC\x81t\xC3\xA9 \xF0\x9F\x98\x80\xF0\x9F\x98\x80 ...  (a) 1,000.50$", language);
  }
}

TEST(WordPlaces, NothingToFind) { EXPECT_TRUE(word_places("   ", {}).empty()); }

TEST(WordPlaces, ForeignWordsTakeNoPlace) {
  std::vector<Sentence> sentences(1);
  for (const char* word : {"a", "x", "c"}) sentences[0].tokens.emplace_back().form = word;
  EXPECT_EQ(word_places("a b c", sentences)[0], (std::vector<TextSpan>{{0, 1}, {1, 1}, {1, 1}}));
}

}  // namespace
}  // namespace espalier
