#include "espalier/app/confidence.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/tree/constraints.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

/// Two words; the list says the first hangs on the second for sure, the second's relation is open.
Sentence two_words() {
  Sentence sentence;
  sentence.tokens.resize(2);
  for (Token& token : sentence.tokens) token.form = "w";
  sentence.word(1).head = 2, sentence.word(1).deprel = "x";
  sentence.word(2).head = 0, sentence.word(2).deprel = "root";
  return sentence;
}

std::vector<Candidate> two_candidates(double difference) {
  std::vector<Candidate> list(2);
  for (Candidate& candidate : list) {
    candidate.analysis.heads = {0, 2, 0};
    candidate.analysis.deprels = {"", "x", "root"};
  }
  list[1].analysis.deprels[2] = "top";
  list[0].score = 5;
  list[1].score = 5 - difference;
  return list;
}

TEST(Confidence, SharesOfTheList) {
  const ListAgreement agreement(two_words(), two_candidates(2 * std::log(3)));
  EXPECT_NEAR(agreement.share(agreement.parts[0], 2), 1, 1e-9);
  EXPECT_NEAR(agreement.share(agreement.parts[1], 2), 0.75, 1e-9);
  EXPECT_NEAR(agreement.share(agreement.parts[1], 1e9), 0.5, 1e-6);
  EXPECT_EQ(ListAgreement(two_words(), {}).share(0, 1), 0);
}

/// Lists whose scores are log chances, in another measure: the fit finds the chances again.
TEST(Confidence, FitFindsTheChances) {
  Rng rng(8, "confidence");
  constexpr double kMeasure = 700;
  const auto draw = [&](size_t count) {
    std::vector<JudgedSentence> sentences;
    for (size_t i = 0; i < count; ++i) {
      const double odds = 4 * rng.uniform();  // of the first tree over the second
      const bool right = rng.uniform() < 1 / (1 + std::exp(-odds));
      sentences.push_back({ListAgreement(two_words(), two_candidates(kMeasure * odds)), {true, right}, right});
    }
    return sentences;
  };
  const Calibration fitted = Calibration::fit(draw(20000), 2, "arcs");
  const Calibration calibration = Calibration::from_json(fitted.json(), "file");
  EXPECT_EQ(calibration.json(), fitted.json());
  std::vector<Judgement> trees;
  for (const auto& [agreement, right, all] : draw(20000)) trees.push_back({calibration.chances(agreement).tree, all});
  EXPECT_LT(reliability(trees).error, 0.02);
  const ListAgreement even(two_words(), two_candidates(0)), sure(two_words(), two_candidates(4 * kMeasure));
  EXPECT_NEAR(calibration.chances(even).tree, 0.5, 0.06);
  EXPECT_NEAR(calibration.chances(sure).tree, 0.98, 0.03);
}

/// Errors come together: trees of several words are right more often than if their arcs were independent.
TEST(Confidence, FitFindsThatErrorsComeTogether) {
  Rng rng(9, "confidence");
  std::vector<JudgedSentence> sentences;
  Sentence sentence = two_words();
  for (int i = 0; i < 4000; ++i) {
    auto list = two_candidates(std::log(3));
    list[1].analysis.deprels[1] = "y";
    const bool right = rng.uniform() < 0.75;
    sentences.push_back({ListAgreement(sentence, list), {right, right}, right});
  }
  const Chances sure = Calibration::fit(sentences, 2, "arcs").chances(sentences[0].agreement);
  EXPECT_NEAR(sure.parts[0], 0.75, 0.02);
  EXPECT_NEAR(sure.tree, 0.75, 0.02);  // not 0.56
  EXPECT_LE(sure.tree, sure.parts[0]);
}

/// A calibration whose arcs have the share of the list as their chance, and whose trees those of independent arcs.
Calibration plain(double temperature = 1, LogisticMap::Weights weights = {0, 1, 0}, const char* unit = "arcs") {
  return Calibration::from_json({{"kbest", 2},
                                 {unit, {{"temperature", temperature}, {"knots", {{0.0, 0.0}, {1.0, 1.0}}}}},
                                 {"trees", {{"weights", weights}, {"knots", {{0.0, 0.0}, {1.0, 1.0}}}}}},
                                "file");
}

TEST(Confidence, IsWrittenWhereItBelongs) {
  const Calibration calibration = plain(2);
  Sentence sentence = two_words();
  sentence.comments = {"# confidence = 0.1", "# text = w w"};
  sentence.word(1).misc = "SpaceAfter=No|Confidence=0.2";
  const ListAgreement agreement(sentence, two_candidates(2 * std::log(3)));
  calibration.annotate(sentence, agreement, {});
  EXPECT_EQ(sentence.comments, (std::vector<std::string>{"# text = w w", "# confidence = 0.750"}));
  EXPECT_EQ(sentence.word(1).misc, "SpaceAfter=No|Confidence=1.000");
  EXPECT_EQ(sentence.word(2).misc, "Confidence=0.750");
}

TEST(Confidence, ATreeIsNoSurerThanItsArcs) {
  const ListAgreement agreement(two_words(), two_candidates(std::log(3)));
  const Chances lifted = plain(1, {10, 1, 0}).chances(agreement);
  EXPECT_GT(lifted.tree, 0.99);
  EXPECT_EQ(lifted.parts, (std::vector<double>{1, lifted.tree}));
  const Chances apart = plain(1, {-std::log(3), 1, 0}).chances(agreement);
  EXPECT_NEAR(apart.tree, 0.5, 1e-9);  // a third of the odds of 3 to 1
  EXPECT_NEAR(apart.parts[0], 1, 1e-9);
  EXPECT_NEAR(apart.parts[1], 0.75, 1e-9);
  const Chances longer = plain(1, {0, 1, 1}).chances(agreement);
  EXPECT_NEAR(longer.tree, 6.0 / 7, 1e-9);  // for two words twice the odds
}

/// Calibrations made before trees had weights.
TEST(Confidence, OldTreesAreTakenForIndependentArcs) {
  const nlohmann::json old = {{"temperature", 1}, {"knots", {{0.0, 0.0}, {1.0, 1.0}}}};
  const Calibration calibration = Calibration::from_json({{"kbest", 2}, {"arcs", old}, {"trees", old}}, "file");
  EXPECT_EQ(calibration.json(), plain().json());
}

TEST(Confidence, GivenArcsHaveNone) {
  const Calibration calibration = plain();
  Sentence sentence = two_words();
  sentence.word(1).misc = "Confidence=0.2|Gloss=a";
  Constraints given;
  given.heads = {Token::kNoHead, 2, 0};
  given.deprels = {"_", "x", "_"};
  calibration.annotate(sentence, ListAgreement(sentence, two_candidates(std::log(3))), given);
  EXPECT_EQ(sentence.word(1).misc, "Gloss=a");
  EXPECT_EQ(sentence.word(2).misc, "Confidence=0.750");  // its head was given, its relation was not
  EXPECT_EQ(sentence.comments, (std::vector<std::string>{"# confidence = 0.750"}));
  given.deprels = {"_", "_", "root"};
  calibration.annotate(sentence, ListAgreement(sentence, two_candidates(std::log(3))), given);
  EXPECT_EQ(sentence.comments, (std::vector<std::string>{"# confidence = 1.000"}));  // the doubtful one is given
}

TEST(Confidence, OfBrackets) {
  const auto tree = [](const char* text) { return testing::constituents(text); };
  Sentence sentence = tree("(ROOT (S (NP (NP (NN dogs))) (VP (VB see) (NP (NN cats)))))");
  std::vector<Candidate> list(2);
  list[0].analysis.constituents = sentence.constituents;
  list[1].analysis.constituents = tree("(ROOT (S (NP (NN dogs)) (VP (VB see) (NP (NN cats)))))").constituents;
  list[1].score = -std::log(3);
  const ListAgreement agreement(sentence, list);
  EXPECT_EQ(agreement.parts, (std::vector<uint64_t>{3, 3, 1, 3, 3}));  // one of two equal brackets is in both
  const Calibration calibration = plain(1, {0, 1, 0}, "brackets");
  EXPECT_EQ(Calibration::from_json(calibration.json(), "file").json(), calibration.json());
  for (int times = 0; times < 2; ++times) calibration.annotate(sentence, agreement, {});
  EXPECT_EQ(sentence.comments, (std::vector<std::string>{"# confidence = 0.750", "# bracket = S 1-3 1.000",
                                                         "# bracket = NP 1-1 1.000", "# bracket = NP 1-1 0.750",
                                                         "# bracket = VP 2-3 1.000", "# bracket = NP 3-3 1.000"}));
}

TEST(Confidence, DamagedFilesAreRefused) {
  const nlohmann::json part = {{"temperature", 1}, {"knots", {{0.5, 0.5}}}};
  const nlohmann::json good = {
      {"kbest", 2}, {"arcs", part}, {"trees", {{"weights", {0, 1, 0}}, {"knots", {{0.5, 0.5}}}}}};
  EXPECT_NO_THROW(Calibration::from_json(good, "file"));
  for (const auto& [pointer, value] :
       std::vector<std::pair<std::string, nlohmann::json>>{{"/kbest", 0},
                                                           {"/kbest", 1e9},
                                                           {"/kbest", "x"},
                                                           {"/arcs/temperature", 0},
                                                           {"/arcs/knots", {{0.5, 2}}},
                                                           {"/trees/knots", nlohmann::json::array()},
                                                           {"/trees/weights", {0, 1}},
                                                           {"/trees/weights", {0, "x", 1}},
                                                           {"/trees", nullptr}}) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_THROW(Calibration::from_json(bad, "file"), Error) << pointer;
  }
}

}  // namespace
}  // namespace espalier
