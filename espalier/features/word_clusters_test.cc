#include "espalier/features/word_clusters.h"

#include <gtest/gtest.h>

#include <sstream>

#include "espalier/base/error.h"

namespace espalier {
namespace {

using Atoms = WordClusters::Atoms;

std::shared_ptr<const WordClusters> read(const std::string& text) {
  std::istringstream input(text);
  return WordClusters::read(input, "clusters.txt");
}

TEST(WordClusters, WordsAreFoundInAnyCaseAndWithAnyDigits) {
  const auto clusters = read("0010\tdog\t7\n0010\tcat\t5\n01\t1999\t3\n1100110011001\tÄpfel\t2\n");
  EXPECT_EQ(&clusters->find("dog"), &clusters->find("Cat"));
  EXPECT_NE(&clusters->find("dog"), &clusters->find("1850"));
  EXPECT_EQ(&clusters->find("1850"), &clusters->find("2024"));
  EXPECT_EQ(&clusters->find("äpfel"), &clusters->find("ÄPFEL"));
  EXPECT_EQ(&clusters->find("unheard-of"), &clusters->find(""));
  EXPECT_NE(clusters->find("unheard-of").field[Atoms::kFull], clusters->find("dog").field[Atoms::kFull]);
}

TEST(WordClusters, PrefixesAreSharedByClassesThatAreUsedAlike) {
  const auto clusters = read("001011\ta\t1\n001010\tb\t1\n0011\tc\t1\n");
  const Atoms &a = clusters->find("a"), &b = clusters->find("b"), &c = clusters->find("c");
  EXPECT_NE(a.field[Atoms::kFull], b.field[Atoms::kFull]);
  EXPECT_NE(a.field[Atoms::kBits6], b.field[Atoms::kBits6]);
  EXPECT_EQ(a.field[Atoms::kBits4], b.field[Atoms::kBits4]);
  EXPECT_NE(a.field[Atoms::kBits4], c.field[Atoms::kBits4]);
}

TEST(WordClusters, OfAWordInTwoLinesTheMoreFrequentOneCounts) {
  for (const char* text : {"00\tthe\t5\n11\tThe\t9\n", "11\tThe\t9\n00\tthe\t5\n"}) {
    const auto clusters = read(text);
    EXPECT_EQ(clusters->paths(), "11\n");
    EXPECT_EQ(clusters->words().size(), 1u);
  }
}

TEST(WordClusters, SavedAndLoadedIsTheSame) {
  const auto clusters = read("00\ta\t5\n01\tb\t5\n01\tc\t5\n1\td\t5\n");
  EXPECT_EQ(WordClusters::check(clusters->words(), clusters->sizes(), clusters->paths()), "");
  const WordClusters copy(clusters->words(), clusters->sizes(), clusters->paths());
  EXPECT_EQ(copy, *clusters);
  for (const char* word : {"a", "b", "c", "d", "e"})
    EXPECT_EQ(copy.find(word).field[Atoms::kFull], clusters->find(word).field[Atoms::kFull]) << word;
}

TEST(WordClusters, DamageIsFound) {
  const std::vector<uint32_t> words = {5, 6, 7}, sizes = {1, 2};
  EXPECT_EQ(WordClusters::check(words, sizes, "0\n1\n"), "");
  EXPECT_NE(WordClusters::check(words, sizes, "0\n"), "");
  EXPECT_NE(WordClusters::check(words, sizes, "0\n1\n1\n"), "");
  EXPECT_NE(WordClusters::check(words, sizes, "0\nx\n"), "");
  EXPECT_NE(WordClusters::check(words, sizes, "0\n\n"), "");
  EXPECT_NE(WordClusters::check(words, sizes, "0\n" + std::string(WordClusters::kLongestPath + 1, '1')), "");
  EXPECT_NE(WordClusters::check(words, std::vector<uint32_t>{1, 1}, "0\n1\n"), "");
  EXPECT_NE(WordClusters::check(words, std::vector<uint32_t>{4, 0xFFFFFFFF}, "0\n1\n"), "");
}

TEST(WordClusters, ErrorsNameTheLine) {
  for (const char* bad : {"00 the 5", "2\tthe\t5", "\tthe\t5", "00\t\t5", "00\tthe\tmany", "00", "00\tthe\t5\t6"}) {
    try {
      read(std::string("1\ta\t1\n") + bad + "\n");
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("clusters.txt:2: "), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(read(""), Error);
}

}  // namespace
}  // namespace espalier
