#include "espalier/learn/chart/chart_trainer.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"
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

TrainData toy() { return {toy_constituents(80, 1), toy_constituents(40, 2)}; }

std::string brackets_of(const Sentence& sentence) {
  std::string text;
  append_brackets(sentence, text);
  return text;
}

TEST(ChartTrainer, LearnsTheToyLanguageWithEveryUpdate) {
  const TrainData data = toy();
  const auto f1 = [&](const char* learner, const char* beam, const char* update) {
    const auto trained =
        train(settings({"recipe=chart", "epochs=6", "min_updates=1", learner, beam, update}), data, {});
    return trained.report.at("dev").at("f1").get<double>();
  };
  for (const char* learner : {"learner=pa", "learner=perceptron"}) {
    for (const char* beam : {"beam=1", "beam=4"})
      for (const char* update : {"update=standard", "update=s-max", "update=p-max"})
        EXPECT_GT(f1(learner, beam, update), 98) << learner << beam << update;
    EXPECT_GT(f1(learner, "beam=4", "update=skip"), 98) << learner;
    // What a narrow search loses is hardly ever a violation at the root.
    EXPECT_LT(f1(learner, "beam=1", "update=skip"), f1(learner, "beam=1", "update=p-max")) << learner;
  }
}

TEST(ChartTrainer, SkipLeavesOutWhatIsNoViolation) {
  const auto trained =
      train(settings({"recipe=chart", "epochs=2", "beam=1", "learner=perceptron", "update=skip"}), toy(), {});
  for (const auto& epoch : trained.report.at("curve"))
    EXPECT_LE(epoch.at("updates").get<long>(),
              epoch.at("wrong").get<long>() - epoch.at("root_non_violations").get<long>());
}

TEST(ChartTrainer, SameSeedSameModelAndItSurvivesItsFile) {
  const TrainData data = toy();
  const Settings s = settings({"recipe=chart", "epochs=2", "min_updates=1"});
  TrainContext one, two;
  two.threads = 2;
  const auto trained = train(s, data, one);
  EXPECT_EQ(bytes_of(*trained.parser), bytes_of(*train(s, data, two).parser));

  const TemporaryFolder folder;
  const std::string file = folder / "chart.esp";
  save_parser(*trained.parser, {}, file);
  const auto loaded = load_parser(file);
  EXPECT_EQ(bytes_of(*loaded), bytes_of(*trained.parser));
  auto workspace = loaded->make_workspace(), other = trained.parser->make_workspace();
  for (Sentence sentence : data.dev) {
    Sentence again = sentence;
    loaded->parse(sentence, *workspace);
    trained.parser->parse(again, *other);
    EXPECT_EQ(brackets_of(sentence), brackets_of(again));
  }
}

TEST(ChartTrainer, ForgedActionsAreRefused) {
  const auto parser = train(settings({"recipe=chart", "epochs=1"}), toy(), {}).parser;
  ModelWriter writer;
  const nlohmann::json metadata = [&] {
    nlohmann::json m = parser->save(writer, "");
    m["kind"] = parser->about().kind;
    return m;
  }();
  const auto load = [&](const nlohmann::json& model) {
    writer.metadata["model"] = model;
    return load_parser(ModelFile::from_bytes(writer.to_bytes(), "model"));
  };
  EXPECT_NO_THROW(load(metadata));
  // A chart needs every label in every join, and both unlabelled moves.
  for (const int move : {ShiftReduce::kLeft, ShiftReduce::kRight, ShiftReduce::kLeftPart, ShiftReduce::kRightPart}) {
    nlohmann::json forged = metadata;
    auto& actions = forged["actions"];
    actions.erase(std::ranges::find_if(actions, [&](const auto& a) { return a[0] == move; }));
    EXPECT_THROW(load(forged), Error) << move;
  }
  nlohmann::json forged = metadata;
  forged["labels"].push_back("NEW");
  EXPECT_NO_THROW(load(forged));
  forged["labels"] = nlohmann::json::array({"S"});
  EXPECT_THROW(load(forged), Error);
  forged = metadata;
  forged["beam"] = 0;
  EXPECT_THROW(load(forged), Error);
  forged = metadata;
  forged["fine"]["row_columns"] = 1;
  EXPECT_THROW(load(forged), Error);
}

TEST(ChartTrainer, EverySentenceGetsATree) {
  const auto parser = train(settings({"recipe=chart", "epochs=1"}), {toy_constituents(10, 3), {}}, {}).parser;
  auto workspace = parser->make_workspace();
  std::string longest = "(X";
  for (int i = 0; i < 2000; ++i) longest += i % 7 ? " (NN dog)" : " (VBZ sees)";
  for (const std::string& text : {std::string("(X (NN dog))"), std::string("(X (. .))"),
                                  std::string("(X (`` `) (FOO bar) ('' ') (BAZ x) (. ?) (. !))"), longest + ")"}) {
    Sentence sentence = testing::constituents(text);
    const auto tokens = sentence.tokens;
    parser->parse(sentence, *workspace);
    const Sentence again = testing::constituents(brackets_of(sentence));
    ASSERT_EQ(again.size(), static_cast<int>(tokens.size()));
    for (size_t i = 0; i < tokens.size(); ++i) EXPECT_EQ(again.tokens[i].form, tokens[i].form);
  }
  Sentence nothing;
  parser->parse(nothing, *workspace);
}

}  // namespace
}  // namespace espalier
