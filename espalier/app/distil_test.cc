#include "espalier/app/distil.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "espalier/app/calibrate.h"
#include "espalier/app/panel.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/tree/misc.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

std::vector<std::string> forms(const Sentence& sentence) {
  std::vector<std::string> all;
  for (const Token& token : sentence.tokens) all.push_back(token.form);
  return all;
}

std::vector<Sentence> words_only(std::vector<Sentence> sentences) {
  for (Sentence& sentence : sentences) sentence = sentence_of(forms(sentence));
  return sentences;
}

/// The message of the Error that an action throws, behind its kind: "2: ...".
template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.kind())) + ": " + error.what();
  }
  return "none";
}

/// A teacher of the toy language, and texts of it.
class Distil : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const std::vector<Sentence> dev = toy_treebank(20, 2);
    write_file(toy_treebank(60, 1), file("gold.conllu"));
    write_file(dev, file("dev.conllu"));
    std::vector<Sentence> text = words_only(toy_treebank(150, 3));
    for (Sentence shouted : words_only(dev)) {
      shouted.tokens[0].form[0] = static_cast<char>(std::toupper(shouted.tokens[0].form[0]));
      shouted.tokens.back().form = "!";
      text.push_back(shouted);
    }
    write_file(text, file("a.conllu.gz"));
    write_file(words_only(toy_treebank(50, 4)), file("b.conllu"));
    for (const char* seed : {"1", "2"}) {
      TrainFiles training = student(file(std::string("teacher") + seed + ".esp"));
      training.recipe = "pipeline";
      training.settings = {"tagger.epochs=2", "parser.epochs=2", "parser.tags=input",
                           std::string("parser.runs=") + seed};
      train_files(training);
    }
    CalibrateModel calibration;
    calibration.model = file("teacher2.esp");
    calibration.dev = file("dev.conllu");
    calibration.output = file("calibrated.esp");
    calibrate_model(calibration);
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::string file(const std::string& name) { return *folder_ / name; }
  static DistilFiles student(const std::string& model) {
    DistilFiles request;
    request.recipe = "greedy";
    request.settings = {"epochs=2"};
    request.train = {file("gold.conllu")};
    request.dev = file("dev.conllu");
    request.model = model;
    return request;
  }
  static DistilFiles taught(const std::string& model) {
    DistilFiles request = student(model);
    request.teachers = {file("teacher1.esp")};
    request.texts = {file("a.conllu.gz"), file("b.conllu")};
    return request;
  }
  static std::vector<Sentence> silver_of(const DistilFiles& request) {
    return read_treebank(request.model + ".silver.conllu.gz");
  }
  /// Silver of somebody else's: sentence i has the confidence i * 0.01, and its words have 0.1, 0.2, ...
  static std::string rated_silver() {
    std::vector<Sentence> sentences = toy_treebank(40, 9);
    for (size_t i = 0; i < sentences.size(); ++i) {
      sentences[i].comments.push_back("# conf = " + std::to_string(0.01 * static_cast<double>(i)));
      double sure = 0;
      for (Token& word : sentences[i].tokens) set_misc(word.misc, "Conf", std::to_string(sure += 0.1));
    }
    write_file(sentences, file("rated.conllu"));
    return file("rated.conllu");
  }

  static inline TemporaryFolder* folder_;
};

TEST_F(Distil, TheStudentLearnsFromTheTeachersTrees) {
  DistilFiles request = taught(file("student.esp"));
  request.min_words = 4;
  request.max_words = 8;
  const nlohmann::json result = distil_files(request);
  EXPECT_GT(result["report"]["dev"]["las"].get<double>(), 90) << result;

  std::set<std::vector<std::string>> of_dev;
  for (Sentence& sentence : read_treebank(request.dev)) {
    sentence.tokens.pop_back();  // the full stop
    of_dev.insert(forms(sentence));
  }
  const auto is_of_dev = [&](const Sentence& sentence) {
    auto words = forms(sentence);
    words.pop_back();
    words[0][0] = static_cast<char>(std::tolower(words[0][0]));
    return of_dev.contains(words);
  };
  const Model teacher(request.teachers[0]);
  std::vector<std::vector<Token>> expected;
  size_t held_out = 0, length = 0;
  for (const std::string& text : request.texts) {
    for (Sentence& sentence : read_treebank(text)) {
      const bool fits = sentence.size() >= 4 && sentence.size() <= 8;
      length += !fits;
      held_out += fits && is_of_dev(sentence);
      if (!fits || is_of_dev(sentence)) continue;
      teacher.parse(sentence);
      expected.push_back(sentence.tokens);
    }
  }
  EXPECT_GT(held_out, 5u);
  EXPECT_EQ(result["silver"]["left_out"]["held_out"], held_out);
  EXPECT_EQ(result["silver"]["left_out"]["length"], length);
  std::vector<std::vector<Token>> silver;
  for (const Sentence& sentence : silver_of(request)) silver.push_back(sentence.tokens);
  EXPECT_EQ(silver, expected);
  EXPECT_EQ(Model(request.model).info()["metadata"]["training"][1]["sentences"], expected.size());
}

TEST_F(Distil, OneThreadOrFour) {
  std::set<std::string> silver, models;
  for (const int threads : {1, 2, 4}) {
    DistilFiles request = taught(file("threads.esp"));
    request.threads = threads;
    request.teachers = {file("teacher1.esp"), file("calibrated.esp")};
    request.recipe = "pipeline";
    request.settings = {"parser.recipe=greedy", "parser.epochs=1", "tagger.epochs=1"};
    distil_files(request);
    silver.insert(read_file(request.model + ".silver.conllu.gz"));
    models.insert(read_file(request.model));
    EXPECT_EQ(Model(request.model).info()["metadata"]["settings"]["parser.tags"], "jackknife:2");
  }
  EXPECT_EQ(silver.size(), 1u);
  EXPECT_EQ(models.size(), 1u);
}

TEST_F(Distil, AfterAnInterruptionWhatThereIsIsKept) {
  DistilFiles request = taught(file("whole.esp"));
  distil_files(request);
  const std::string whole = read_file(request.model + ".silver.conllu.gz"), model = read_file(request.model);

  std::map<std::string, int> annotated;
  std::atomic<bool> stop = false;
  std::filesystem::create_directory(file("resumed"));
  request = taught(file("resumed/whole.esp"));  // models name the files that they have learned from
  request.stop = &stop;
  request.progress = [&](const Progress& progress) {
    if (progress.phase != "annotate" || !progress.epoch_end) return;
    ++annotated[progress.values["text"]];
    stop = true;
  };
  EXPECT_EQ(error_of([&] { distil_files(request); }), "1: stopped before silver was complete; --resume continues");
  EXPECT_FALSE(std::filesystem::exists(request.model + ".silver.conllu.gz"));
  stop = false;
  request.stop = nullptr;
  request.resume = true;
  distil_files(request);
  EXPECT_EQ(annotated, (std::map<std::string, int>{{request.texts[0], 1}, {request.texts[1], 1}}));
  EXPECT_TRUE(read_file(request.model + ".silver.conllu.gz") == whole);
  EXPECT_TRUE(read_file(request.model) == model);
  EXPECT_FALSE(std::filesystem::exists(request.model + ".silver.parts"));

  distil_files(request);
  EXPECT_EQ(annotated.size(), 2u);
  EXPECT_EQ(annotated[request.texts[0]], 1);
  DistilFiles other = request;
  other.texts.pop_back();
  other.doubt = 0.5;
  const std::string refused = error_of([&] { distil_files(other); });
  EXPECT_TRUE(refused.starts_with("3: ")) << refused;
  EXPECT_NE(refused.find("another doubt, another text"), std::string::npos) << refused;
  other = request;
  other.resume = false;
  distil_files(other);
  EXPECT_EQ(annotated[request.texts[0]], 2);
}

TEST_F(Distil, TheSurestTreesAndArcs) {
  DistilFiles request = student(file("sure.esp"));
  request.silver = {rated_silver()};
  request.dev = "";
  request.confident = 0.25;
  distil_files(request);
  const std::vector<Sentence> rated = read_treebank(request.silver[0]);
  std::vector<Sentence> surest = silver_of(request);
  ASSERT_EQ(surest.size(), 10u);
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(surest[i].tokens, rated[30 + i].tokens);

  request.confident = 1;
  request.doubt = 0.35;
  const nlohmann::json silver = distil_files(request)["silver"];
  EXPECT_EQ(silver["sentences"], 40);
  EXPECT_EQ(silver["arcs"].get<int>(), silver["words"].get<int>() - 3 * 40);
  for (const Sentence& sentence : silver_of(request))
    for (int i = 1; i <= sentence.size(); ++i) {
      EXPECT_EQ(sentence.word(i).head == Token::kNoHead, i <= 3);
      EXPECT_EQ(sentence.word(i).deprel == "_", i <= 3);
    }

  request.silver = {file("gold.conllu")};
  EXPECT_NE(error_of([&] { distil_files(request); }).find("gold.conllu:1: --doubt needs"), std::string::npos);
  request.doubt = 0;
  request.confident = 0.5;
  EXPECT_NE(error_of([&] { distil_files(request); }).find("gold.conllu:1: --confident needs"), std::string::npos);
}

TEST_F(Distil, EqualConfidenceTakesTheFirst) {
  std::vector<Sentence> sentences = toy_treebank(10, 5);
  for (Sentence& sentence : sentences) sentence.comments = {"# confidence = 0.5"};
  write_file(sentences, file("equal.conllu"));
  DistilFiles request = student(file("equal.esp"));
  request.silver = {file("equal.conllu")};
  request.dev = "";
  request.confident = 0.3;
  distil_files(request);
  const std::vector<Sentence> taken = silver_of(request);
  ASSERT_EQ(taken.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(taken[i].tokens, sentences[i].tokens);
}

TEST_F(Distil, ACalibratedTeacherSaysHowSureItIs) {
  DistilFiles request = taught(file("calibrated_student.esp"));
  request.teachers = {file("calibrated.esp")};
  request.confident = 0.5;
  const nlohmann::json silver = distil_files(request)["silver"];
  EXPECT_GT(silver["left_out"]["unsure"], 10);
  for (const Sentence& sentence : silver_of(request)) EXPECT_TRUE(comment_value(sentence, "confidence"));
  request.teachers = {file("teacher1.esp")};
  const std::string refused = error_of([&] { distil_files(request); });
  EXPECT_TRUE(refused.starts_with("2: ")) << refused;
  EXPECT_NE(refused.find("espalier calibrate"), std::string::npos) << refused;
}

TEST_F(Distil, SeveralTeachersVote) {
  // One that calls every object something else is outvoted.
  std::vector<Sentence> other = toy_treebank(60, 1);
  for (Sentence& sentence : other)
    for (Token& word : sentence.tokens)
      if (word.deprel == "obj") word.deprel = "iobj";
  write_file(other, file("other.conllu"));
  TrainFiles training = student(file("other.esp"));
  training.train = {file("other.conllu")};
  training.dev = "";
  training.recipe = "pipeline";
  training.settings = {"tagger.epochs=2", "parser.epochs=2", "parser.tags=input"};
  train_files(training);

  const Model teacher(file("teacher1.esp"));
  const Model panel = panel_of({file("teacher1.esp"), file("other.esp"), file("teacher2.esp")});
  size_t objects = 0;
  for (Sentence sentence : words_only(toy_treebank(30, 6))) {
    Sentence alone = sentence;
    teacher.parse(alone);
    panel.parse(sentence);
    ASSERT_EQ(sentence.size(), alone.size());
    double sum = 0;
    for (int i = 1; i <= sentence.size(); ++i) {
      EXPECT_EQ(sentence.word(i).head, alone.word(i).head);
      EXPECT_EQ(sentence.word(i).deprel, alone.word(i).deprel);
      const bool object = sentence.word(i).deprel == "obj";
      objects += object;
      sum += object ? 2 / 3. : 1;
      EXPECT_EQ(misc_value(sentence.word(i).misc, "Confidence"), object ? "0.667" : "1.000");
    }
    EXPECT_EQ(comment_value(sentence, "confidence"), fmt::format("{:.3f}", sum / sentence.size()));
  }
  EXPECT_GT(objects, 20u);
}

TEST_F(Distil, WrongRequestsAreToldAtOnce) {
  const auto error_with = [&](const auto& change) {
    DistilFiles request = taught(file("never.esp"));
    request.progress = [](const Progress&) { ADD_FAILURE() << "it has begun"; };
    change(request);
    return error_of([&] { distil_files(request); });
  };
  const auto expect = [](const std::string& message, const std::string& kind, const std::string& part) {
    EXPECT_TRUE(message.starts_with(kind + ": ")) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(error_with([](auto& r) { r.teachers.clear(); }), "2", "--silver");
  expect(error_with([](auto& r) { r.silver = r.train; }), "2", "--silver");
  expect(error_with([](auto& r) { r.texts.clear(); }), "2", "--text");
  expect(error_with([](auto& r) { r.texts = {"-"}; }), "2", "standard input");
  expect(error_with([](auto& r) { r.min_words = 61; }), "2", "61");
  expect(error_with([](auto& r) { r.confident = 0; }), "2", "--confident 0");
  expect(error_with([](auto& r) { r.doubt = 1.5; }), "2", "--doubt 1.5");
  expect(error_with([](auto& r) { r.recipe = "greedyy"; }), "2", "greedyy");
  expect(error_with([](auto& r) { r.settings = {"no_such_key=1"}; }), "2", "no_such_key");
  expect(error_with([](auto& r) { r.train = {"missing.conllu:2"}; }), "1", "missing.conllu");
  expect(error_with([](auto& r) { r.dev = "missing.conllu"; }), "1", "missing.conllu");
  expect(error_with([](auto& r) { r.texts = {"missing.txt"}; }), "1", "missing.txt");
  expect(error_with([](auto& r) { r.teachers = {"missing.esp"}; }), "1", "missing.esp");
  expect(error_with([](auto& r) { r.teachers = {r.train[0]}; }), "3", "gold.conllu");
  expect(error_with([](auto& r) { r.min_words = 60, r.progress = {}; }), "3", "no sentence is left");
}

}  // namespace
}  // namespace espalier
