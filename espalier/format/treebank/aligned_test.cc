#include <gtest/gtest.h>

#include <sstream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

std::vector<Sentence> read_aligned(const std::string& text, BadSentence bad = BadSentence::kStop) {
  std::istringstream input(text);
  ReaderOptions options;
  options.name = "pairs.txt";
  options.bad = bad;
  const auto reader = make_reader("aligned", input, options);
  std::vector<Sentence> all;
  for (Sentence sentence; reader->next(sentence);) all.push_back(sentence);
  return all;
}

TEST(Aligned, PlacesInTheOtherLanguage) {
  const auto all = read_aligned("I see her now ||| watashi wa ima kanojo wo miru ||| 0-0 0-1 1-5 2-3\n\n");
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].size(), 4);
  EXPECT_EQ(all[0].word(1).misc, "Order=1");
  EXPECT_EQ(all[0].word(2).misc, "Order=3");
  EXPECT_EQ(all[0].word(3).misc, "Order=2");
  EXPECT_EQ(all[0].word(4).misc, "_");
  EXPECT_EQ(all[0].comments, (std::vector<std::string>{"# translation = watashi wa ima kanojo wo miru"}));
}

TEST(Aligned, BadLinesAreNamed) {
  const std::string bad = "a b ||| c ||| 0-0 1-1\n", good = "a ||| b ||| 0-0\n";
  try {
    read_aligned(good + bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "pairs.txt:2: '1-1' is no alignment of two of the words");
  }
  EXPECT_EQ(read_aligned(bad + good, BadSentence::kSkip).size(), 1u);
  EXPECT_THROW(read_aligned("a b c\n"), Error);
  EXPECT_THROW(read_aligned("a ||| b ||| 0-\n"), Error);
}

}  // namespace
}  // namespace espalier
