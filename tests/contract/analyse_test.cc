// Every way into a model does the same with a sentence (app/analyse.h): documents, sentences, pipes, streams, files,
// the command line and the server. What is given, pieces of long sentences, k-best lists, confidence and sentences that
// fail are told alike. python/tests/test_model.py compares Python with files.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "espalier/app/calibrate.h"
#include "espalier/app/files.h"
#include "espalier/app/stream.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "server/parse_api.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

using nlohmann::json;

const TemporaryFolder& folder() {
  static const TemporaryFolder folder;
  return folder;
}

/// A pipeline that knows how sure it is, in a file.
const std::string& pipeline_file() {
  static const std::string file = [] {
    const auto parser =
        train(settings({"recipe=pipeline", "tagger.recipe=tagger", "parser.recipe=beam", "parser.beam=4"}),
              {toy_treebank(60, 1), {}}, {})
            .parser;
    save_parser(*parser, json::object(), folder() / "m.esp");
    write_file(folder() / "dev.conllu", write_text(toy_treebank(60, 2), "conllu"));
    CalibrateModel calibration;
    calibration.model = folder() / "m.esp";
    calibration.dev = folder() / "dev.conllu";
    calibration.output = folder() / "sure.esp";
    calibrate_model(calibration);
    return calibration.output;
  }();
  return file;
}

/// A chain of words; fails on the word "stumble".
struct StumblingParser : Parser {
  AboutParser about() const override { return {.kind = "stumbling", .predicts = {"heads"}}; }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Workspace>(); }
  void parse(Sentence& sentence, const Constraints&, Workspace&) const override {
    for (int i = 1; i <= sentence.size(); ++i) {
      sentence.word(i).head = i - 1;
      if (sentence.word(i).form == "stumble") throw std::length_error("too much");
    }
  }
  json save(ModelWriter&, const std::string&) const override { return {}; }
};

json lines_of(const std::string& text) {
  json all = json::array();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
  return all;
}

json by_document(const Model& model, const std::string& conllu, const ParseOptions& options) {
  Document document;
  document.sentences = read_text(conllu, "conllu");
  model.parse(document, options);
  return lines_of(write_document(document, "json"));
}

json by_sentence(const Model& model, const std::string& conllu, const ParseOptions& options) {
  Document document;
  document.sentences = read_text(conllu, "conllu");
  if (options.kbest > 0)
    for (const Sentence& sentence : document.sentences)
      document.alternatives.push_back(model.kbest(sentence, options.kbest, options));
  model.parse_all(document.sentences, 2, options);
  return lines_of(write_document(document, "json"));
}

json by_pipe(const Model& model, const std::string& conllu, const ParseOptions& options) {
  DocumentPipe pipe(model, 2, options);
  for (const Sentence& sentence : read_text(conllu, "conllu")) {
    Document one;
    one.sentences = {sentence};
    pipe.put(std::move(one));
  }
  std::string all;
  while (!pipe.empty()) all += write_document(pipe.take(), "json");
  return lines_of(all);
}

json by_stream(const Model& model, const std::string& conllu, const ParseOptions& options) {
  std::istringstream input(conllu);
  std::ostringstream output;
  const auto reader = make_reader("conllu", input, {});
  const auto writer = make_writer("json", output);
  StreamOptions stream;
  stream.parse = options;
  stream.threads = 2;
  stream.batch = 1;
  parse_stream(model, *reader, *writer, stream);
  return lines_of(output.str());
}

json by_files(const Model& model, const std::string& conllu, const ParseOptions& options) {
  ParseFiles request;
  request.inputs = {folder() / "in.conllu"};
  request.output = folder() / "out.json";
  request.parse = options;
  write_file(request.inputs[0], conllu);
  parse_files(model, request);
  return lines_of(read_file(request.output));
}

json by_command(const Model&, const std::string& conllu, const ParseOptions& options) {
  write_file(folder() / "in.conllu", conllu);
  std::string command = fmt::format("{} parse -m {} -i {} -o {} 2> /dev/null", ESPALIER_BINARY, pipeline_file(),
                                    folder() / "in.conllu", folder() / "out.json");
  if (options.kbest > 0) command += fmt::format(" --kbest {}", options.kbest);
  if (options.confidence) command += " --confidence";
  if (options.keep) command += " --keep tags,heads";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return lines_of(read_file(folder() / "out.json"));
}

json by_server(const Model& model, const std::string& conllu, const ParseOptions& options) {
  json body = {{"conllu", conllu}, {"kbest", options.kbest}, {"confidence", options.confidence}};
  if (options.keep) body["keep"] = {"tags", "heads"};
  server::Request request;
  request.body = body.dump();
  request.headers = {{"Content-Type", "application/json"}};
  const server::ModelSet models({{"toy", "", model}});
  server::Metrics metrics;
  server::Response response = server::answer_parse(request, models, {}, metrics, {});
  while (response.more && response.more(response.body)) continue;
  return json::parse(response.body).at("sentences");
}

struct Way {
  const char* name;
  json (*parse)(const Model& model, const std::string& conllu, const ParseOptions& options);
};
const Way kInProcess[] = {{"sentence", by_sentence}, {"pipe", by_pipe},     {"stream", by_stream},
                          {"files", by_files},       {"server", by_server}, {"document", by_document}};

/// What all ways say.
json agreed(const Model& model, const std::string& conllu, const ParseOptions& options) {
  const json expected = by_document(model, conllu, options);
  for (const Way& way : kInProcess) EXPECT_EQ(way.parse(model, conllu, options), expected) << way.name;
  if (model.kind() == "pipeline") {
    EXPECT_EQ(by_command(model, conllu, options), expected) << "command line";
  }
  return expected;
}

std::string toy_sentences() {
  std::vector<Sentence> sentences = toy_treebank(3, 9);
  for (Sentence& sentence : sentences)
    for (Token& token : sentence.tokens) token.upos = token.xpos = token.deprel = "_", token.head = Token::kNoHead;
  return write_text(sentences, "conllu");
}

std::string words(const std::vector<std::string>& forms) {
  return write_text(std::vector{sentence_of(forms)}, "conllu");
}

bool has_comment(const json& sentence, const std::string& part) {
  return sentence.dump().find(part) != std::string::npos;
}

TEST(Analyse, PlainSentencesAndLists) {
  const Model model(pipeline_file());
  agreed(model, toy_sentences(), {});
  const json listed = agreed(model, toy_sentences(), {.kbest = 3});
  ASSERT_EQ(listed.size(), 3u);
  EXPECT_TRUE(has_comment(listed[0], "score")) << listed[0];
}

TEST(Analyse, WhatIsGiven) {
  const Model model(pipeline_file());
  const std::string given =
      "1\tdog\t_\tVERB\t_\t_\t0\t_\t_\t_\n2\tsees\t_\t_\t_\t_\t0\t_\t_\t_\n3\tthe\t_\t_\t_\t_\t1\t_\t_\t_\n\n";
  const json kept = agreed(model, given, {.keep = {.tags = true, .heads = true}});
  EXPECT_TRUE(has_comment(kept[0], "the given head of token 2 is not kept: a second root")) << kept[0];
  EXPECT_EQ(kept[0]["tokens"][0]["upos"], "VERB");
  EXPECT_EQ(kept[0]["tokens"][2]["head"], 1);
  agreed(model, given, {.kbest = 2, .keep = {.tags = true, .heads = true}});
  const Model chain(std::make_shared<const StumblingParser>());
  for (const Way& way : {kInProcess[0], kInProcess[3], kInProcess[5]})
    EXPECT_THROW(way.parse(chain, given, {.keep = {.tags = true}}), Error) << way.name << ": it predicts no tags";
}

TEST(Analyse, Confidence) {
  const json sure = agreed(Model(pipeline_file()), toy_sentences(), {.kbest = 2, .confidence = true});
  EXPECT_GT(sure[0]["confidence"].get<double>(), 0);
}

/// What was sure of another tree says nothing of this one; where heads are not predicted, the tree is still there.
TEST(Analyse, OldConfidenceGoesWithItsTree) {
  const Model model(pipeline_file());
  const std::string once =
      "# confidence = 0.900\n1\tthe\t_\tDET\t_\t_\t2\tdet\t_\tGloss=a|Confidence=0.950\n"
      "2\tdog\t_\tNOUN\t_\t_\t0\troot\t_\tConfidence=0.800\n\n";
  for (const ParseOptions& options : {ParseOptions{}, {.kbest = 2}, {.keep = {.heads = true}}}) {
    const json again = agreed(model, once, options);
    EXPECT_FALSE(again[0].contains("confidence")) << again[0];
    EXPECT_EQ(again[0]["tokens"][0]["misc"], json({{"Gloss", "a"}}));
    EXPECT_FALSE(again[0]["tokens"][1].contains("misc")) << again[0];
  }
}

TEST(Analyse, LongSentences) {
  std::vector<std::string> forms;
  for (int i = 0; i < 150; ++i)
    for (const char* form : {"the", "dog", "sees", "trees"}) forms.emplace_back(form);
  const Model model(pipeline_file());
  for (const int k : {0, 2}) {
    const json pieces = agreed(model, words(forms) + toy_sentences(), {.kbest = k, .confidence = true});
    ASSERT_EQ(pieces.size(), 4u);
    EXPECT_TRUE(has_comment(pieces[0], "split into pieces of at most 500 words"));
    EXPECT_FALSE(pieces[0].contains("confidence"));
    EXPECT_TRUE(pieces[1].contains("confidence"));
  }
}

TEST(Analyse, SentencesThatFail) {
  const Model model(std::make_shared<const StumblingParser>());
  const json failed = agreed(model, words({"we", "walk"}) + words({"we", "stumble"}) + words({"we", "stand"}), {});
  ASSERT_EQ(failed.size(), 3u);
  EXPECT_TRUE(has_comment(failed[1], "failed: too much")) << failed[1];
  EXPECT_EQ(failed[0]["tokens"][1]["head"], 1);
  EXPECT_EQ(failed[2]["tokens"][1]["head"], 1);
  EXPECT_FALSE(failed[1]["tokens"][1].contains("head")) << failed[1];
}

}  // namespace
}  // namespace espalier
