#include "espalier/tree/constituent_preprocess.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

/// Reads "(S (NP (PRP I)) ...)"; "-NONE-" leaves are traces.
Sentence bracketed(const std::string& text) {
  Sentence sentence;
  std::vector<int> open;
  auto& nodes = sentence.constituents.nodes;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '(') {
      size_t end = text.find_first_of(" ()", i + 1);
      if (!open.empty()) nodes[static_cast<size_t>(open.back())].children.push_back(static_cast<int>(nodes.size()));
      open.push_back(static_cast<int>(nodes.size()));
      nodes.push_back({});
      nodes.back().label = text.substr(i + 1, end - i - 1);
      i = end;
    } else if (text[i] == ')') {
      open.pop_back();
      ++i;
    } else if (text[i] == ' ') {
      ++i;
    } else {
      size_t end = text.find_first_of(" ()", i);
      auto& leaf = nodes[static_cast<size_t>(open.back())];
      if (leaf.label != "-NONE-") {
        Token token;
        token.form = text.substr(i, end - i);
        token.xpos = leaf.label;
        sentence.tokens.push_back(token);
        leaf.word = sentence.size();
      }
      i = end;
    }
  }
  return sentence;
}

/// Writes labels and word numbers: "(TOP (NP DT1 NN2))".
std::string text_of(const ConstituentTree& tree, int node = 0) {
  const auto& n = tree.nodes[static_cast<size_t>(node)];
  if (n.is_leaf()) return n.label + std::to_string(n.word);
  std::string out(1, '(');
  out += n.label;
  for (const int child : n.children) (out += ' ') += text_of(tree, child);
  return out += ')';
}

TEST(ConstituentPreprocess, Listing61) {
  const Sentence s = bracketed(
      "(ROOT (S (`` ``) (NP-SBJ-1 (NP (DT the) (NN cat)) (PRN (, ,) (S (VP (VBD said))) (, ,))) (VP (VBD ran) (PRT (RP "
      "off)) (NP (NP (-NONE- *))) ('' '') ) (. .)))");
  const auto words = words_to_parse(s);
  EXPECT_EQ(words, (std::vector<int>{2, 3, 4, 5, 6, 7, 8}));
  const auto tree = simplified(s, words);
  EXPECT_EQ(text_of(tree), "(TOP (S (NP (NP DT1 NN2) ,3 (PRN (S (VP VBD4)))) ,5 (VP VBD6 (ADVP RP7))))");
  EXPECT_EQ(text_of(restored(tree, s, words, "ROOT")),
            "(ROOT (S ``1 (NP (NP DT2 NN3) ,4 (PRN (S (VP VBD5)))) ,6 (VP VBD7 (ADVP RP8)) ''9 .10))");
}

TEST(ConstituentPreprocess, UnariesOfTheSameLabelAreOne) {
  const Sentence s = bracketed("(ROOT (NP (NP-SBJ (NP (NN a)) (. .)) (. .)))");
  EXPECT_EQ(text_of(simplified(s, words_to_parse(s))), "(TOP (NP NN1))");
}

TEST(ConstituentPreprocess, OnlyPunctuationGivesAFlatTree) {
  const Sentence s = bracketed("(ROOT (FRAG (. !) (. !)))");
  EXPECT_TRUE(words_to_parse(s).empty());
  EXPECT_EQ(text_of(restored({}, s, {}, "ROOT")), "(ROOT .1 .2)");
}

TEST(ConstituentPreprocess, QuotesGoBackBetweenTheirNeighbours) {
  const Sentence s =
      bracketed("(ROOT (S (NP (PRP I)) (VP (VBD said) (NP (`` ``) (NN no) ('' '')) (ADVP (RB twice)))))");
  const auto words = words_to_parse(s);
  EXPECT_EQ(text_of(restored(simplified(s, words), s, words, "ROOT")),
            "(ROOT (S (NP PRP1) (VP VBD2 ``3 (NP NN4) ''5 (ADVP RB6))))");
}

TEST(ConstituentPreprocess, TagsAreReadPlainAndWrittenAsTheyWere) {
  const Sentence s = bracketed("(ROOT (S (NP-SBJ (N-N hún)) (VBDI kom)))");
  const auto words = words_to_parse(s);
  const auto tree = simplified(s, words);
  EXPECT_EQ(text_of(tree), "(TOP (S (NP N1) VBDI2))");
  EXPECT_EQ(text_of(restored(tree, s, words, "ROOT")), "(ROOT (S (NP N-N1) VBDI2))");
}

TEST(ConstituentPreprocess, CoarseTags) {
  EXPECT_EQ(coarse_tag("VC31"), "VC");
  EXPECT_EQ(coarse_tag("N_COMM"), "N");
  EXPECT_EQ(coarse_tag("-LRB-"), "-LRB");
  EXPECT_EQ(coarse_tag(","), ",");
  EXPECT_EQ(coarse_tag(""), "");
  EXPECT_EQ(coarse_tag("名詞類"), "名詞");  // whole characters
}

TEST(ConstituentPreprocess, TreesWithoutWrapperGetATop) {
  const Sentence s = bracketed("(S (NP (PRP I)) (VP (VBP go)))");
  EXPECT_EQ(text_of(simplified(s, words_to_parse(s))), "(TOP (S (NP PRP1) (VP VBP2)))");
}

TEST(ConstituentPreprocess, Labels) {
  EXPECT_EQ(plain_label("NP-SBJ=2"), "NP");
  EXPECT_EQ(plain_label("-LRB-"), "-LRB-");
  EXPECT_EQ(plain_label("-"), "-");
  EXPECT_EQ(plain_label(""), "");
}

}  // namespace
}  // namespace espalier
