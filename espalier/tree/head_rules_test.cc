#include "espalier/tree/head_rules.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"

namespace espalier {
namespace {

const std::vector<std::string> kParents = {"NP", "VP", "PP", "S", "ADJP", "SBAR", "XYZ"};
const std::vector<std::string> kSymbols = {"NP", "VP", "PP", "S",   "ADJP", "SBAR", "XYZ", "DT", "NN",
                                           "JJ", "CC", ",",  "VBD", "IN",   "POS",  "CD",  "TO", "VB"};

HeadRules english() {
  std::vector<bool> punctuation;
  for (const auto& s : kSymbols) punctuation.push_back(is_punctuation_tag(s));
  return {head_rules_text("english"), "english", kParents, kSymbols, punctuation};
}

int id(const std::vector<std::string>& all, const std::string& text) {
  return static_cast<int>(std::find(all.begin(), all.end(), text) - all.begin());
}

int head(const std::string& parent, const std::vector<std::string>& children) {
  std::vector<int> ids;
  for (const auto& c : children) ids.push_back(id(kSymbols, c));
  return english().head(id(kParents, parent), ids);
}

TEST(HeadRules, CollinsExamples) {
  EXPECT_EQ(head("NP", {"DT", "JJ", "NN"}), 2);
  EXPECT_EQ(head("NP", {"NP", "POS"}), 1);             // the last child, if POS
  EXPECT_EQ(head("NP", {"NP", "PP", "SBAR"}), 0);      // the leftmost NP
  EXPECT_EQ(head("NP", {"DT", "JJ", "CD", "JJ"}), 2);  // CD before JJ
  EXPECT_EQ(head("VP", {"TO", "VP"}), 0);
  EXPECT_EQ(head("VP", {"VBD", "NP", "PP"}), 0);
  EXPECT_EQ(head("S", {"PP", ",", "NP", "VP"}), 3);
  EXPECT_EQ(head("PP", {"IN", "NP"}), 0);
  EXPECT_EQ(head("XYZ", {",", "NN", "JJ"}), 1);  // other parents: leftmost, but no punctuation
  EXPECT_EQ(head("XYZ", {",", ","}), 0);
}

TEST(HeadRules, CoordinationMovesTheHeadBeforeTheConjunction) {
  EXPECT_EQ(head("NP", {"NN", "CC", "NN"}), 0);
  EXPECT_EQ(head("NP", {"NN", ",", "CC", "NN"}), 0);  // skipping punctuation
  EXPECT_EQ(head("NP", {"CC", "NN"}), 1);             // too few children before
}

TEST(HeadRules, SweepEqualsTheRuleOfEachParent) {
  const HeadRules rules = english();
  Rng rng(1, "heads");
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<int> children(1 + rng.below(HeadRules::kMaxFast));
    for (int& c : children) c = static_cast<int>(rng.below(kSymbols.size()));
    uint8_t heads[16];
    rules.heads(children, heads);
    for (size_t p = 0; p < kParents.size(); ++p) ASSERT_EQ(heads[p], rules.head(static_cast<int>(p), children));
  }
}

TEST(HeadRules, BadRulesNameTheirLine) {
  try {
    HeadRules("A: left B\nC: sideways D\n", "my.rules", {"A"}, {"B"}, {false});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("my.rules:2"), std::string::npos);
  }
}

TEST(HeadRules, PunctuationTags) {
  for (const char* tag : {",", ".", ":", "``", "''", "-", "\""}) EXPECT_TRUE(is_punctuation_tag(tag)) << tag;
  for (const char* tag : {"NN", "$", "-LRB-", "-RRB-", "HYPH", "#", ""}) EXPECT_FALSE(is_punctuation_tag(tag)) << tag;
}

}  // namespace
}  // namespace espalier
