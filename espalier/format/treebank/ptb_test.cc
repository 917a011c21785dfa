#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

struct PtbOutcome {
  std::vector<Sentence> sentences;
  std::vector<std::string> problems;
};

PtbOutcome read_ptb(const std::string& text, BadSentence bad = BadSentence::kSkip) {
  PtbOutcome outcome;
  std::istringstream input(text);
  ReaderOptions options;
  options.name = "t.ptb";
  options.bad = bad;
  options.report = [&](const Problem& problem) { outcome.problems.push_back(problem.text()); };
  const auto reader = make_reader("ptb", input, options);
  for (Sentence sentence; reader->next(sentence);) outcome.sentences.push_back(sentence);
  return outcome;
}

std::string write_ptb(const std::vector<Sentence>& sentences) {
  std::ostringstream output;
  const auto writer = make_writer("ptb", output);
  for (const Sentence& sentence : sentences) writer->write(sentence);
  writer->finish();
  return output.str();
}

const std::string kTrace =
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBD wanted) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sing) (-LRB- -LRB-) "
    "(UH la-RRB-) (-RRB- ]))))) (. .)))\n";

TEST(Ptb, WordsAreTokensAndTracesAreNot) {
  const PtbOutcome outcome = read_ptb(kTrace, BadSentence::kStop);
  ASSERT_EQ(outcome.sentences.size(), 1u);
  const Sentence& sentence = outcome.sentences[0];
  ASSERT_EQ(sentence.size(), 8);
  EXPECT_EQ(sentence.word(1).form, "We");
  EXPECT_EQ(sentence.word(1).xpos, "PRP");
  EXPECT_EQ(sentence.word(5).form, "(");
  EXPECT_EQ(sentence.word(5).xpos, "-LRB-");
  EXPECT_EQ(sentence.word(6).form, "la)");
  const auto& nodes = sentence.constituents.nodes;
  EXPECT_EQ(nodes[0].label, "");
  int word = 0, traces = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const int child : nodes[i].children) EXPECT_GT(child, static_cast<int>(i));
    if (nodes[i].is_trace()) {
      ++traces;
      EXPECT_EQ(nodes[i].trace, "*-1");
    } else if (nodes[i].is_leaf()) {
      EXPECT_EQ(nodes[i].word, ++word);
    }
  }
  EXPECT_EQ(traces, 1);
  EXPECT_EQ(word, 8);
}

TEST(Ptb, RoundTripsByteForByte) {
  for (const std::string& text : {kTrace, std::string("(X y)\n"), std::string("(ROOT (-NONE- *))\n")}) {
    EXPECT_EQ(write_ptb(read_ptb(text + text, BadSentence::kStop).sentences), text + text);
  }
}

TEST(Ptb, SeveralTreesPerLineAndTreesOverSeveralLines) {
  const std::string text =
      "(A (B c)) (D e)(F g)\r\n\n  (H\n    (I\n\tj)\n   (K l) )  (M n)\n"
      "( P\n (Q r))";
  const std::string expected = "(A (B c))\n(D e)\n(F g)\n(H (I j) (K l))\n(M n)\n(P (Q r))\n";
  const PtbOutcome outcome = read_ptb(text, BadSentence::kStop);
  EXPECT_EQ(write_ptb(outcome.sentences), expected);
  std::vector<long> lines;
  for (const Sentence& sentence : outcome.sentences) lines.push_back(sentence.line);
  EXPECT_EQ(lines, (std::vector<long>{1, 1, 1, 3, 6, 7}));
}

TEST(Ptb, OneBadTreeLosesNoOther) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"(S (NP (NN dog))", "the brackets of this tree do not close (further lines of a tree must be indented)"},
      {"(S (NP (NN dog))))", "a closing bracket without an opening one"},
      {"(S dog (NN x))", "a bracket beside a word under 'S'"},
      {"(S (NN x) dog)", "word 'dog' is not under a tag of its own"},
      {"(S (NN hot dog))", "two words under one tag, 'NN'"},
      {"(S (NN))", "node 'NN' is empty"},
      {"()", "node '' is empty"},
      {"dog", "'dog' stands outside of brackets"},
      {"(S (NN d\xc3))", "invalid UTF-8"},
  };
  for (const auto& [bad, message] : cases) {
    const std::string text = "(A b)\n" + bad + "\n(C d)\n";
    const PtbOutcome outcome = read_ptb(text);
    EXPECT_EQ(outcome.problems, std::vector<std::string>{"t.ptb:2: " + message});
    const std::string result = write_ptb(outcome.sentences);
    EXPECT_TRUE(result.starts_with("(A b)\n") && result.ends_with("(C d)\n")) << message;
    EXPECT_THROW(read_ptb(text, BadSentence::kStop), Error);
    EXPECT_GE(read_ptb(text, BadSentence::kKeep).sentences.size(), 2u);
  }
}

TEST(Ptb, DepthIsNoProblem) {
  const size_t depth = 1000000;
  std::string text;
  for (size_t i = 0; i < depth; ++i) text += "(X ";
  text += "(Y z)" + std::string(depth, ')') + "\n";
  EXPECT_EQ(write_ptb(read_ptb(text, BadSentence::kStop).sentences), text);
}

TEST(Ptb, SentenceWithoutATreeCannotBeWritten) {
  Sentence sentence;
  sentence.tokens.resize(1);
  EXPECT_THROW(write_ptb({sentence}), Error);
}

RC_GTEST_PROP(Ptb, WhateverIsReadIsWrittenAsAFixedPoint, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("(", "(", "(NP", ")", ")", " ", "\n", "NN", "-NONE-", "-LRB-", "x y", "\xff"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  read_ptb(text, BadSentence::kKeep);
  const std::string once = write_ptb(read_ptb(text).sentences);
  RC_ASSERT(write_ptb(read_ptb(once, BadSentence::kStop).sentences) == once);
}

}  // namespace
}  // namespace espalier
