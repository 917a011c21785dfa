#include <gtest/gtest.h>

#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

using Words = std::vector<std::vector<std::string>>;

Words read_words(const std::string& format, const std::string& text, ReaderOptions options = {}) {
  std::istringstream input(text);
  const auto reader = make_reader(format, input, std::move(options));
  Words all;
  for (Sentence sentence; reader->next(sentence);) {
    all.emplace_back();
    for (const Token& token : sentence.tokens) all.back().push_back(token.form);
  }
  return all;
}

std::string written(const std::string& format, const Words& words) {
  std::ostringstream output;
  const auto writer = make_writer(format, output);
  for (const auto& forms : words) {
    Sentence sentence;
    for (const std::string& form : forms) sentence.tokens.emplace_back().form = form;
    writer->write(sentence);
  }
  writer->finish();
  return output.str();
}

TEST(HorizontalFormat, ASentenceALine) {
  const Words expected = {{"Dogs", "bark", "."}, {"Why", "?"}};
  EXPECT_EQ(read_words("horizontal", "Dogs bark .\nWhy ?\n"), expected);
  EXPECT_EQ(read_words("horizontal", "\n  Dogs   bark\t. \r\n\n\nWhy ?"), expected);
  EXPECT_EQ(read_words("horizontal", ""), Words());
  EXPECT_EQ(read_words("horizontal", "# no comment\n"), (Words{{"#", "no", "comment"}}));
  EXPECT_EQ(written("horizontal", {{"New York", "sleeps"}}), "New\u00a0York sleeps\n");
}

TEST(VerticalFormat, AWordALine) {
  const Words expected = {{"New York", "sleeps"}, {"Why", "?"}};
  EXPECT_EQ(read_words("vertical", "New York\nsleeps\n\nWhy\n?\n"), expected);
  EXPECT_EQ(read_words("vertical", "\n\nNew York \r\nsleeps\n \n\nWhy\n?"), expected);
  EXPECT_EQ(read_words("vertical", "\n\n"), Words());
  EXPECT_EQ(written("vertical", expected), "New York\nsleeps\n\nWhy\n?\n\n");
}

TEST(WordFormats, WhatIsWrittenIsRead) {
  Rng rng(2, "words");
  const std::string letters[] = {"a", "#", "1-2", "\u00e9", "\u72ac", "_"};
  for (int trial = 0; trial < 200; ++trial) {
    Words words(rng.below(4));
    for (auto& sentence : words) {
      sentence.resize(1 + rng.below(4));
      for (std::string& form : sentence)
        for (uint64_t length = 1 + rng.below(3); length > 0; --length) form += letters[rng.below(6)];
    }
    for (const char* format : {"horizontal", "vertical"})
      ASSERT_EQ(read_words(format, written(format, words)), words) << format;
  }
}

TEST(WordFormats, StrayByteOrderMarksAreNoPartOfWords) {
  // At the start of a file one is left out, so words that began with one would not be read as they were written.
  EXPECT_EQ(read_words("horizontal", "a b\n\uFEFFc \uFEFF\uFEFF d\uFEFF\n"), (Words{{"a", "b"}, {"c", "d\uFEFF"}}));
  EXPECT_EQ(read_words("vertical", "a\n\uFEFF \uFEFFb c\n\uFEFF\nd\n"), (Words{{"a", "b c"}, {"d"}}));
}

TEST(WordFormats, CarriageReturnsAreBlanks) {
  EXPECT_EQ(read_words("horizontal", "a\rb\r \tc\r\t\n"), (Words{{"a", "b", "c"}}));
  EXPECT_EQ(read_words("vertical", "a\r\t\n\rb\n"), (Words{{"a", "b"}}));
}

TEST(WordFormats, BadLines) {
  EXPECT_THROW(read_words("horizontal", "fine\n\xff\n"), Error);
  EXPECT_THROW(read_words("vertical", "1\tDogs\t_\n"), Error);
  std::vector<std::string> problems;
  ReaderOptions options;
  options.name = "w.vert";
  options.bad = BadSentence::kSkip;
  options.report = [&](const Problem& problem) { problems.push_back(problem.text()); };
  EXPECT_EQ(read_words("vertical", "a\nb\tc\nd\n\ne\n", options), (Words{{"e"}}));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].substr(0, 18), "w.vert:2: token 2:");
  EXPECT_EQ(read_words("horizontal", "a\n\xff b\nc\n", options), (Words{{"a"}, {"c"}}));
}

}  // namespace
}  // namespace espalier
