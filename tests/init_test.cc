// Training that goes on from a model (train --init): what it knew stays, what is new is learned.
#include <gtest/gtest.h>

#include "espalier/app/evaluate.h"
#include "espalier/app/train.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"
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
  for (const std::string recipe : {"greedy", "beam"}) {
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

TEST_F(Init, NothingNewChangesLittle) {
  train_files(request("beam", "old.conllu", "old.esp"));
  TrainFiles on = request("beam", "old.conllu", "same.esp");
  on.settings = {"epochs=1", "min_updates=1"};
  on.init = folder_ / "old.esp";
  train_files(on);
  EXPECT_GE(las("same.esp", toy_treebank(60, 4)), las("old.esp", toy_treebank(60, 4)) - 1);
}

TEST_F(Init, OfAPipelineTheParserGoesOn) {
  TrainFiles first = request("pipeline", "old.conllu", "old.esp");
  first.settings = {"tagger.epochs=1", "parser.epochs=2", "parser.min_updates=1"};
  train_files(first);
  TrainFiles on = request("pipeline", "new.conllu", "new.esp");
  on.settings = first.settings;
  on.init = folder_ / "old.esp";
  train_files(on);
  EXPECT_GT(las("new.esp", flights(40, 5)), 80);
}

TEST_F(Init, WhatCannotGoOnIsSaid) {
  train_files(request("beam", "old.conllu", "old.esp"));
  TrainFiles on = request("mst", "new.conllu", "new.esp");
  on.settings = {};
  on.init = folder_ / "old.esp";
  EXPECT_THROW(train_files(on), Error);
  on.recipe = "beam";
  on.settings = {"system=arc-standard"};
  EXPECT_THROW(train_files(on), Error) << "another transition system";
  on.settings = {};
  on.init = folder_ / "new.conllu";
  EXPECT_THROW(train_files(on), Error) << "no model";
}

}  // namespace
}  // namespace espalier
