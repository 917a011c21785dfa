// Explanations: reasons add up, and every feature of every parser has a name.
#include "espalier/app/explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/learn/trained.h"
#include "tests/contract/parser_kinds.h"

namespace espalier {
namespace {

Model trained(const ParserKind& kind) {
  Settings settings;
  std::istringstream pairs(kind.settings);
  for (std::string pair; pairs >> pair;) settings.set_pair(pair);
  return Model(train(settings, {kind.treebank(60, 1), kind.treebank(10, 2)}, {}).parser);
}

double sum_of(const Explanation& explanation) {
  double sum = 0;
  for (const Reason& reason : explanation.reasons) sum += reason.times * reason.weight;
  return sum;
}

void expect_sound(const Explanation& explanation) {
  const double difference = explanation.best.score - explanation.rival.score;
  EXPECT_NEAR(sum_of(explanation), difference, 1e-3 * (1 + std::abs(explanation.best.score)));
  EXPECT_FALSE(explanation.best.analysis == explanation.rival.analysis);
  for (const Reason& reason : explanation.reasons) EXPECT_NE(reason.name[0], '#') << reason.name;
  for (size_t i = 1; i < explanation.reasons.size(); ++i) {
    const Reason &a = explanation.reasons[i - 1], &b = explanation.reasons[i];
    EXPECT_GE(std::abs(a.times * a.weight), std::abs(b.times * b.weight));
  }
}

TEST(Explain, EveryParserThatHasFeatures) {
  int explained = 0;
  for (const ParserKind& kind : parser_kinds()) {
    SCOPED_TRACE(kind.name);
    const std::string name = kind.name;
    if (name == "classify" || name == "classify_both" || name == "committee") continue;  // slow; refused below by kind
    const Model model = trained(kind);
    if (!model.has_features()) {
      EXPECT_FALSE(can_explain(model));
      EXPECT_THROW(explain(model, kind.treebank(1, 9)[0], {}), Error);
      continue;
    }
    ASSERT_TRUE(can_explain(model));
    ++explained;
    for (const Sentence& sentence : kind.treebank(3, 9)) {
      if (sentence.size() < 4) continue;
      expect_sound(explain(model, sentence, {}));
      if (!sentence.constituents.empty()) continue;
      for (int word = 1; word <= sentence.size(); ++word) {
        ExplainOptions any;
        any.word = word;
        try {
          const Explanation other = explain(model, sentence, any);
          expect_sound(other);
          const auto w = static_cast<size_t>(word);
          EXPECT_TRUE(other.best.analysis.heads[w] != other.rival.analysis.heads[w] ||
                      other.best.analysis.deprels[w] != other.rival.analysis.deprels[w]);
        } catch (const Error& error) {  // no such tree among the best
          EXPECT_NE(std::string(error.what()).find("among the"), std::string::npos) << error.what();
        }
      }
    }
  }
  EXPECT_GE(explained, 15);
}

TEST(Explain, TheRivalHasTheHeadThatWasAskedFor) {
  const Model model = trained(parser_kinds()[3]);  // arc-eager beam
  const Sentence sentence = toy_treebank(1, 9)[0];
  ExplainOptions options;
  options.word = 1;
  options.kbest = 2;  // too few: found under a constraint
  int found = 0;
  for (int head = 0; head <= sentence.size(); ++head) {
    options.head = head;
    if (head == 1) {
      EXPECT_THROW(explain(model, sentence, options), Error);
      continue;
    }
    try {
      const Explanation explanation = explain(model, sentence, options);
      expect_sound(explanation);
      EXPECT_EQ(explanation.rival.analysis.heads[1], head);
      const std::string summary = explanation_summary(explanation, 1);
      EXPECT_TRUE(summary.starts_with("The model attaches \"" + sentence.word(1).form + "\" to ")) << summary;
      if (head == 0) {
        EXPECT_NE(summary.find("that makes it the root"), summary.npos) << summary;
      }
      ++found;
    } catch (const Error&) {
    }
  }
  EXPECT_GE(found, sentence.size() / 2);
  options.head = sentence.size() + 1;
  EXPECT_THROW(explain(model, sentence, options), Error);
}

TEST(Explain, ForPeopleAndPrograms) {
  const Model model = trained(parser_kinds()[3]);
  const Sentence sentence = toy_treebank(1, 9)[0];
  const Explanation explanation = explain(model, sentence, {});
  const std::string text = explanation_text(explanation, 0, 3);
  EXPECT_TRUE(text.starts_with("The model's second best tree scores ")) << text;
  EXPECT_NE(text.find("For the tree that won:"), std::string::npos) << text;
  EXPECT_NE(text.find("S0."), std::string::npos) << text;
  const auto json = explanation_json(explanation, 0, 3);
  EXPECT_EQ(json["features"].size(), 3u);
  EXPECT_TRUE(text.starts_with(json["summary"].get<std::string>()));
  double sum = json["rest"];
  for (const auto& feature : json["features"]) sum += feature["brings"].get<double>();
  EXPECT_NEAR(sum, json["difference"].get<double>(), 1e-3);
}

}  // namespace
}  // namespace espalier
