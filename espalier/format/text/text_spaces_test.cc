#include "espalier/format/text/text_spaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "espalier/base/rng.h"
#include "espalier/format/text/paragraph_reader.h"

namespace espalier {
namespace {

std::vector<Sentence> read_text(const std::string& text, TextSentences ends = TextSentences::kFound,
                                bool offsets = false) {
  std::istringstream input(text);
  ReaderOptions options;
  options.sentences = ends;
  options.offsets = offsets;
  const auto reader = make_reader("text", input, options);
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader->next(sentence);) sentences.push_back(std::move(sentence));
  return sentences;
}

/// By way of CoNLL-U, as a file goes.
std::string there_and_back(const std::vector<Sentence>& sentences) {
  std::stringstream conllu;
  std::ostringstream text;
  const auto writer = make_writer("conllu", conllu), exact = make_writer("text-exact", text);
  for (const Sentence& sentence : sentences) writer->write(sentence);
  writer->finish();
  const auto reader = make_reader("conllu", conllu, {});
  for (Sentence sentence; reader->next(sentence);) exact->write(sentence);
  exact->finish();
  return text.str();
}

TEST(TextSpaces, AsUdpipeWritesThem) {
  const auto sentences = read_text("\n  I can't  sing|play.\tGo!\r\n\r\nYes", TextSentences::kFound, true);
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(sentences[0].word(1).misc, "SpacesBefore=\\n\\s\\s|TokenRange=3:4");
  EXPECT_EQ(sentences[0].extra[0].text, "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s|TokenRange=5:10");
  EXPECT_EQ(sentences[0].word(3).misc, "_") << "its multiword token says it";
  EXPECT_EQ(sentences[0].tokens.back().misc, "SpacesAfter=\\t|TokenRange=21:22");
  EXPECT_EQ(sentences[1].word(1).misc, "SpaceAfter=No|TokenRange=23:25");
  EXPECT_EQ(sentences[1].word(2).misc, "SpacesAfter=\\r\\n\\r\\n|TokenRange=25:26");
  EXPECT_EQ(sentences[2].word(1).misc, "SpaceAfter=No|TokenRange=30:33");
}

TEST(TextSpaces, BackslashesAndPipesComeBack) {
  for (const std::string text : {"a\\nb c\\\\", "| \\p |\\s|", "x \\", "\xEF\xBB\xBF\xEF\xBB\xBFone\n"})
    EXPECT_EQ(there_and_back(read_text(text)), text);
}

std::string random_text(Rng& rng) {
  static const std::vector<std::string> pieces = {
      "a",      "b",      "Dog", "can't",  " ", " ",      "  ",  "\n",     "\n\n",   "\r\n",
      "\t",     ".",      "!",   "?",      "|", "\\",     "\\n", "1,000",  "\u00a0", "\u3000",
      "\u200b", "\u0301", "é",   "東京",   "😀", "\u2028", "«",   "\u0001", "\r",     "_",
      "#",      "=",      "-",   "\ufeff", "ش", "\u0085", "\v",  "\u00ad", "\x7f",   "'s"};
  std::string text;
  for (size_t i = 0, n = rng.below(60); i < n; ++i) text += pieces[rng.below(pieces.size())];
  return text;
}

/// Whatever the text, if there is a word in it.
TEST(TextSpaces, RandomTextComesBackByteForByte) {
  Rng rng(5, "texts");
  for (int round = 0; round < 5000; ++round) {
    const std::string text = random_text(rng);
    for (const TextSentences ends : {TextSentences::kFound, TextSentences::kLine, TextSentences::kParagraph}) {
      const auto sentences = read_text(text, ends);
      ASSERT_EQ(there_and_back(sentences), sentences.empty() ? "" : text) << round;
    }
  }
}

TEST(TextSpaces, RangesAreThePlaces) {
  Rng rng(6, "texts");
  for (int round = 0; round < 500; ++round) {
    std::string text = random_text(rng);
    for (size_t at; (at = text.find('\\')) != std::string::npos;) text.erase(at, 1);  // no escapes but of spaces
    const auto before = [&](size_t characters) {
      size_t byte = 0;
      for (; byte < text.size(); ++byte)
        if ((text[byte] & 0xC0) != 0x80 && characters-- == 0) break;
      return byte;
    };
    for (const Sentence& sentence : read_text(text, TextSentences::kFound, true)) {
      for (const Token& token : sentence.tokens) {
        const size_t at = token.misc.find("TokenRange=");
        if (at == std::string::npos || token.misc.find("SpacesInToken") != std::string::npos) continue;
        size_t begin = 0, end = 0;
        ASSERT_EQ(std::sscanf(token.misc.c_str() + at, "TokenRange=%zu:%zu", &begin, &end), 2);
        EXPECT_EQ(text.substr(before(begin), before(end) - before(begin)), token.form) << text;
      }
    }
  }
}

TEST(TextSpaces, LongTextIsReadInPieces) {
  std::string text;
  for (int i = 0; i < 40000; ++i) text += i % 5000 == 0 ? "Yes.\n\n\n " : "word ";
  EXPECT_EQ(there_and_back(read_text(text)), text);
  std::ranges::replace(text, '\n', ' ');
  EXPECT_EQ(there_and_back(read_text(text)), text);
}

TEST(TextSpaces, SentencesByLinesOrParagraphs) {
  const std::string text = "One. Two can't.\nThree\n\nFour.Five.\n";
  const auto lines = read_text(text, TextSentences::kLine);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].comments, std::vector<std::string>{"# text = One. Two can't."});
  EXPECT_EQ(lines[0].size(), 6);
  EXPECT_TRUE(lines[0].extra.at(0).text.starts_with("4-5\tcan't\t")) << lines[0].extra.at(0).text;
  EXPECT_EQ(lines[0].extra[0].before, 3);
  const auto paragraphs = read_text(text, TextSentences::kParagraph);
  ASSERT_EQ(paragraphs.size(), 2u);
  EXPECT_EQ(paragraphs[0].comments, std::vector<std::string>{"# text = One. Two can't. Three"});
}

TEST(ParagraphReader, EndlessEmptyLinesCostNoMemory) {
  std::istringstream input(std::string(5000000, '\n') + "a\n" + std::string(5000000, '\n') + "b");
  ParagraphReader reader(input, "-", TextSentences::kFound);
  TextParagraph paragraph;
  ASSERT_TRUE(reader.next(paragraph));
  EXPECT_EQ(paragraph.text, "a\n");
  EXPECT_EQ(paragraph.line, 5000001);
  EXPECT_EQ(paragraph.character + paragraph.exact.find('a'), 5000000u);
  EXPECT_LT(paragraph.exact.size(), 4000000u);
  ASSERT_TRUE(reader.next(paragraph));
  EXPECT_EQ(paragraph.text, "b\n");
  EXPECT_FALSE(reader.next(paragraph));
}

}  // namespace
}  // namespace espalier
