#include "espalier/parser/l2s/word_splitter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace espalier {
namespace {

using Words = std::vector<std::u32string>;

WordSplitter learned() {
  std::vector<WordSplitter::Seen> seen;
  const auto add = [&](std::u32string token, Words words, int times) {
    for (int i = 0; i < times; ++i) seen.push_back({token, words});
  };
  add(U"don't", {U"do", U"n't"}, 3);
  add(U"isn't", {U"is", U"n't"}, 2);
  add(U"Can't", {U"Ca", U"n't"}, 1);
  add(U"nella", {U"in", U"la"}, 4);
  add(U"nella", {U"nella"}, 9);
  add(U"nella", {U"ne", U"lla"}, 1);
  add(U"la", {U"la"}, 5);
  add(U"tree", {U"tree"}, 5);
  add(U"ant", {U"ant"}, 5);
  return WordSplitter::learn(seen);
}

TEST(WordSplitter, KnowsWhatItHasSeen) {
  const WordSplitter splitter = learned();
  EXPECT_EQ(splitter.split(U"don't"), (Words{U"do", U"n't"}));
  EXPECT_EQ(splitter.split(U"nella"), (Words{U"in", U"la"}));  // the majority of its splits
  EXPECT_EQ(splitter.split(U"tree"), (Words{U"tree"}));
  EXPECT_EQ(splitter.split(U"ant"), (Words{U"ant"}));
}

TEST(WordSplitter, GeneralisesBySuffixAndKeepsCase) {
  const WordSplitter splitter = learned();
  EXPECT_EQ(splitter.split(U"wasn't"), (Words{U"was", U"n't"}));
  EXPECT_EQ(splitter.split(U"WASN'T"), (Words{U"WAS", U"N'T"}));
  EXPECT_EQ(splitter.split(U"Nella"), (Words{U"In", U"la"}));
  EXPECT_EQ(splitter.split(U"NELLA"), (Words{U"IN", U"LA"}));
  EXPECT_EQ(splitter.split(U"n't"), (Words{U"n't"}));  // no stem is left
  EXPECT_EQ(splitter.split(U""), (Words{U""}));
}

TEST(WordSplitter, SplitsWhatIsLeftOfAContractionAgain) {
  std::vector<WordSplitter::Seen> seen;
  for (const char32_t* who : {U"i", U"you", U"we"}) {
    seen.push_back({std::u32string(who) + U"'d", {who, U"'d"}});
    seen.push_back({std::u32string(who) + U"'ve", {who, U"'ve"}});
  }
  const WordSplitter splitter = WordSplitter::learn(seen);
  EXPECT_EQ(splitter.split(U"She'd've"), (Words{U"She", U"'d", U"'ve"}));
  EXPECT_EQ(splitter.split(U"They\u2019ve"), (Words{U"They", U"\u2019ve"}));
  EXPECT_EQ(splitter.split(U"O'Brian'd"), (Words{U"O'Brian", U"'d"}));
}

TEST(WordSplitter, SurvivesSaving) {
  const WordSplitter splitter = WordSplitter::load(learned().save());
  EXPECT_EQ(splitter.split(U"wasn't"), (Words{U"was", U"n't"}));
  EXPECT_EQ(splitter.split(U"nella"), (Words{U"in", U"la"}));
  EXPECT_EQ(splitter.save(), learned().save());
}

}  // namespace
}  // namespace espalier
