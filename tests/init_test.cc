// Training that goes on from a model (train --init): what it knew stays, what is new is learned.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/app/evaluate.h"
#include "espalier/app/train.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/rng.h"
#include "tests/temporary_folder.h"
#include "tests/test_trees.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

/// The same language about other things, with a relation that the first one has not.
std::vector<Sentence> flights(int sentences, uint64_t seed) {
  std::vector<Sentence> treebank = toy_treebank(sentences, seed);
  for (Sentence& sentence : treebank)
    for (Token& token : sentence.tokens) {
      if (token.upos == "NOUN") token.form = "flight-" + token.form;
      if (token.deprel == "amod") token.deprel = "amod:new";
    }
  return treebank;
}

class Init : public ::testing::Test {
 protected:
  Init() {
    write_file(folder_ / "old.conllu", write_text(toy_treebank(80, 1), "conllu"));
    write_file(folder_ / "new.conllu", write_text(flights(15, 2), "conllu"));
  }
  TrainFiles request(const std::string& recipe, const std::string& train, const std::string& model) const {
    TrainFiles all;
    all.recipe = recipe;
    all.settings = {"epochs=4", "min_updates=1", "drop=0"};
    all.train = {folder_ / train};
    all.model = folder_ / model;
    return all;
  }
  double las(const std::string& model, const std::vector<Sentence>& gold) const {
    std::vector<Sentence> parsed = gold;
    Model(folder_ / model).parse_all(parsed, 1);
    return evaluate(gold, parsed).json()["las"];
  }
  TemporaryFolder folder_;
};

TEST_F(Init, OldAndNew) {
  for (const std::string recipe : {"greedy", "beam", "mst", "cube"}) {
    SCOPED_TRACE(recipe);
    train_files(request(recipe, "old.conllu", "old.esp"));
    TrainFiles on = request(recipe, "new.conllu", "new.esp");
    on.init = folder_ / "old.esp";
    train_files(on);
    EXPECT_GT(las("new.esp", flights(40, 5)), 95) << "new relations";
    EXPECT_LT(las("old.esp", flights(40, 5)), 95);
    // Heads of the old language are known still.
    std::vector<Sentence> gold = toy_treebank(40, 6), parsed = gold;
    Model(folder_ / "new.esp").parse_all(parsed, 1);
    EXPECT_GT(evaluate(gold, parsed).json()["uas"].get<double>(), 95);
    // Same bytes again.
    on.model = folder_ / "again.esp";
    train_files(on);
    const Model first(folder_ / "new.esp"), again(folder_ / "again.esp");
    std::vector<Sentence> a = flights(20, 9), b = a;
    first.parse_all(a, 1);
    again.parse_all(b, 1);
    EXPECT_EQ(write_text(a, "conllu"), write_text(b, "conllu"));
    // And from what went on, once more.
    on.init = folder_ / "new.esp";
    train_files(on);
    EXPECT_GT(las("again.esp", flights(40, 5)), 95);
  }
}

/// Tags of words that the tagger has not to look up.
double tags_right(const std::string& model, const std::vector<Sentence>& gold) {
  std::vector<Sentence> tagged = gold;
  for (Sentence& sentence : tagged)
    for (Token& token : sentence.tokens) token.upos = token.xpos = token.feats = "_";
  Model(model).parse_all(tagged, 1);
  double right = 0, all = 0;
  for (size_t s = 0; s < gold.size(); ++s)
    for (size_t i = 0; i < gold[s].tokens.size(); ++i, ++all) {
      const Token &is = tagged[s].tokens[i], &should = gold[s].tokens[i];
      right += is.upos == should.upos && is.xpos == should.xpos && is.feats == should.feats;
    }
  return 100 * right / all;
}

/// With XPOS and FEATS; `late`: further tags and features that the others have not.
std::vector<Sentence> tagged_treebank(int sentences, uint64_t seed, bool late) {
  std::vector<Sentence> treebank = toy_treebank(sentences, seed);
  for (Sentence& sentence : treebank)
    for (Token& token : sentence.tokens) {
      token.xpos = token.upos.substr(0, 2);
      if (token.upos == "NOUN") token.feats = token.form.size() > 3 ? "Number=Plur" : "Number=Sing";
      if (token.upos == "VERB") token.feats = "Tense=Pres";
      if (late && token.form == "the") token.feats = "Definite=Def|PronType=Art";
      if (late && token.form == "old") token.upos = "X", token.xpos = "new";
      if (late && token.form == "tree") token.feats = "Number=Coll";
    }
  return treebank;
}

TEST_F(Init, ATaggerLearnsNewTagsAndFeatures) {
  write_file(folder_ / "old.conllu", write_text(tagged_treebank(80, 1, false), "conllu"));
  write_file(folder_ / "new.conllu", write_text(tagged_treebank(15, 2, true), "conllu"));
  TrainFiles first = request("tagger", "old.conllu", "old.esp");
  train_files(first);
  EXPECT_GT(tags_right(folder_ / "old.esp", tagged_treebank(40, 5, false)), 99);
  EXPECT_LT(tags_right(folder_ / "old.esp", tagged_treebank(40, 5, true)), 90);
  TrainFiles on = request("tagger", "new.conllu", "new.esp");
  on.init = folder_ / "old.esp";
  train_files(on);
  EXPECT_GT(tags_right(folder_ / "new.esp", tagged_treebank(40, 5, true)), 97);
  // One sentence does not make it forget.
  write_file(folder_ / "one.conllu", write_text(tagged_treebank(1, 2, true), "conllu"));
  on = request("tagger", "one.conllu", "one.esp");
  train_files(on);
  EXPECT_LT(tags_right(folder_ / "one.esp", tagged_treebank(40, 5, true)), 85);
  on.init = folder_ / "new.esp";
  train_files(on);
  EXPECT_GT(tags_right(folder_ / "one.esp", tagged_treebank(40, 5, true)), 97);
  // Going on with what it knows changes nothing to speak of, although numbers of readings have moved.
  on = request("tagger", "new.conllu", "same.esp");
  on.settings = {"epochs=1", "min_updates=1"};
  on.init = folder_ / "new.esp";
  train_files(on);
  EXPECT_GE(tags_right(folder_ / "same.esp", tagged_treebank(60, 6, true)),
            tags_right(folder_ / "new.esp", tagged_treebank(60, 6, true)) - 0.5);
}

TEST_F(Init, OneSentenceDoesNotMakeItForget) {
  write_file(folder_ / "new.conllu", write_text(toy_treebank(1, 2), "conllu"));
  for (const std::string recipe : {"greedy", "beam", "mst", "cube"}) {
    SCOPED_TRACE(recipe);
    train_files(request(recipe, "old.conllu", "old.esp"));
    TrainFiles on = request(recipe, "new.conllu", "new.esp");
    on.settings = {"epochs=1", "min_updates=1"};
    train_files(on);
    EXPECT_LT(las("new.esp", toy_treebank(60, 4)), 90) << "it is not enough to learn from";
    on.init = folder_ / "old.esp";
    train_files(on);
    EXPECT_GE(las("new.esp", toy_treebank(60, 4)), 97);
  }
}

TEST_F(Init, NothingNewChangesLittle) {
  for (const std::string recipe : {"greedy", "beam", "mst", "cube"}) {
    SCOPED_TRACE(recipe);
    train_files(request(recipe, "old.conllu", "old.esp"));
    TrainFiles on = request(recipe, "old.conllu", "same.esp");
    on.settings = {"epochs=1", "min_updates=1"};
    on.init = folder_ / "old.esp";
    train_files(on);
    EXPECT_GE(las("same.esp", toy_treebank(60, 4)), las("old.esp", toy_treebank(60, 4)) - 1);
  }
}

/// "(S (NP …) (VP …))"; `late`: with a label that the others have not.
std::vector<Sentence> phrases(int sentences, uint64_t seed, bool late) {
  Rng rng(seed, "phrases");
  const char* const nouns[] = {"dog", "cat", "tree"};
  const auto noun_phrase = [&] {
    const std::string noun = nouns[rng.below(3)];
    return fmt::format("({} {}(NN {}))", late && noun == "tree" ? "NX" : "NP", rng.below(2) ? "(DT the) " : "", noun);
  };
  std::vector<Sentence> treebank;
  for (int s = 0; s < sentences; ++s)
    treebank.push_back(
        testing::constituents(fmt::format("(ROOT (S {} (VP (VBZ sees) {}{})))", noun_phrase(), noun_phrase(),
                                          rng.below(2) ? fmt::format(" (PP (IN in) {})", noun_phrase()) : "")));
  return treebank;
}

TEST_F(Init, AConstituentParserLearnsNewLabels) {
  write_file(folder_ / "old.ptb", write_text(phrases(60, 1, false), "ptb"));
  write_file(folder_ / "new.ptb", write_text(phrases(15, 2, true), "ptb"));
  const auto right = [&](const std::string& model, bool late) {
    const std::vector<Sentence> gold = phrases(40, 5, late);
    std::vector<Sentence> parsed = gold;
    for (Sentence& sentence : parsed) sentence.constituents = {};
    Model(folder_ / model).parse_all(parsed, 1);
    size_t same = 0;
    for (size_t i = 0; i < gold.size(); ++i)
      same += write_text({&gold[i], 1}, "ptb") == write_text({&parsed[i], 1}, "ptb");
    return same;
  };
  TrainFiles first = request("shift-reduce", "old.ptb", "old.esp");
  train_files(first);
  EXPECT_GE(right("old.esp", false), 38u);
  TrainFiles on = request("shift-reduce", "new.ptb", "new.esp");
  on.init = folder_ / "old.esp";
  train_files(on);
  EXPECT_GE(right("new.esp", true), 36u) << "new labels";
  write_file(folder_ / "one.ptb", write_text(phrases(1, 2, false), "ptb"));
  on = request("shift-reduce", "one.ptb", "one.esp");
  train_files(on);
  EXPECT_LT(right("one.esp", false), 20u);
  on.init = folder_ / "old.esp";
  train_files(on);
  EXPECT_GE(right("one.esp", false), 38u) << "one sentence does not make it forget";
  on = request("shift-reduce", "old.ptb", "same.esp");
  on.settings = {"epochs=1"};
  on.init = folder_ / "old.esp";
  train_files(on);
  EXPECT_GE(right("same.esp", false), right("old.esp", false));
}

TEST_F(Init, OfAPipelineTaggerAndParserGoOn) {
  std::vector<Sentence> lemmas = toy_treebank(80, 1), spelled = flights(15, 2);
  for (Sentence& sentence : lemmas)
    for (Token& token : sentence.tokens) token.lemma = token.form + "x";
  for (Sentence& sentence : spelled)
    for (Token& token : sentence.tokens) token.lemma = token.form + "y";
  write_file(folder_ / "old.conllu", write_text(lemmas, "conllu"));
  write_file(folder_ / "new.conllu", write_text(spelled, "conllu"));
  TrainFiles first = request("pipeline", "old.conllu", "old.esp");
  first.settings = {"tagger.epochs=2", "parser.epochs=2", "parser.min_updates=1", "parser.tags=jackknife:3"};
  train_files(first);
  TrainFiles on = request("pipeline", "new.conllu", "new.esp");
  on.settings = first.settings;
  on.init = folder_ / "old.esp";
  train_files(on);
  EXPECT_GT(las("new.esp", flights(40, 5)), 80);
  EXPECT_GT(tags_right(folder_ / "new.esp", toy_treebank(40, 5)), 95);
  const auto lemma_of_the = [&](const std::string& model) {
    std::vector<Sentence> one = {toy_treebank(1, 3)};
    one[0].tokens[0].form = "the";
    Model(folder_ / model).parse_all(one, 1);
    return one[0].tokens[0].lemma;
  };
  EXPECT_EQ(lemma_of_the("new.esp"), "they") << "a new lemmatizer";
  on.settings.push_back("lemmatizer.init=" + on.init);
  train_files(on);
  EXPECT_EQ(lemma_of_the("new.esp"), "thex") << "the old one, if it is asked for";
  on.settings.pop_back();
  write_file(folder_ / "new.conllu", write_text(flights(15, 2), "conllu"));
  train_files(on);
  EXPECT_EQ(lemma_of_the("new.esp"), "thex") << "... or if there are no lemmas to learn from";
}

TEST_F(Init, WhatCannotGoOnIsSaid) {
  train_files(request("beam", "old.conllu", "old.esp"));
  const auto problem = [&](const std::string& recipe, std::vector<std::string> settings) -> std::string {
    TrainFiles on = request(recipe, "new.conllu", "new.esp");
    on.settings = std::move(settings);
    on.init = folder_ / "old.esp";
    try {
      train_files(on);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "";
  };
  for (const char* recipe : {"classify", "l2s", "l2s-tagger", "hc", "committee", "lemmatizer", "tokenizer"})
    EXPECT_NE(problem(recipe, {})
                  .find("has no warm start (--init); these have: greedy, beam, tagger, pipeline, "
                        "shift-reduce, chart, cube, mst"),
              std::string::npos)
        << recipe << ": " << problem(recipe, {});
  for (const char* recipe : {"mst", "cube", "tagger", "shift-reduce", "chart"})
    EXPECT_NE(problem(recipe, {}).find("there is no model of recipe"), std::string::npos) << recipe;
  EXPECT_NE(problem("beam", {"system=arc-standard"}).find("--set system=arc-eager"), std::string::npos);
  EXPECT_NE(problem("pipeline", {"parser.recipe=l2s"}).find("recipe l2s of the parser has no warm start"),
            std::string::npos);
  train_files(request("mst", "old.conllu", "old.esp"));
  EXPECT_NE(problem("cube", {}).find("there is no model of recipe cube"), std::string::npos);
  EXPECT_NE(problem("mst", {"features=hall"}).find("--set features=rich"), std::string::npos);
  TrainFiles on = request("beam", "new.conllu", "new.esp");
  on.init = folder_ / "new.conllu";
  EXPECT_THROW(train_files(on), Error) << "no model";
}

}  // namespace
}  // namespace espalier
