#include "espalier/app/train_crossval.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "espalier/app/evaluate.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"
#include "tests/toy_constituents.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

class Crossval : public ::testing::Test {
 protected:
  Crossval() {
    write_file(folder_ / "all.conllu", write_text(toy_treebank(61, 1), "conllu"));
    request_.recipe = "greedy";
    request_.settings = {"epochs=2", "min_updates=1"};
    request_.train = {folder_ / "all.conllu"};
    request_.folds = 3;
  }
  TemporaryFolder folder_;
  CrossvalFiles request_;
};

TEST_F(Crossval, EverySentenceIsParsedOnce) {
  request_.output = folder_ / "parsed.conllu";
  const auto report = crossvalidate(request_);
  EXPECT_EQ(report["folds"], 3);
  EXPECT_EQ(report["metrics"], (nlohmann::json{"las", "uas"}));
  const auto& las = report["curve"][0]["scores"]["las"];
  ASSERT_EQ(las["folds"].size(), 3u);
  double mean = 0, squares = 0;
  for (const double score : las["folds"]) mean += score / 3;
  for (const double score : las["folds"]) squares += (score - mean) * (score - mean);
  EXPECT_NEAR(las["mean"].get<double>(), mean, 1e-9);
  EXPECT_NEAR(las["deviation"].get<double>(), std::sqrt(squares / 2), 1e-9);
  // In their order, so that they can be scored together and compared.
  const auto all = evaluate_files(folder_ / "all.conllu", request_.output).json();
  EXPECT_EQ(all["sentences"], 61);
  EXPECT_NEAR(all["las"].get<double>(), mean, 2) << "folds have different numbers of words";
  EXPECT_GT(mean, 80);
}

TEST_F(Crossval, NothingIsLearnedFromWhatIsScored) {
  // Every sentence has a relation of its own: no model can know that of another fold.
  std::vector<Sentence> treebank = toy_treebank(30, 1);
  for (size_t i = 0; i < treebank.size(); ++i)
    for (Token& token : treebank[i].tokens) token.deprel = "r" + std::to_string(i);
  write_file(folder_ / "all.conllu", write_text(treebank, "conllu"));
  const auto report = crossvalidate(request_);
  EXPECT_EQ(report["curve"][0]["scores"]["las"]["mean"], 0.0);
  EXPECT_GT(report["curve"][0]["scores"]["uas"]["mean"].get<double>(), 50);
}

TEST_F(Crossval, ThreadsChangeNothing) {
  const auto one = crossvalidate(request_);
  request_.threads = 3;
  EXPECT_EQ(crossvalidate(request_).dump(), one.dump());
}

TEST_F(Crossval, CurvesAndTheirPictures) {
  request_.curve = {0.1, 0.5, 1};
  const auto report = crossvalidate(request_);
  ASSERT_EQ(report["curve"].size(), 3u);
  EXPECT_EQ(report["curve"][0]["sentences"], 4);
  EXPECT_EQ(report["curve"][2]["sentences"], 41);
  EXPECT_LE(report["curve"][0]["scores"]["las"]["mean"], report["curve"][2]["scores"]["las"]["mean"]);
  const std::string svg = learning_curve_svg(report);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  size_t circles = 0;
  for (size_t at = 0; (at = svg.find("<circle", at)) != std::string::npos; ++at) ++circles;
  EXPECT_EQ(circles, 3u);
  EXPECT_NE(crossval_table(report).find("3 folds, each model learned from 41 sentences (100 %)"), std::string::npos);
}

TEST_F(Crossval, ConstituentsAndTags) {
  request_.recipe = "tagger";
  EXPECT_EQ(crossvalidate(request_)["metrics"][0], "upos");
  write_file(folder_ / "all.ptb", write_text(toy_constituents(30, 1), "ptb"));
  request_.train = {folder_ / "all.ptb"};
  request_.recipe = "shift-reduce";
  request_.settings = {"epochs=1", "direction=l2r"};
  EXPECT_EQ(crossvalidate(request_)["metrics"][0], "f1");
}

TEST_F(Crossval, WhatMakesNoSenseIsSaid) {
  request_.curve = {0.5, 0.1};
  EXPECT_THROW(crossvalidate(request_), Error);
  request_.curve = {1};
  request_.folds = 100;
  EXPECT_THROW(crossvalidate(request_), Error);
}

}  // namespace
}  // namespace espalier
