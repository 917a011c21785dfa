#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

struct Outcome {
  std::vector<Sentence> sentences;
  std::vector<std::string> problems;
};

Outcome read(const std::string& text, BadSentence bad = BadSentence::kSkip, bool warn = false) {
  Outcome outcome;
  std::istringstream input(text);
  ReaderOptions options;
  options.name = "t.conllu";
  options.bad = bad;
  options.warn = warn;
  options.report = [&](const Problem& problem) { outcome.problems.push_back(problem.text()); };
  const auto reader = make_reader("conllu", input, options);
  for (Sentence sentence; reader->next(sentence);) outcome.sentences.push_back(sentence);
  return outcome;
}

std::string write(const std::vector<Sentence>& sentences) {
  std::ostringstream output;
  const auto writer = make_writer("conllu", output);
  for (const Sentence& sentence : sentences) writer->write(sentence);
  writer->finish();
  return output.str();
}

/// "1 a 2" is a line of a sentence: ID FORM HEAD, the other columns "_".
std::string line(const std::string& id, const std::string& form, const std::string& head) {
  return id + "\t" + form + "\t_\t_\t_\t_\t" + head + "\t_\t_\t_\n";
}

const std::string kSmall = line("1", "Dogs", "2") + line("2", "bark", "0") + "\n";

const std::string kRich =
    "# newdoc id = d1\n"
    "# sent_id = 1\n"
    "# text = Vámonos al mar  \n"
    "1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceBefore=\\t\n"
    "1\tVamos\tir\tVERB\tV\tMood=Imp|Number=Plur\t0\troot\t0:root\t_\n"
    "2\tnos\tnosotros\tPRON\t_\tCase=Acc\t1\tobj\t1:obj|4.1:nsubj\t_\n"
    "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_\n"
    "4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_\n"
    "4.1\tgran\tgran\tADJ\t_\t_\t_\t_\t5:amod\tCopyOf=-1\n"
    "5\tmar de fondo\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No|Gloss=sea swell\n"
    "5.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "5.2\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "\n"
    "0.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n" +
    line("1", "_", "_") + "\n";

TEST(Conllu, ReadsColumns) {
  const Outcome outcome = read(kRich);
  ASSERT_EQ(outcome.sentences.size(), 2u);
  const Sentence& sentence = outcome.sentences[0];
  ASSERT_EQ(sentence.size(), 5);
  EXPECT_EQ(sentence.line, 1);
  EXPECT_EQ(sentence.comments.size(), 3u);
  const Token expected = {"nos", "nosotros", "PRON", "_", "Case=Acc", 1, "obj", "1:obj|4.1:nsubj", "_"};
  EXPECT_EQ(sentence.word(2), expected);
  EXPECT_EQ(sentence.extra.size(), 5u);
  EXPECT_EQ(sentence.extra[1].before, 2);
  EXPECT_TRUE(sentence.has_heads());
  EXPECT_FALSE(outcome.sentences[1].has_heads());
  EXPECT_EQ(outcome.sentences[1].extra[0].before, 0);
}

TEST(Conllu, RoundTripsByteForByte) { EXPECT_EQ(write(read(kRich).sentences), kRich); }

TEST(Conllu, TakesWindowsLineEndsAByteOrderMarkAndAMissingLastLine) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : kRich) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(write(read(text).sentences), kRich);
  for (int missing = 1; missing <= 2; ++missing) {
    EXPECT_EQ(write(read(kSmall.substr(0, kSmall.size() - static_cast<size_t>(missing))).sentences), kSmall);
  }
}

TEST(Conllu, ReusedSentenceKeepsNothingOfTheOneBefore) {
  std::istringstream input(kRich + kSmall + kRich);
  const auto reader = make_reader("conllu", input, {});
  Sentence sentence;
  std::string text;
  while (reader->next(sentence)) text += write({sentence});
  EXPECT_EQ(text, kRich + kSmall + kRich);
}

TEST(Conllu, EmptyInputsHaveNoSentences) {
  for (const char* text : {"", "\n", "\n\n\r\n", "\xEF\xBB\xBF"})
    EXPECT_TRUE(read(text, BadSentence::kStop).sentences.empty());
}

struct BadCase {
  std::string text, problem;
};

const std::vector<BadCase> kBad = {
    {line("1", "a", "3") + line("2", "b", "0"), "t.conllu:3: token 1: HEAD 3 is past the end of the sentence"},
    {line("1", "a", "99999999999999999999"), "t.conllu:3: token 1: HEAD 2147483647 is past the end of the sentence"},
    {line("1", "a", "-1"), "t.conllu:3: token 1: HEAD '-1' is no number"},
    {line("1", "a", "01"), "t.conllu:3: token 1: HEAD '01' is no number"},
    {line("1", "a", "0") + line("3", "b", "1"), "t.conllu:4: token 2: ID is 3 where 2 should be"},
    {line("x", "a", "0") + line("1", "a", "0"), "t.conllu:3: token 1: ID 'x' is no number"},
    {"1\ta\tb\n", "t.conllu:3: token 1: 3 columns instead of 10"},
    {"1 a _ _ _ _ 0 _ _ _\n", "t.conllu:3: token 1: columns are separated by spaces instead of tabs"},
    {line("1", "", "0"), "t.conllu:3: token 1: FORM is empty"},
    {line("1-2", "", "_") + line("1", "a", "0") + line("2", "b", "1"), "t.conllu:3: token 1: FORM is empty"},
    {line("1", "a", "0") + line("1.1", "", "_"), "t.conllu:4: token 2: FORM is empty"},
    {line("1", "a\xff", "0"), "t.conllu:3: token 1: invalid UTF-8"},
    {line("1", std::string("a\0b", 3), "0"), "t.conllu:3: token 1: a NUL byte"},
    {"# alone\n", "t.conllu:3: a sentence without words"},
    {line("1", "a", "0") + "# late\n", "t.conllu:4: a comment inside a sentence"},
    {line("2-3", "a", "_") + line("1", "a", "0"),
     "t.conllu:3: token 1: multiword token 2-3 does not stand before word 2"},
    {line("1-2", "a", "_") + line("1", "a", "0"),
     "t.conllu:3: token 1: a multiword token reaches to word 2, past the end"},
    {line("1-0", "a", "_") + line("1", "a", "0"), "t.conllu:3: token 1: the multiword token's range 1-0 is none"},
    {line("1", "a", "0") + line("1.2", "a", "_"), "t.conllu:4: token 1: empty node 1.2 where 1.1 should be"},
};

TEST(Conllu, OneBadSentenceLosesNoOther) {
  const std::string good = "# c\n" + line("1", "ok", "0") + "\n";
  for (const BadCase& bad : kBad) {
    const std::string shifted = "\n\n" + bad.text + "\n" + good;  // what is bad begins in line 3
    const Outcome skipped = read(shifted);
    ASSERT_EQ(skipped.problems, std::vector<std::string>{bad.problem});
    EXPECT_EQ(write(skipped.sentences), good) << bad.problem;
    EXPECT_EQ(read(shifted, BadSentence::kKeep).sentences.size(), 2u) << bad.problem;
    try {
      read(shifted, BadSentence::kStop);
      ADD_FAILURE() << "no error: " << bad.problem;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_EQ(error.what(), bad.problem);
    }
  }
}

TEST(Conllu, HeadsThatFormNoTreeAreDeliveredAndReportedOnRequest) {
  const std::string text = line("1", "a", "0") + line("2", "b", "0") + line("3", "c", "4") + line("4", "d", "3") + "\n";
  EXPECT_EQ(read(text, BadSentence::kStop).sentences.size(), 1u);
  const Outcome outcome = read(text, BadSentence::kStop, true);
  EXPECT_EQ(outcome.sentences.size(), 1u);
  EXPECT_EQ(outcome.problems, (std::vector<std::string>{"t.conllu:2: token 2: a second root (the first is token 1)",
                                                        "t.conllu:3: token 3: the word is part of a cycle"}));
}

TEST(Conllu, LongLinesAndLongSentences) {
  const std::string form(5 << 20, 'x');
  std::string text = line("1", form, "0") + "\n";
  for (int i = 1; i <= 10000; ++i) text += line(std::to_string(i), "w", std::to_string(i - 1));
  text += "\n";
  const Outcome outcome = read(text, BadSentence::kStop);
  ASSERT_EQ(outcome.sentences.size(), 2u);
  EXPECT_EQ(outcome.sentences[1].size(), 10000);
  EXPECT_EQ(write(outcome.sentences), text);
}

RC_GTEST_PROP(Conllu, WhateverIsReadIsWrittenAsAFixedPoint, (const std::vector<std::string>& raw)) {
  // Random lines, most of them half-way sensible, so that good and bad sentences mix.
  std::string text;
  for (const std::string& piece : raw) {
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        text += piece;
        break;
      case 1:
        text += "\n";
        break;
      case 2:
        text += "# " + piece + "\n";
        break;
      case 3:
        text += line("1-2", piece, "_");
        break;
      case 4:
        text += line("1.1", piece, "_");
        break;
      default:
        text += line(std::to_string(*rc::gen::inRange(1, 4)), "a" + piece, std::to_string(*rc::gen::inRange(0, 4)));
    }
  }
  read(text, BadSentence::kKeep, true);
  const std::string once = write(read(text).sentences);
  RC_ASSERT(write(read(once, BadSentence::kStop).sentences) == once);
}

}  // namespace
}  // namespace espalier
