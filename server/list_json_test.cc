#include "server/list_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace espalier::server {
namespace {

using nlohmann::json;

TEST(ListJson, ColumnsOfEachAnalysis) {
  const Sentence sentence = sentence_of(std::vector<std::string>{"Dogs", "bark"});
  std::vector<Alternative> list(2);
  list[0].score = 1.5;
  list[0].scores = {{"h", 1}, {"c", 0.5}};
  list[0].analysis.heads = {0, 2, 0};
  list[0].analysis.deprels = {"", "nsubj", "root"};
  list[1].score = -1;
  list[1].analysis.upos = {"", "NOUN", "VERB"};
  const json expected = json::parse(R"([
      {"score": 1.5, "scores": {"h": 1.0, "c": 0.5}, "heads": [2, 0], "deprels": ["nsubj", "root"]},
      {"score": -1.0, "upos": ["NOUN", "VERB"]}])");
  EXPECT_EQ(json::parse(list_json(sentence, list)), expected);
  EXPECT_EQ(list_json(sentence, {}), "[]");
}

}  // namespace
}  // namespace espalier::server
