#include "espalier/tree/strip_annotation.h"

#include <gtest/gtest.h>

#include <sstream>

#include "espalier/format/format.h"

namespace espalier {
namespace {

/// The bracketed tree without its annotation, and what was counted.
std::pair<std::string, Stripped> strip(const std::string& brackets) {
  std::istringstream input(brackets);
  std::ostringstream output;
  const auto reader = make_reader("ptb", input, {});
  const auto writer = make_writer("ptb", output);
  Stripped stripped;
  for (Sentence sentence; reader->next(sentence);) {
    stripped += strip_annotation(sentence.constituents);
    if (!sentence.constituents.empty()) writer->write(sentence);
  }
  return {output.str(), stripped};
}

TEST(StripAnnotation, TagsIndicesAndTraces) {
  const auto [text, stripped] = strip(
      "( (S (NP-SBJ-1 (DT The) (NN vine)) (VP (VBD was) (VP (VBN tied) (NP (-NONE- *-1)) (PP-LOC-CLR (TO to) (NP=2 "
      "(NNS "
      "wires)))))) )\n");
  EXPECT_EQ(text, "( (S (NP (DT The) (NN vine)) (VP (VBD was) (VP (VBN tied) (PP (TO to) (NP (NNS wires)))))))\n");
  EXPECT_EQ(stripped, (Stripped{3, 2, 1, 1}));
}

TEST(StripAnnotation, NestedTracesTakeTheirConstituentsAlong) {
  const auto [text, stripped] = strip("(S (SBAR-ADV (WHNP-3 (-NONE- 0)) (S (-NONE- *T*-3))) (NP (NN ivy)))\n");
  EXPECT_EQ(text, "(S (NP (NN ivy)))\n");
  EXPECT_EQ(stripped, (Stripped{1, 1, 2, 3}));
}

TEST(StripAnnotation, WhatHasNothingToStripStays) {
  const std::string plain = "(S (NP (N-N leaf) (-LRB- -LRB-) (PRP$ its)) (VP (VBZ falls)))\n";
  EXPECT_EQ(strip(plain), (std::pair{plain, Stripped{}}));
  ConstituentTree empty;
  EXPECT_EQ(strip_annotation(empty), Stripped{});
}

}  // namespace
}  // namespace espalier
