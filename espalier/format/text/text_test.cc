#include <gtest/gtest.h>

#include <sstream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

std::string convert(const std::string& text, BadSentence bad = BadSentence::kStop) {
  std::istringstream input(text);
  std::ostringstream output;
  ReaderOptions options;
  options.bad = bad;
  const auto reader = make_reader("text", input, options);
  const auto writer = make_writer("text", output);
  for (Sentence sentence; reader->next(sentence);) writer->write(sentence);
  writer->finish();
  return output.str();
}

TEST(Text, EmptyLinesPartParagraphs) {
  EXPECT_EQ(convert("No stop\n\n\nHere it\r\ngoes on. And on.\n \nEnd"), "No stop\nHere it goes on.\nAnd on.\nEnd\n");
}

TEST(Text, EmptyInputsHaveNoSentences) {
  for (const char* text : {"", "\n", " \n\n", "\xEF\xBB\xBF\n"}) EXPECT_EQ(convert(text), "");
}

TEST(Text, BadBytesFollowThePolicy) {
  const std::string text(
      "Good.\n\nB\xff"
      "ad\0.\n\nFine.\n",
      21);
  EXPECT_THROW(convert(text), Error);
  EXPECT_EQ(convert(text, BadSentence::kSkip), "Good.\nFine.\n");
  EXPECT_EQ(convert(text, BadSentence::kKeep), "Good.\nB\uFFFDad\uFFFD.\nFine.\n");
}

TEST(Text, SurfaceComesFromWordsWhereThereIsNoComment) {
  std::istringstream input(
      "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\t_\t_\t_\t_\t_\t_\t_\n2\tel\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2.1\tgran\t_\t_\t_\t_\t_\t_\t_\t_\n3\tmar\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n4\t.\t_\t_\t_\t_\t_\t_\t_\t_"
      "\n\n");
  Sentence sentence;
  make_reader("conllu", input, {})->next(sentence);
  EXPECT_EQ(surface_text(sentence), "del mar.");
}

}  // namespace
}  // namespace espalier
