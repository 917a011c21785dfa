#include "espalier/app/trace_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace espalier {
namespace {

using nlohmann::json;

TEST(TraceJson, Steps) {
  Trace trace;
  trace.system = "arc-standard";
  trace.steps.push_back({{{0, 0}}, {1, 2}, {{"shift", "", 0, 0, 0}}, 0, true});
  trace.steps.push_back(
      {{{0, 0}, {1, 1}, {2, 2}}, {}, {{"right", "obj", 2.5, 1, 2}, {"left", "nsubj", 1.5, 2, 1}}, 1, false});
  const json expected = json::parse(R"({"kind": "transition", "system": "arc-standard", "steps": [
      {"stack": [0], "buffer": [1, 2], "actions": [{"move": "shift", "score": 0.0}], "taken": 0, "forced": true},
      {"stack": [0, 1, 2], "buffer": [], "actions": [
        {"move": "right", "label": "obj", "head": 1, "dependent": 2, "score": 2.5},
        {"move": "left", "label": "nsubj", "head": 2, "dependent": 1, "score": 1.5}], "taken": 1, "forced": false}]})");
  EXPECT_EQ(json::parse(trace_json(trace)), expected);
}

TEST(TraceJson, Phrases) {
  Trace trace;
  trace.system = "shift-reduce";
  trace.whose = "one of two";
  trace.steps.push_back(
      {{{1, 2, "NP"}, {3, 3}}, {4}, {{.move = "left", .label = "S", .first = 1, .last = 3}}, 0, true});
  const json expected =
      json::parse(R"({"kind": "transition", "system": "shift-reduce", "whose": "one of two", "steps": [
      {"stack": [{"label": "NP", "first": 1, "last": 2}, 3], "buffer": [4],
       "actions": [{"move": "left", "label": "S", "first": 1, "last": 3, "score": 0.0}], "taken": 0, "forced": true}]})");
  EXPECT_EQ(json::parse(trace_json(trace)), expected);
}

TEST(TraceJson, ArcsAreComparedWithTheBest) {
  Trace trace;
  trace.arcs = {
      {2, 1, "nsubj", 3, 0.5, false}, {0, 2, "root", 4, std::nullopt, true}, {1, 2, "obj", 1, std::nullopt, false}};
  const json arcs = json::parse(trace_json(trace))["arcs"];
  EXPECT_EQ(
      arcs[0],
      (json{
          {"head", 2}, {"dependent", 1}, {"label", "nsubj"}, {"score", -0.5}, {"arc_score", 3.0}, {"chosen", false}}));
  EXPECT_EQ(arcs[1]["score"], 0.0);
  EXPECT_EQ(arcs[2]["score"], -3.0);
}

}  // namespace
}  // namespace espalier
