// A trained model made smaller: it still parses, and nearly as well.
#include "espalier/app/prune.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "espalier/app/model.h"
#include "espalier/base/error.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/parser.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

TEST(PruneModel, ASmallerModelParsesAndAnUnprunedOneIsTheSame) {
  const TemporaryFolder folder;
  const std::string large = folder / "large.esp", small = folder / "small.esp";
  Settings settings;
  settings.set_pair("recipe=pipeline");
  settings.set_pair("parser.recipe=greedy");
  settings.set_pair("tags=input");
  save_parser(*train(settings, {toy_treebank(60, 1), toy_treebank(20, 2)}, {}).parser, {}, large);
  const Model before(large);
  const std::vector<Sentence> given = toy_treebank(20, 3);
  const auto heads_of = [&](const Model& model) {
    std::vector<int> heads;
    for (Sentence sentence : given) {
      model.parse(sentence);
      for (const Token& token : sentence.tokens) heads.push_back(token.head);
    }
    return heads;
  };
  prune_model({.model = large, .output = small, .drop = {"0"}});
  EXPECT_EQ(heads_of(Model(small)), heads_of(before));
  const auto report = prune_model({.model = large, .output = small, .drop = {"0.5", "parser=0.8"}});
  EXPECT_LT(report["rows"], report["rows_before"]);
  EXPECT_EQ(heads_of(Model(small)).size(), heads_of(before).size());
  const auto bytes = static_cast<double>(std::filesystem::file_size(small));
  const auto sized = prune_model({.model = large, .output = small, .drop = {}, .bytes = bytes});
  EXPECT_LE(sized["bytes"].get<double>(), bytes);
  EXPECT_GE(sized["bytes"].get<double>(), 0.8 * bytes);
  const auto rest = prune_model({.model = large, .output = small, .drop = {"tagger=0"}, .bytes = bytes});
  EXPECT_LE(rest["bytes"].get<double>(), bytes);
  EXPECT_EQ(rest["drop"]["tagger"], 0.0);
  EXPECT_THROW(prune_model({.model = large, .output = small, .drop = {"0.5"}, .bytes = bytes}), Error);
  for (const char* wrong : {"1", "-0.1", "x", "parser=", "0.5x"})
    EXPECT_THROW(prune_model({.model = large, .output = small, .drop = {wrong}}), Error) << wrong;
  EXPECT_THROW(prune_model({.model = large, .output = small, .drop = {}}), Error);
}

}  // namespace
}  // namespace espalier
