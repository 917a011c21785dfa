#include "espalier/learn/cluster/bigrams.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

using Text = std::vector<std::vector<std::string>>;

Bigrams count(const Text& text, int64_t least, int most_words = 1000) {
  BigramCounter counter;
  for (const auto& sentence : text) counter.add(sentence);
  return counter.finish(least, most_words);
}

std::map<std::pair<std::string, std::string>, int64_t> named(const Bigrams& bigrams) {
  const auto name = [&](int word) {
    return word < bigrams.size() ? bigrams.words[word] : word == bigrams.rare() ? "(rare)" : "(end)";
  };
  std::map<std::pair<std::string, std::string>, int64_t> all;
  for (const auto& [left, right, n] : bigrams.pairs) all[{name(left), name(right)}] += n;
  EXPECT_EQ(all.size(), bigrams.pairs.size());
  return all;
}

TEST(Bigrams, AreCountedWithEndsAndRareWords) {
  const Bigrams bigrams = count({{"a", "b", "a"}, {}, {"a", "c"}, {"b"}}, 2);
  EXPECT_EQ(bigrams.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(bigrams.counts, (std::vector<int64_t>{3, 2, 1, 3}));
  EXPECT_EQ(named(bigrams), (std::map<std::pair<std::string, std::string>, int64_t>{{{"(end)", "a"}, 2},
                                                                                    {{"(end)", "b"}, 1},
                                                                                    {{"a", "b"}, 1},
                                                                                    {{"b", "a"}, 1},
                                                                                    {{"a", "(end)"}, 1},
                                                                                    {{"a", "(rare)"}, 1},
                                                                                    {{"(rare)", "(end)"}, 1},
                                                                                    {{"b", "(end)"}, 1}}));
}

TEST(Bigrams, KeepTheMostFrequentWordsAndAmongEqualsTheFirst) {
  const Bigrams bigrams = count({{"d", "c", "b", "a", "a"}}, 1, 2);
  EXPECT_EQ(bigrams.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(bigrams.counts, (std::vector<int64_t>{2, 1, 2, 1}));
}

TEST(Bigrams, BoundedMemoryForgetsRareWordsAndKeepsTheSums) {
  Rng rng(1, "text");
  BigramCounter bounded(300), all;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> sentence;
    for (int w = 0; w < 8; ++w)
      sentence.push_back(rng.below(2) ? "often" + std::to_string(rng.below(5))
                                      : "rare" + std::to_string(rng.below(900)));
    bounded.add(sentence);
    all.add(sentence);
  }
  const Bigrams few = bounded.finish(500, 1000), every = all.finish(500, 1000);
  EXPECT_LE(bounded.finish(1, 100000).pairs.size(), 300u);
  EXPECT_EQ(few.words, every.words);
  EXPECT_EQ(few.counts, every.counts);
  EXPECT_EQ(named(few), named(every));
}

}  // namespace
}  // namespace espalier
