// The interface that programs use (espalier/app/), on models that are trained here.
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "espalier/app/calibrate.h"
#include "espalier/app/evaluate.h"
#include "espalier/app/files.h"
#include "espalier/app/model.h"
#include "espalier/app/stream.h"
#include "espalier/app/train.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

constexpr const char* kText = "the old dog sees a cat.\n\na boy sees the house in the tree.";

class Application : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    write_file(*folder_ / "train.conllu", write_text(toy_treebank(60, 1), "conllu"));
    write_file(*folder_ / "dev.conllu", write_text(toy_treebank(20, 2), "conllu"));
    TrainFiles request;
    request.recipe = "beam";
    request.settings = {"epochs=3", "language=en", "tags=input"};
    request.train = {*folder_ / "train.conllu"};
    request.dev = *folder_ / "dev.conllu";
    request.model = *folder_ / "m.esp";
    result_ = new nlohmann::json(train_files(request));
    model_ = new Model(request.model);
  }
  static void TearDownTestSuite() {
    delete model_;
    delete result_;
    delete folder_;
  }

  static inline TemporaryFolder* folder_;
  static inline nlohmann::json* result_;
  static inline Model* model_;
};

/// As the toy treebank tags them: the model reads tags from its input.
Sentence toy_sentence() {
  Sentence sentence = toy_treebank(1, 7)[0];
  for (Token& token : sentence.tokens) token.head = Token::kNoHead, token.deprel = "_";
  return sentence;
}

TEST_F(Application, TrainsFromFilesToAFile) {
  EXPECT_EQ((*result_)["model"], *folder_ / "m.esp");
  EXPECT_FALSE((*result_)["stopped"]);
  EXPECT_GT((*result_)["report"]["dev"]["las"].get<double>(), 90) << *result_;
  const nlohmann::json info = model_->info();
  EXPECT_EQ(info["bytes"], (*result_)["bytes"]);
  EXPECT_EQ(info["metadata"]["recipe"], "beam");
  EXPECT_EQ(info["metadata"]["training"][0]["sentences"], 60);
  EXPECT_EQ(describe_model(*folder_ / "m.esp"), info);
  EXPECT_EQ(model_->language(), "en");
  EXPECT_EQ(model_->predicts(), std::vector<std::string>{"heads"});
  EXPECT_TRUE(model_->has_kbest());
  EXPECT_FALSE(model_->can_tokenize());
}

TEST_F(Application, TrainingTellsWhatItDoes) {
  TrainFiles request;
  request.recipe = "greedy";
  request.settings = {"epochs=2"};
  request.train = {*folder_ / "train.conllu"};
  request.model = *folder_ / "told.esp";
  request.resume = true;  // there is nothing to go on from
  std::vector<std::string> messages;
  std::atomic<int> epochs = 0;
  request.message = [&](const std::string& message) { messages.push_back(message); };
  request.progress = [&](const Progress& progress) { epochs += progress.epoch_end; };
  train_files(request);
  EXPECT_EQ(epochs, 2);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("starting from the beginning"), std::string::npos);
}

TEST_F(Application, ATreebankCountsByItsWeight) {
  TrainFiles request;
  request.recipe = "greedy";
  request.settings = {"epochs=1"};
  request.model = *folder_ / "weighted.esp";
  size_t seen = 0;
  request.progress = [&](const Progress& progress) { seen = progress.total; };
  const auto sentences_with = [&](const std::vector<std::string>& weights) {
    request.train.clear();
    for (const std::string& weight : weights) request.train.push_back(*folder_ / "train.conllu" + weight);
    train_files(request);
    return seen;
  };
  EXPECT_EQ(sentences_with({""}), 60u);
  EXPECT_EQ(sentences_with({":0.5"}), 30u);
  EXPECT_EQ(sentences_with({":2", ":0.05"}), 123u);
  EXPECT_EQ(Model(request.model).info()["metadata"]["training"][1]["weight"], 0.05);
  for (const char* wrong : {":0", ":-1", ":1e9", ":0.001", ":x"}) EXPECT_THROW(sentences_with({wrong}), Error) << wrong;
}

TEST_F(Application, WrongRequestsAreUsageErrors) {
  TrainFiles request;
  request.recipe = "greedy";
  request.settings = {"no-such-key=1"};
  request.train = {*folder_ / "train.conllu"};
  request.model = *folder_ / "never.esp";
  const auto kind_of = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind{};
  };
  EXPECT_EQ(kind_of([&] { train_files(request); }), ErrorKind::kUsage);
  EXPECT_EQ(kind_of([&] { recipe_settings("no-such-recipe"); }), ErrorKind::kUsage);
  EXPECT_EQ(kind_of([&] { Model(*folder_ / "m.esp", {"no-such-key=1"}); }), ErrorKind::kUsage);
  EXPECT_EQ(kind_of([&] { Model(*folder_ / "missing.esp"); }), ErrorKind::kRun);
  EXPECT_EQ(kind_of([&] { Model::from_bytes("not a model", "memory"); }), ErrorKind::kData);
  EXPECT_EQ(kind_of([&] { model_->parse_text("\xff"); }), ErrorKind::kData);
  EXPECT_EQ(kind_of([&] { write_text({}, "no-such-format"); }), ErrorKind::kUsage);
}

TEST_F(Application, RecipesAndTheirSettings) {
  const nlohmann::json all = recipes();
  EXPECT_TRUE(std::ranges::any_of(all, [](const auto& recipe) { return recipe["name"] == "beam"; }));
  EXPECT_NE(recipe_source("beam").find("beam"), std::string::npos);
  const nlohmann::json settings = recipe_settings("beam", {"beam=7", "packed=true"});
  const auto value = [&](const std::string& key) {
    for (const auto& setting : settings)
      if (setting["key"] == key) return setting["value"].get<std::string>();
    return std::string("missing");
  };
  EXPECT_EQ(value("beam"), "7");
  EXPECT_EQ(value("packed"), "true");
  EXPECT_EQ(value("licence"), "");
}

TEST_F(Application, TextBecomesADocument) {
  const Document document = model_->parse_text(kText);
  ASSERT_EQ(document.sentences.size(), 2u);
  ASSERT_EQ(document.places.size(), 2u);
  for (size_t s = 0; s < 2; ++s) {
    const Sentence& sentence = document.sentences[s];
    EXPECT_EQ(tree_problem(sentence), "");
    for (int i = 1; i <= sentence.size(); ++i) {
      const TextSpan& place = document.places[s][static_cast<size_t>(i - 1)];
      EXPECT_EQ(document.text.substr(place.begin, place.end - place.begin), sentence.word(i).form);
    }
  }
}

TEST_F(Application, OneModelManyThreads) {
  const std::vector<Sentence> gold = toy_treebank(200, 3);
  std::vector<Sentence> one = gold, four = gold;
  model_->parse_all(one, 1);
  model_->parse_all(four, 4);
  EXPECT_EQ(write_text(one, "conllu"), write_text(four, "conllu"));
  EXPECT_GT(evaluate(gold, one).json()["las"].get<double>(), 90);

  const Model copy = Model::from_bytes(read_file(*folder_ / "m.esp"), "memory");
  std::vector<std::thread> crew;
  std::vector<Sentence> mine = gold;
  for (size_t t = 0; t < 3; ++t)
    crew.emplace_back([&, t] {
      for (size_t i = t; i < mine.size(); i += 3) copy.parse(mine[i]);
    });
  for (std::thread& thread : crew) thread.join();
  EXPECT_EQ(write_text(mine, "conllu"), write_text(one, "conllu"));
}

TEST_F(Application, Alternatives) {
  Sentence sentence = toy_sentence();
  const auto all = model_->kbest(sentence, 4, {.features = model_->has_features()});
  ASSERT_GE(all.size(), 2u);
  for (size_t i = 1; i < all.size(); ++i) {
    EXPECT_GE(all[i - 1].score, all[i].score);
    EXPECT_FALSE(all[i - 1].analysis == all[i].analysis);
  }
  EXPECT_EQ(all[0].features.empty(), !model_->has_features());
  model_->parse(sentence);
  Sentence best = toy_sentence();
  annotate(best, all[0].analysis);
  EXPECT_EQ(best.tokens, sentence.tokens);

  Document document;
  document.sentences = {toy_sentence()};
  ParseOptions options;
  options.kbest = 2;
  model_->parse(document, options);
  ASSERT_EQ(document.alternatives.size(), 1u);
  EXPECT_EQ(document.alternatives[0].size(), 2u);
  EXPECT_TRUE(document.places.empty());
  const auto json = nlohmann::json::parse(write_document(document, "json"));
  ASSERT_EQ(json["kbest"].size(), 2u);
  EXPECT_EQ(json["kbest"][0]["heads"][0], json["tokens"][0]["head"]);
  EXPECT_EQ(json["kbest"][1]["deprels"].size(), json["tokens"].size());
  EXPECT_NEAR(json["score"].get<double>(), all[0].score, 1e-4 * std::abs(all[0].score));
  EXPECT_NE(write_document(document, "conllu").find("# kbest = 2\n"), std::string::npos);
}

TEST_F(Application, SaysHowSureItIs) {
  ParseOptions options;
  options.confidence = true;
  EXPECT_FALSE(model_->has_confidence());
  EXPECT_THROW(model_->parse_text(kText, options), Error);

  CalibrateModel calibration;
  calibration.model = *folder_ / "m.esp";
  calibration.dev = *folder_ / "dev.conllu";
  calibration.output = *folder_ / "sure.esp";
  calibrate_model(calibration);
  const Model sure(calibration.output);
  ASSERT_TRUE(sure.has_confidence());
  EXPECT_EQ(describe_model(calibration.output)["metadata"]["model"],
            describe_model(calibration.model)["metadata"]["model"]);

  calibration.output = *folder_ / "wide.esp";
  calibration.settings = {"beam=3"};
  calibrate_model(calibration);
  EXPECT_EQ(describe_model(calibration.output)["metadata"]["model"]["beam"], 3);
  options.kbest = 2;
  Document document;
  document.sentences = {toy_sentence()};
  sure.parse(document, options);
  const auto json = nlohmann::json::parse(write_document(document, "json"));
  EXPECT_GT(json["confidence"].get<double>(), 0);
  for (const auto& token : json["tokens"]) EXPECT_GT(token["confidence"].get<double>(), 0);
  // Other trees of the list are not given what the best one is.
  const std::string copies = write_document(document, "conllu");
  const size_t second = copies.find("# kbest = 2");
  EXPECT_LT(copies.find("# confidence = "), copies.find("# kbest = 1"));
  EXPECT_LT(copies.rfind("Confidence="), second);
  EXPECT_EQ(copies.rfind("# confidence = "), copies.find("# confidence = "));

  // A stream says the same.
  Document alone;
  alone.sentences = {toy_sentence()};
  options.kbest = 0;
  sure.parse(alone, options);
  write_file(*folder_ / "sure-in.conllu", write_text(std::vector{toy_sentence()}, "conllu"));
  ParseFiles files;
  files.inputs = {*folder_ / "sure-in.conllu"};
  files.output = *folder_ / "sure-out.conllu";
  files.parse.confidence = true;
  parse_files(sure, files);
  EXPECT_EQ(read_file(files.output), write_text(alone.sentences, "conllu"));
  EXPECT_THROW(parse_files(*model_, files), Error);
}

TEST_F(Application, StopsInTime) {
  ParseOptions options;
  options.stop = Stop::after(std::chrono::seconds(0));
  EXPECT_THROW(model_->parse_text(kText, options), Stopped);
  std::atomic<bool> flag = true;
  Stop stop;
  stop.flag = &flag;
  Sentence sentence = toy_sentence();
  EXPECT_THROW(model_->parse(sentence, {.stop = stop}), Stopped);
  flag = false;
  EXPECT_NO_THROW(model_->parse(sentence, {.stop = stop}));
}

TEST_F(Application, BadSentencesAreToldAndLeftOut) {
  write_file(*folder_ / "bad.conllu", "1\ta\tb\n\n1\ttrees\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
  std::vector<std::string> messages;
  const std::vector<std::string> files = {*folder_ / "bad.conllu"};
  const auto read = read_sentences(files, "", [&](const std::string& message) { messages.push_back(message); });
  EXPECT_EQ(read.sentences.size(), 1u);
  EXPECT_EQ(read.skipped, 1u);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("bad.conllu:1"), std::string::npos) << messages[0];

  size_t problems = 0;
  const CheckedFile checked = check_file(files[0], "", [&](const Problem&) { ++problems; });
  EXPECT_EQ(checked.problems, problems);
  EXPECT_GE(problems, 1u);
  EXPECT_TRUE(checked.readable);
  EXPECT_FALSE(check_file(*folder_ / "missing.conllu", "", {}).readable);
}

TEST_F(Application, SeveralInputsOneOutputOrOneEach) {
  write_file(*folder_ / "a.conllu", write_text(std::vector{toy_sentence()}, "conllu"));
  write_file(*folder_ / "b.conllu", write_text(std::vector{toy_sentence(), toy_sentence()}, "conllu"));
  ParseFiles request;
  request.inputs = {*folder_ / "a.conllu", *folder_ / "b.conllu"};
  request.output = *folder_ / "both.conllu";
  EXPECT_EQ(parse_files(*model_, request).sentences, 3u);
  const auto both = read_treebank(request.output);
  ASSERT_EQ(both.size(), 3u);
  EXPECT_EQ(both[0].comments, std::vector<std::string>{"# newdoc id = a"});
  EXPECT_EQ(both[1].comments, std::vector<std::string>{"# newdoc id = b"});
  EXPECT_TRUE(both[2].comments.empty());

  request.output = *folder_ / "{stem}.parsed.conllu";
  parse_files(*model_, request);
  EXPECT_EQ(read_treebank(*folder_ / "a.parsed.conllu").size(), 1u);
  EXPECT_EQ(read_treebank(*folder_ / "b.parsed.conllu").size(), 2u);
  EXPECT_TRUE(read_treebank(*folder_ / "b.parsed.conllu")[1].has_heads());

  request.inputs = {*folder_ / "a.conllu", *folder_ / "a.conllu"};
  EXPECT_THROW(parse_files(*model_, request), Error);
}

TEST_F(Application, EvaluatesAndCompares) {
  const std::string gold = *folder_ / "dev.conllu", same = *folder_ / "same.conllu", worse = *folder_ / "worse.conllu";
  std::vector<Sentence> sentences = toy_treebank(20, 2);
  write_file(same, write_text(sentences, "conllu"));
  for (Sentence& sentence : sentences) sentence.word(1).deprel = "dep";
  write_file(worse, write_text(sentences, "conllu"));
  EXPECT_EQ(evaluate_files(gold, same).json()["las"], 100.0);
  const Evaluation evaluation = evaluate_files(gold, worse);
  EXPECT_LT(evaluation.json()["las"].get<double>(), 100);
  EXPECT_EQ(evaluation.json()["uas"], 100.0);
  EXPECT_NE(evaluation.table(false).find("LAS"), std::string::npos) << evaluation.table(false);
  CompareOptions options;
  options.trials = options.resamples = 100;
  const auto compared = compare_files(gold, same, worse, options);
  EXPECT_EQ(compared["a"], 100.0);
  EXPECT_GT(compared["difference"].get<double>(), 0);
}

TEST_F(Application, TellsWhatItsListsHold) {
  const std::string gold = *folder_ / "analyzed.conllu";
  write_file(gold, read_file(*folder_ / "dev.conllu") + "1\tbroken\n\n");
  AnalyzeOptions options;
  options.kbest = 4, options.threads = 2;
  const ListReport report = analyze_file(*model_, gold, options);
  const nlohmann::json figures = report.json();
  EXPECT_EQ(report.skipped(), 1u);
  EXPECT_EQ(figures["sentences"], 20);
  EXPECT_GT(figures["trees_per_list"].get<double>(), 1);
  EXPECT_LE(figures["trees_per_list"].get<double>(), 4);
  EXPECT_GE(figures["oracle_las"], figures["las"]);
  EXPECT_EQ(figures["by_size"]["4"]["oracle_las"], figures["oracle_las"]);
  EXPECT_EQ(figures["by_size"]["1"]["oracle_las"], figures["by_size"]["1"]["las"])
      << "of one tree the first is the best";
  EXPECT_NE(report.table().find("gold_in_list"), std::string::npos);
  EXPECT_NE(report.svg().find("</svg>"), std::string::npos);
  write_file(gold, "");
  EXPECT_THROW(analyze_file(*model_, gold), Error);
}

TEST_F(Application, ConvertsAndDraws) {
  ConvertFile request;
  request.input = *folder_ / "dev.conllu";
  request.output = *folder_ / "dev.json";
  EXPECT_EQ(convert_file(request), 20u);
  EXPECT_EQ(write_text(read_treebank(request.output), "conllu"), read_file(request.input));
  request.output = *folder_ / "two.svg";
  request.first = 3;
  request.count = 2;
  EXPECT_EQ(convert_file(request), 2u);
  EXPECT_NE(read_file(request.output).find("<svg"), std::string::npos);
  const std::vector<Sentence> sentences = toy_treebank(1, 1);
  EXPECT_NE(write_text(sentences, "text-tree").find("sees"), std::string::npos);
  EXPECT_EQ(read_text(write_text(sentences, "conllu"), "conllu")[0].tokens, sentences[0].tokens);
}

}  // namespace
}  // namespace espalier
