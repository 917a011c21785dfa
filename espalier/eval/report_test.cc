// Reports: keys and values of the JSON, what happens when the words differ, and where errors point.
#include "espalier/eval/report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/base/error.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

using testing::constituents;
using testing::dependencies;

/// Sentences as a reader would number them: one line per word and one between sentences.
NamedTreebank treebank(std::string file, std::vector<Sentence> sentences) {
  long line = 1;
  for (Sentence& sentence : sentences) {
    sentence.line = line;
    line += sentence.size() + static_cast<long>(sentence.extra.size()) + 1;
  }
  return {std::move(file), std::move(sentences)};
}

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "no error";
}

const Sentence kFirst = dependencies("dogs/NOUN/2/nsubj bark/VERB/0/root ./PUNCT/2/punct");
const Sentence kSecond = dependencies("we/PRON/2/nsubj:outer run/VERB/0/root");

TEST(Report, DependenciesWithTheSameWords) {
  Sentence found = kFirst;
  found.word(3).head = 1;
  Sentence other = kSecond;
  other.word(1).deprel = "nsubj";
  const auto report = report_dependencies(treebank("g", {kFirst, kSecond}), treebank("s", {found, other}));
  const auto json = to_json(report);
  EXPECT_EQ(json["sentences"], 2);
  EXPECT_EQ(json["tokens"], 5);
  EXPECT_EQ(json["same_words"], true);
  EXPECT_EQ(json["uas"], 80.0);
  EXPECT_EQ(json["las"], 60.0);
  EXPECT_EQ(json["las_universal"], 80.0);
  EXPECT_EQ(json["uas_nopunct"], 100.0);
  EXPECT_EQ(json["las_nopunct"], 75.0);
  EXPECT_EQ(json["upos"], 100.0);
  EXPECT_TRUE(json["xpos"].is_null()) << "gold has none";
  EXPECT_EQ(json["uem"], 50.0);
  EXPECT_EQ(json["lem"], 0.0);
  EXPECT_EQ(json["root_f1"], 100.0);
  EXPECT_EQ(json["las_f1"], 80.0) << "the CoNLL 2018 rules cut labels";
  EXPECT_EQ(json["words_f1"], 100.0);
  EXPECT_EQ(json["conll18"]["CLAS"]["gold"], 4);
  EXPECT_EQ(json["relations"]["punct"]["arc"]["recall"], 0.0);
  EXPECT_EQ(json["relations"]["punct"]["label"]["recall"], 100.0);
  EXPECT_EQ(json["by_length"]["1-10"]["las"], 60.0);
  EXPECT_EQ(json["system_not_trees"], 0);
  EXPECT_NE(to_table(report, true).find("nsubj:outer"), std::string::npos);
}

TEST(Report, ExcludingPunctuationChangesTheMainScores) {
  Sentence found = kFirst;
  found.word(3).head = 1;
  const auto json = to_json(report_dependencies(treebank("g", {kFirst}), treebank("s", {found}), {Punctuation::kUpos}));
  EXPECT_EQ(json["uas"], 100.0);
  EXPECT_EQ(json["scored_tokens"], 2);
  EXPECT_EQ(json["tokens"], 3);
}

TEST(Report, DependenciesWithOtherWordsAreAligned) {
  const auto system = dependencies("dogs/NOUN/2/nsubj bark./VERB/0/root");
  const auto json = to_json(report_dependencies(treebank("g", {kFirst}), treebank("s", {system})));
  EXPECT_EQ(json["same_words"], false);
  EXPECT_EQ(json["words_f1"], 40.0);  // dogs: 2 * 1 / (3 + 2)
  EXPECT_EQ(json["uas"], 0.0) << "its head is not aligned";
  EXPECT_EQ(json["upos"], 40.0);
}

TEST(Report, OtherTextIsAnErrorWithItsPlace) {
  const auto gold = treebank("gold.conllu", {kFirst, kSecond});
  Sentence other = kSecond;
  other.word(2).form = "ran";
  EXPECT_EQ(message_of([&] {
              report_dependencies(gold, treebank("sys.conllu", {kFirst, other}));
            }),
            "sys.conllu:6: the words differ: 'ran' here, 'run' in gold.conllu:6");
  EXPECT_EQ(message_of([&] { report_dependencies(gold, treebank("sys.conllu", {kFirst})); }),
            "sys.conllu: the words differ: the end of the file here, 'we' in gold.conllu:5");
  EXPECT_EQ(message_of([&] { report_dependencies(gold, treebank("sys.conllu", {})); }),
            "sys.conllu: the words differ: the end of the file here, 'dogs' in gold.conllu:1");
  EXPECT_EQ(message_of([&] { report_dependencies(treebank("gold.conllu", {}), gold); }),
            "gold.conllu: no sentences to score");
}

TEST(Report, EqualEmptinessIsNoSuccess) {
  Sentence words = kFirst;
  for (Token& token : words.tokens) token.head = Token::kNoHead, token.upos = token.deprel = "_";
  const auto report = report_dependencies(treebank("g", {words}), treebank("s", {words}));
  EXPECT_EQ(report.missing, (std::vector<std::string>{"UPOS", "XPOS", "FEATS", "lemmas", "heads"}));
  const auto json = to_json(report);
  for (const char* key : {"uas", "las", "uem", "lem", "root_f1", "clas", "mlas", "upos", "upos_f1", "xpos", "feats",
                          "lemma", "lemmas_f1", "alltags_f1", "als_mean"})
    EXPECT_TRUE(json[key].is_null()) << key;
  EXPECT_EQ(json["words_f1"], 100.0);
  EXPECT_EQ(json["conll18"]["UPOS"]["f1"], 100.0) << "as the shared task's script has it";
  const std::string table = to_table(report, false);
  EXPECT_EQ(table.find("exact heads (UEM)       100.00"), std::string::npos) << table;
  EXPECT_NE(table.find("gold has none: UPOS, XPOS, FEATS, lemmas, heads"), std::string::npos) << table;
}

TEST(Report, StrictWantsTrees) {
  const auto gold = treebank("g", {kFirst});
  const auto cyclic = treebank("s", {dependencies("dogs/NOUN/2/x bark/VERB/1/x ./PUNCT/0/root")});
  EXPECT_EQ(to_json(report_dependencies(gold, cyclic))["system_not_trees"], 1);
  EXPECT_EQ(message_of([&] {
              report_dependencies(gold, cyclic, {Punctuation::kInclude, true});
            }),
            "s:1: token 1: the word is part of a cycle");
}

TEST(Report, Brackets) {
  const auto gold = treebank("g.ptb", {constituents("(S (NP (NN dogs)) (VP (VBP bark)))"), constituents("(NP (NN a))"),
                                       constituents("(X (NN b))")});
  const auto system =
      treebank("s.ptb", {constituents("(S (NP (NN dogs)) (XP (VBP bark)))"), Sentence{}, constituents("(X (NN c))")});
  const BracketReport report = report_brackets(gold, system, {}, 1);
  const auto json = to_json(report);
  EXPECT_EQ(json["sentences"], 3);
  EXPECT_EQ(json["errors"], 1);
  EXPECT_EQ(json["failures"], 1);
  EXPECT_EQ(json["recall"], 50.0);
  EXPECT_EQ(json["precision"], 66.6667);
  EXPECT_EQ(json["f1"], 57.1429);
  EXPECT_EQ(json["exact"], 0.0);
  EXPECT_EQ(json["up_to_cutoff"]["gold"], 1);
  EXPECT_EQ(json["labels"]["VP"]["recall"], 0.0);
  ASSERT_EQ(report.messages.size(), 2u);
  EXPECT_EQ(report.messages[1], "s.ptb:5: the words differ from gold's: not scored (sentence 3, g.ptb:6)");
  EXPECT_NE(to_table(report, true).find("VP"), std::string::npos);
  EXPECT_EQ(message_of([&] { report_brackets(gold, treebank("s.ptb", {})); }), "s.ptb: 0 sentences, but g.ptb has 3");
}

TEST(Report, SentenceCounts) {
  Sentence found = kFirst;
  found.word(3).head = 1;
  const auto gold = treebank("g", {kFirst, kSecond}), system = treebank("s", {found, kSecond});
  EXPECT_EQ(sentence_counts(gold, system, "uas", Punctuation::kInclude), (std::vector<SentenceCount>{{2, 3}, {2, 2}}));
  EXPECT_EQ(sentence_counts(gold, system, "uas", Punctuation::kUpos), (std::vector<SentenceCount>{{2, 2}, {2, 2}}));
  for (const std::string& metric : dependency_metrics())
    EXPECT_EQ(sentence_counts(gold, system, metric, Punctuation::kInclude).size(), 2u) << metric;
  const auto trees = treebank("g", {constituents("(S (NP (NN a)) (NN b))")});
  EXPECT_EQ(sentence_counts(trees, trees, "f1", Punctuation::kInclude), (std::vector<SentenceCount>{{4, 4}}));
  for (const std::string& metric : bracket_metrics())
    EXPECT_EQ(sentence_counts(trees, trees, metric, Punctuation::kInclude).size(), 1u) << metric;
  EXPECT_THROW(sentence_counts(gold, system, "bleu", Punctuation::kInclude), Error);
  EXPECT_THROW(sentence_counts(gold, treebank("s", {kFirst}), "las", Punctuation::kInclude), Error);
}

}  // namespace
}  // namespace espalier
