#include "espalier/learn/shift_reduce/shift_reduce_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/format/brackets.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/inspect.h"
#include "espalier/parser/model_file.h"
#include "espalier/space/shift_reduce.h"
#include "tests/temporary_folder.h"
#include "tests/test_trees.h"
#include "tests/toy_constituents.h"
#include "tests/training.h"

namespace espalier {
namespace {

TrainData toy_data() { return {toy_constituents(80, 1), toy_constituents(40, 2)}; }

std::string brackets(const Sentence& sentence) {
  std::string text;
  append_brackets(sentence, text);
  return text;
}

TEST(ShiftReduceTrainer, LearnsTheToyLanguage) {
  const TrainData data = toy_data();
  for (const char* learner : {"learner=pa", "learner=perceptron"})
    for (const char* beam : {"beam=1", "beam=4"})
      for (const char* rules : {"head_rules=english", "head_rules=generic"}) {
        const auto trained =
            train(settings({"recipe=shift-reduce", "epochs=6", "min_updates=1", learner, beam, rules}), data, {});
        EXPECT_GT(trained.report.at("dev").at("f1").get<double>(), 98) << learner << beam << rules;
      }
}

TEST(ShiftReduceTrainer, SameSeedSameModelAndItSurvivesItsFile) {
  const TrainData data = toy_data();
  const Settings s = settings({"recipe=shift-reduce", "epochs=2", "min_updates=1"});
  TrainContext one, two;
  two.threads = 2;
  const auto trained = train(s, data, one);
  EXPECT_EQ(bytes_of(*trained.parser), bytes_of(*train(s, data, two).parser));

  const TemporaryFolder folder;
  const std::string file = folder / "shift-reduce.esp";
  save_parser(*trained.parser, {}, file);
  const auto loaded = load_parser(file);
  EXPECT_EQ(bytes_of(*loaded), bytes_of(*trained.parser));
  auto workspace = loaded->make_workspace(), other = trained.parser->make_workspace();
  for (Sentence sentence : data.dev) {
    Sentence again = sentence;
    loaded->parse(sentence, *workspace);
    trained.parser->parse(again, *other);
    EXPECT_EQ(brackets(sentence), brackets(again));
  }
}

TEST(ShiftReduceTrainer, ListsOfTheBestAreDistinctAndInOrder) {
  const TrainData data = toy_data();
  const auto parser = train(settings({"recipe=shift-reduce", "epochs=4", "min_updates=1"}), data, {}).parser;
  auto workspace = parser->make_workspace();
  for (Sentence sentence : data.dev) {
    const auto list = kbest(*parser, sentence, 5, *workspace);
    ASSERT_GT(list.size(), 1u);
    ASSERT_LE(list.size(), 5u);
    for (size_t i = 1; i < list.size(); ++i) {
      EXPECT_LE(list[i].score, list[i - 1].score);
      EXPECT_NE(list[i].analysis, list[i - 1].analysis);
    }
    EXPECT_FALSE(parser->inspect()->features(sentence, list, *workspace).front().empty());
    Sentence first = sentence;
    annotate(first, list[0].analysis);
    parser->parse(sentence, *workspace);
    EXPECT_EQ(brackets(first), brackets(sentence));
  }
}

TEST(ShiftReduceTrainer, BothDirectionsScoreWhatEitherFinds) {
  const TrainData data = toy_data();
  const auto trained = [&](const char* direction) {
    return train(settings({"recipe=shift-reduce", "epochs=1", "beam=4", direction}), data, {}).parser;
  };
  const auto both = trained("direction=both"), l2r = trained("direction=l2r"), r2l = trained("direction=r2l");
  // Wide enough to hold every tree of three words: then each direction's list has all of them, scored.
  const Sentence sentence = testing::constituents("(S (NP (NN dog)) (VP (VBZ sees) (NP (NN cat))))");
  const auto list = [&](const Parser& parser) { return kbest(parser, sentence, 16000, *parser.make_workspace()); };
  const auto score_in = [](const std::vector<Candidate>& all, const ConstituentTree& tree) {
    const auto found =
        std::ranges::find_if(all, [&](const Candidate& one) { return one.analysis.constituents == tree; });
    return found == all.end() ? std::nan("") : found->score;
  };
  const auto combined = list(*both), one = list(*l2r), other = list(*r2l);
  ASSERT_GT(combined.size(), 100u);
  for (const Candidate& candidate : std::span(combined).first(50)) {
    // A tree has several derivations, one for each choice of heads: the sum is at most the sum of the bests.
    EXPECT_LE(candidate.score,
              score_in(one, candidate.analysis.constituents) + score_in(other, candidate.analysis.constituents) + 1e-4);
  }
  EXPECT_FALSE(both->inspect()->features(sentence, combined, *both->make_workspace()).front().empty());
}

TEST(ShiftReduceTrainer, DirectionsThatCannotBuildEachOthersTreesAreRefused) {
  const auto both = train(settings({"recipe=shift-reduce", "epochs=1"}), toy_data(), {}).parser;
  ModelWriter writer;
  nlohmann::json metadata = both->save(writer, "");
  metadata["kind"] = both->about().kind;
  const auto load = [&] {
    writer.metadata["model"] = metadata;
    return load_parser(ModelFile::from_bytes(writer.to_bytes(), "model"));
  };
  EXPECT_NO_THROW(load());
  auto& actions = metadata["directions"][1]["actions"];
  const auto unary = std::ranges::find_if(actions, [](const auto& a) { return a[0] == ShiftReduce::kUnary; });
  ASSERT_NE(unary, actions.end());
  (*unary)[1] = 0;  // TOP, which is never unary
  EXPECT_THROW(load(), Error);
}

TEST(ShiftReduceTrainer, EverySentenceGetsATree) {
  const auto parser = train(settings({"recipe=shift-reduce", "epochs=1"}), {toy_constituents(10, 3), {}}, {}).parser;
  auto workspace = parser->make_workspace();
  for (const char* text : {"(X (NN dog))", "(X (. .))", "(X (`` `) (FOO bar) ('' ') (BAZ x) (. ?) (. !))"}) {
    Sentence sentence = testing::constituents(text);
    const auto tokens = sentence.tokens;
    parser->parse(sentence, *workspace);
    const Sentence again = testing::constituents(brackets(sentence));
    ASSERT_EQ(again.size(), static_cast<int>(tokens.size()));
    for (size_t i = 0; i < tokens.size(); ++i) EXPECT_EQ(again.tokens[i].form, tokens[i].form);
  }
  Sentence nothing;
  parser->parse(nothing, *workspace);
}

TEST(ShiftReduceTrainer, APipelineParsesWordsWithoutTags) {
  const TrainData data = toy_data();
  const std::vector<Settings> recipes = {
      settings({"recipe=pipeline", "parser.recipe=shift-reduce", "parser.tags=jackknife:2", "parser.epochs=4",
                "parser.min_updates=1", "tagger.epochs=3"}),
      settings({"recipe=pipeline", "parser.recipe=classify", "parser.tags=jackknife:2", "parser.seeds=1",
                "parser.sample=1000", "parser.least_lambda=3", "tagger.epochs=3"})};
  for (const Settings& recipe : recipes) {
    const auto trained = train(recipe, data, {});
    auto workspace = trained.parser->make_workspace();
    int right = 0;
    for (const Sentence& gold : data.dev) {
      Sentence sentence = gold;
      sentence.constituents.clear();
      for (Token& token : sentence.tokens) token.xpos = "_";
      trained.parser->parse(sentence, *workspace);
      right += brackets(sentence) == brackets(gold);
    }
    EXPECT_GT(right, 30) << recipe.to_json();
  }
}

}  // namespace
}  // namespace espalier
