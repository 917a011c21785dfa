#include "espalier/parser/tag/reading_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <vector>

namespace espalier {
namespace {

ReadingTable nouns_and_verbs() {
  return ReadingTable({{0, {"NOUN", "NN", "Number=Sing"}, 5},
                       {0, {"NOUN", "NNS", "Number=Plur"}, 9},
                       {1, {"VERB", "VB", "VerbForm=Inf"}, 2},
                       {1, {"VERB", "VBZ", "Number=Sing|Person=3"}, 2}},
                      2);
}

TEST(ReadingTable, FrequentReadingsFirst) {
  const ReadingTable table = nouns_and_verbs();
  ASSERT_EQ(table.size(), 4);
  EXPECT_EQ(table.begin(1), 2);
  EXPECT_EQ(table.reading(0).xpos, "NNS");
  EXPECT_EQ(table.find(0, {"NOUN", "NN", "Number=Sing"}), 1);
  EXPECT_EQ(table.find(0, {"VERB", "VB", "VerbForm=Inf"}), ReadingTable::kNone);
  EXPECT_EQ(table.class_of(3), 1);
}

TEST(ReadingTable, ReadingsShareParts) {
  const ReadingTable table = nouns_and_verbs();
  const int singular = table.find(0, {"NOUN", "NN", "Number=Sing"});
  const int third = table.find(1, {"VERB", "VBZ", "Number=Sing|Person=3"});
  std::vector<uint16_t> common;
  std::ranges::set_intersection(table.parts(singular), table.parts(third), std::back_inserter(common));
  ASSERT_EQ(common.size(), 1u);
  std::vector<int16_t> row(static_cast<size_t>(table.columns()), 0);
  EXPECT_EQ(table.best(row.data(), 0), 0);  // a tie: the more frequent one
  row[common[0]] = 30000;
  EXPECT_EQ(table.best(row.data(), 0), singular);
  EXPECT_EQ(table.best(row.data(), 1), third);
  row.assign(row.size(), 30000);
  EXPECT_EQ(table.score(row.data(), third), 90000) << "sums are wider than the row";
}

TEST(ReadingTable, LargeTagsetsAreTakenApart) {
  std::vector<ReadingTable::Entry> entries;
  for (char gender : {'m', 'f', 'n'})
    for (char number : {'s', 'p', 'd'})
      for (char grammatical_case = 'a'; grammatical_case <= 'z'; ++grammatical_case)
        entries.push_back({0, {"NOUN", std::string("N") + gender + number + grammatical_case, "_"}, 1});
  const ReadingTable table(entries, 1);
  EXPECT_EQ(table.size(), 234);
  EXPECT_EQ(table.columns(), 1 + 1 + 3 + 3 + 26);  // no features, N, and three more characters
}

TEST(ReadingTable, JsonRoundTripAndDamage) {
  const ReadingTable table = nouns_and_verbs();
  std::string problem;
  const ReadingTable again = ReadingTable::from_json(table.to_json(), 2, problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(again.to_json(), table.to_json());
  EXPECT_EQ(again.columns(), table.columns());
  for (const char* damaged :
       {"3", "[[0,\"A\",\"B\"]]", "[[2,\"A\",\"B\",\"C\"]]", "[[0,\"A\",\"B\",\"C\"]]", "[[0,1,2,3]]"}) {
    ReadingTable::from_json(nlohmann::json::parse(damaged), 2, problem);
    EXPECT_NE(problem, "") << damaged;
  }
}

}  // namespace
}  // namespace espalier
