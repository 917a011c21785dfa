// The program as its users meet it: exit codes, messages, hostile files. Drives the built binary.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "espalier/base/file.h"
#include "espalier/parser/model_file.h"
#include "tests/temporary_folder.h"

using namespace std::string_view_literals;

namespace espalier {
namespace {

struct Result {
  int code;
  std::string out, err;
};

class CommandLine : public ::testing::Test {
 protected:
  /// Runs `espalier ARGUMENTS` in the shell, in a folder of its own.
  Result run(const std::string& arguments) {
    const std::string command = "cd " + folder_.path() + "; " ESPALIER_BINARY " " + arguments;
    const int status = std::system(("( " + command + " ) >" + folder_ / "out" + " 2>" + folder_ / "err").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder_ / "out"), read_file(folder_ / "err")};
  }
  void write(const std::string& name, std::string_view text) { write_file(folder_ / name, text); }

  /// Expects failure with `code` and a single message that contains all of `parts`.
  void expect_failure(const std::string& arguments, int code, const std::vector<std::string>& parts) {
    const Result result = run(arguments);
    EXPECT_EQ(result.code, code) << arguments << "\n" << result.err;
    for (const std::string& part : parts) {
      EXPECT_NE(result.err.find(part), std::string::npos) << arguments << "\n" << result.err;
    }
    EXPECT_EQ(result.err.find("terminate called"), std::string::npos) << result.err;
  }

  TemporaryFolder folder_;
};

constexpr std::string_view kTreebank =
    "1\ttrees\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tgrow\t_\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";

std::string model_bytes() {
  ModelWriter writer;
  writer.metadata = {{"recipe", "none"}, {"model", {{"kind", "no-such-kind"}}}};
  writer.add("words", "the\nof\n");
  return writer.to_bytes();
}

TEST_F(CommandLine, HelpTeaches) {
  for (const std::string command : {"train", "distil", "parse", "info", "recipes", "bench"}) {
    const Result result = run(command + " --help");
    EXPECT_EQ(result.code, 0);
    EXPECT_NE(result.out.find("Example"), std::string::npos) << command;
  }
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_EQ(run("--version").out.rfind("espalier ", 0), 0u);
}

TEST_F(CommandLine, WrongCommandLinesExitWithTwo) {
  write("t.conllu", kTreebank);
  expect_failure("", 2, {"--help"});
  expect_failure("serve --model x --port 99999", 2, {"--port: 99999 is no whole number from 0 to 65535"});
  expect_failure("serve --model x --queue 0", 2, {"--queue: 0 is no whole number from 1 on"});
  expect_failure("serve --model x --threads many", 2, {"--threads: many is no whole number from 0 on"});
  expect_failure("prase", 2, {"prase", "did you mean 'parse'"});
  expect_failure("parse --modle m.esp", 2, {"--modle", "did you mean '--model'"});
  expect_failure("info", 2, {"--model"});
  expect_failure("info --model m.esp --josn", 2, {"--josn"});
  expect_failure("parse -m m.esp --threads=-1", 2, {"--threads"});
  expect_failure("train --recipe pipelime --train t.conllu --model m.esp", 2, {"pipelime", "did you mean 'pipeline'"});
  expect_failure("train --recipe pipeline --train t.conllu --model m.esp --set beam", 2, {"key=value"});
  expect_failure("train --recipe pipeline --train t.unknown --model m.esp", 2, {"t.unknown", "--from"});
  expect_failure("distil --train t.conllu --model m.esp", 2, {"--teacher", "--silver"});
  expect_failure("distil --silver t.conllu --train t.conllu --model m.esp --max-words 501", 2, {"--max-words: 501"});
  expect_failure("recipes nonesuch", 2, {"nonesuch", "pipeline"});
  write("bad.toml", "beam = \n");
  expect_failure("train --recipe bad.toml --train t.conllu --model m.esp", 2, {"bad.toml:1"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m.esp"));
}

TEST_F(CommandLine, FilesThatCannotBeReadOrWrittenExitWithOne) {
  write("t.conllu", kTreebank);
  expect_failure("info --model missing.esp", 1, {"missing.esp", "No such file"});
  expect_failure("info --model .", 1, {"directory"});
  expect_failure("train --recipe missing.toml --train t.conllu --model m.esp", 1, {"missing.toml"});
  expect_failure("train --recipe pipeline --train missing.conllu --model m.esp", 1, {"missing.conllu"});
  expect_failure("train --recipe pipeline --train . --from conllu --model m.esp", 1, {"directory"});
  expect_failure("train --recipe pipeline --train t.conllu --model no/such/m.esp", 1, {"no/such/m.esp"});
  expect_failure("train --recipe pipeline --train t.conllu --model .", 1, {"directory"});
  expect_failure("train --recipe pipeline --train t.conllu --model m.esp --log no/such/log", 1, {"no/such/log"});
}

TEST_F(CommandLine, DamagedModelsExitWithThree) {
  const std::string whole = model_bytes();
  write("whole.esp", whole);
  EXPECT_EQ(run("info -m whole.esp").code, 0);
  expect_failure("parse -m whole.esp", 3, {"whole.esp", "no-such-kind"});
  write("cut.esp", whole.substr(0, whole.size() - 3));
  std::string flipped = whole;
  flipped[flipped.size() - 2] ^= 4;
  write("flipped.esp", flipped);
  write("foreign.esp", "\x7f\x45LF and so on, long enough to be anything at all");
  write("empty.esp", "");
  for (const std::string command : {"info", "parse", "bench -i x.conllu"}) {
    for (const std::string model : {"cut.esp", "flipped.esp", "foreign.esp", "empty.esp"}) {
      expect_failure(command + " -m " + model, 3, {model});
    }
  }
}

TEST_F(CommandLine, UselessTrainingDataExitsWithThree) {
  write("empty.conllu", "");
  expect_failure("train --recipe pipeline --train empty.conllu --model m.esp", 3, {"empty.conllu", "no sentence"});
  write("cycle.conllu", "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n");
  expect_failure("train --recipe pipeline --train cycle.conllu --model m.esp", 3, {"cycle.conllu:1: token", "skipped"});
}

/// A little treebank of its own: determiner, noun, verb, in three lengths.
std::string little_treebank() {
  std::string text;
  const std::vector<std::string> nouns = {"tree", "frame", "garden", "wall"}, verbs = {"grows", "stands", "leans"};
  for (size_t i = 0; i < 24; ++i) {
    text += "1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n2\t" + nouns[i % 4] + "\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n3\t" +
            verbs[i % 3] + "\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n";
    if (i % 2) text += "4\tslowly\t_\tADV\tRB\t_\t3\tadvmod\t_\t_\n";
    text += "\n";
  }
  return text;
}

const std::string kTrain = "train --recipe greedy --train t.conllu --set epochs=2 --quiet";

TEST_F(CommandLine, TrainedModelsParse) {
  write("t.conllu", little_treebank());
  const Result trained = run(kTrain + " --dev t.conllu --model m.esp --log log.jsonl --licence 'our own'");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_NE(trained.out.find("LAS"), std::string::npos) << trained.out;
  EXPECT_TRUE(trained.err.starts_with("train and dev are the same (t.conllu)")) << trained.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m.esp.checkpoint"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m.esp.checkpoint.parts"));
  EXPECT_NE(read_file(folder_ / "log.jsonl").find("\"epoch\":2"), std::string::npos);

  const auto about = nlohmann::json::parse(run("info -m m.esp --json").out)["metadata"];
  EXPECT_EQ(about["recipe"], "greedy");
  EXPECT_EQ(about["licence"], "our own");
  EXPECT_EQ(about["settings"]["epochs"], "2");
  EXPECT_EQ(about["training"][0]["file"], "t.conllu");
  EXPECT_EQ(about["training"][0]["sentences"], 24);
  EXPECT_EQ(about["training"][0]["tokens"], 84);

  // It has learned the little language, and the output is the input with the analyses filled in.
  EXPECT_EQ(run("parse -m m.esp -i t.conllu").out, little_treebank());
  EXPECT_EQ(run("parse -m m.esp --threads 3 < t.conllu").out, little_treebank());
  EXPECT_EQ(run("parse -m m.esp -i t.conllu -o p.conllu").code, 0);
  EXPECT_EQ(read_file(folder_ / "p.conllu"), little_treebank());

  const std::string kbest = run("parse -m m.esp -i t.conllu --kbest 2").out;
  EXPECT_NE(kbest.find("# kbest = 2\n# score = "), std::string::npos);

  const auto speed = nlohmann::json::parse(run("bench -m m.esp -i t.conllu --json").out);
  for (const std::string key :
       {"tokens_per_second", "sentences_per_second", "load_ms", "load_cpu_ms", "peak_rss_mb", "threads"}) {
    EXPECT_GT(speed.value(key, 0.0), 0) << key;
  }

  expect_failure("parse -m m.esp -i missing.conllu", 1, {"missing.conllu"});
  expect_failure("parse -m m.esp -i .", 1, {"directory"});
  expect_failure("parse -m m.esp -i t.conllu -o no/such/folder", 1, {"no/such/folder"});
  expect_failure("parse -m m.esp -i t.conllu -o /dev/full", 1, {"cannot write"});
  expect_failure("parse -m m.esp -i t.conllu --to nonesuch", 2, {"nonesuch", "conllu"});
  expect_failure("parse -m m.esp -i t.conllu --set baem=3", 2, {"baem", "did you mean 'beam'"});
  expect_failure("parse -m m.esp --set beam=3 baem=3 t.conllu", 2, {"baem", "did you mean 'beam'"});
  expect_failure("parse -m m.esp -s beam=3 beam=2 baem=3", 2, {"baem", "did you mean 'beam'"});
  expect_failure("parse -m m.esp --set beam=3 ./baem=3", 1, {"./baem=3"});
}

TEST_F(CommandLine, BadSentencesAreSkippedInAStream) {
  write("t.conllu", little_treebank());
  ASSERT_EQ(run(kTrain + " --model m.esp").code, 0);
  write("mixed.conllu", "1\tonly three\tcolumns\n\n" + std::string(kTreebank) + "1\tx\t_\t_\t_\t_\t9\t_\t_\t_\n\n");
  const Result result = run("parse -m m.esp -i mixed.conllu");
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("mixed.conllu:1: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("mixed.conllu:6: "), std::string::npos) << result.err;
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 3) << result.out;

  // In training they are reported, and the rest is learned from.
  const std::string cycle = "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n";
  const std::string two_roots = "1\ta\t_\t_\t_\t_\t0\tx\t_\t_\n2\tb\t_\t_\t_\t_\t0\tx\t_\t_\n\n";
  write("train.conllu", little_treebank() + cycle + two_roots);
  Result trained = run("train --recipe greedy --train train.conllu --set epochs=1 --quiet --model n.esp");
  EXPECT_EQ(trained.code, 0);
  EXPECT_NE(trained.err.find("token 1: no word has HEAD 0 (sentence skipped)"), std::string::npos) << trained.err;
  // Two roots are too many only for a parser that makes single-rooted trees.
  EXPECT_EQ(trained.err.find("left out"), std::string::npos) << trained.err;
  trained = run("train --recipe greedy --train train.conllu --set epochs=1 root=single --quiet --model n.esp");
  EXPECT_EQ(trained.code, 0);
  EXPECT_NE(trained.err.find("1 training sentences are left out"), std::string::npos) << trained.err;
}

TEST_F(CommandLine, ModelsDoNotDependOnThreads) {
  write("t.conllu", little_treebank());
  ASSERT_EQ(run(kTrain + " --dev t.conllu --model a.esp --threads 1").code, 0);
  ASSERT_EQ(run(kTrain + " --dev t.conllu --model b.esp --threads 2").code, 0);
  EXPECT_EQ(read_file(folder_ / "a.esp"), read_file(folder_ / "b.esp"));
}

TEST_F(CommandLine, FullDiskLeavesTheOldModel) {
  write("t.conllu", little_treebank());
  expect_failure(kTrain + " --model /dev/full", 1, {"/dev/full", "No space left"});
  write("m.esp", "the old model");
  const std::string limited = "( ulimit -f 8; " ESPALIER_BINARY " " + kTrain + " --model m.esp )";
  expect_failure("--version >/dev/null; " + limited, 1, {"m.esp", "File too large"});
  EXPECT_EQ(read_file(folder_ / "m.esp"), "the old model");
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"err", "m.esp", "out", "t.conllu"}));
}

TEST_F(CommandLine, InterruptSavesTheBestModelSoFar) {
  write("t.conllu", little_treebank());
  const std::string endless = "train --recipe greedy --train t.conllu --set epochs=1000 --quiet --log l --model m.esp";
  const Result result =
      run(endless +
          " & pid=$!; for i in $(seq 1000); do grep -q '\"epoch_end\":true' l 2>/dev/null && break; sleep 0.05; done; "
          "kill -INT $pid; wait $pid");
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_NE(result.err.find("stopped early"), std::string::npos) << result.err;
  EXPECT_EQ(run("parse -m m.esp -i t.conllu").code, 0);
}

TEST_F(CommandLine, StoppedBeforeThereIsAModelItLeavesTheOldOne) {
  // The filter alone would take minutes, on a fast machine too.
  std::string treebank;
  for (int copy = 0; copy < 500; ++copy) treebank += little_treebank();
  write("t.conllu", treebank);
  write("m.esp", "the old model");
  const std::string cube =
      "train --recipe cube --train t.conllu --set filter_epochs=100 epochs=1000 --quiet --model m.esp";
  const Result result = run(cube + " & pid=$!; sleep 0.3; kill -TERM $pid; wait $pid");
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_NE(result.err.find("--resume continues"), std::string::npos) << result.err;
  if (result.err.find("stopped before") != std::string::npos) {
    EXPECT_EQ(read_file(folder_ / "m.esp"), "the old model");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m.esp.lock"));
}

TEST_F(CommandLine, ASecondTrainingOfTheSameModelIsRefused) {
  write("t.conllu", little_treebank());
  const std::string endless = "train --recipe greedy --train t.conllu --set epochs=1000 --quiet --log l --model m.esp";
  const Result result =
      run(endless + " & pid=$!; for i in $(seq 1000); do [ -s l ] && break; sleep 0.05; done; " ESPALIER_BINARY " " +
          kTrain + " --model m.esp; code=$?; kill -INT $pid; wait $pid; exit $code");
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_NE(result.err.find("another training writes m.esp"), std::string::npos) << result.err;
}

TEST_F(CommandLine, AResumedPipelineIsTheSameModel) {
  write("t.conllu", little_treebank());
  const std::string pipeline =
      "train --recipe pipeline --train t.conllu --dev t.conllu --set parser.tags=jackknife:3 tagger.epochs=2 "
      "epochs=40 ";
  ASSERT_EQ(run(pipeline + "--quiet --model whole.esp").code, 0);
  // Stopped while the parser is trained: the tagger and the folds are done.
  const Result stopped = run(pipeline +
                             "--quiet --log l --model m.esp & pid=$!; "
                             "for i in $(seq 1000); do grep -q 'parser train' l 2>/dev/null && break; sleep 0.01; "
                             "done; kill -INT $pid; wait $pid");
  if (stopped.code == 1) {  // else it was faster than the signal
    EXPECT_TRUE(std::filesystem::exists(folder_ / "m.esp.checkpoint.parts/tagger.esp"));
    const Result resumed = run(pipeline + "--resume --model m.esp");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(resumed.err.find("tagger train"), std::string::npos) << resumed.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "m.esp.checkpoint.parts"));
  }
  EXPECT_EQ(read_file(folder_ / "m.esp"), read_file(folder_ / "whole.esp"));
}

TEST_F(CommandLine, PipelineOfOneStageIsTheStage) {
  write("t.conllu", little_treebank());
  const Result trained = run(
      "train --recipe pipeline --train t.conllu --quiet --model p.esp --set tagger.recipe= --set parser.recipe=greedy"
      " --set parser.tags=input --set epochs=2");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(run("parse -m p.esp -i t.conllu").out, little_treebank());
  expect_failure("parse -m p.esp -i t.conllu --set tagger.beam=3", 2, {"tagger.beam"});
}

TEST_F(CommandLine, HostileInputGetsAMessageFromEveryCommand) {
  write("t.conllu", little_treebank());
  ASSERT_EQ(run(kTrain + " --model m.esp").code, 0);
  const auto commands = [](const std::string& file) {
    return std::vector<std::string>{"parse -m m.esp -i " + file, "convert --to json -i " + file, "check " + file,
                                    "draw -i " + file, "eval --system t.conllu --gold " + file};
  };
  std::filesystem::create_directory(folder_ / "folder.conllu");
  for (const auto& command : commands("folder.conllu")) expect_failure(command, 1, {});
  for (const auto& command : commands("missing.conllu")) expect_failure(command, 1, {});
  write("utf8.conllu", "1\tcaf\xe9\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n");
  write("nul.conllu", "1\ta\0b\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"sv);
  write("brackets.ptb", ") (S (NN leaf\n");
  write("cut.conllu.gz", "\x1f\x8b\x08");
  for (const std::string file : {"utf8.conllu", "nul.conllu", "brackets.ptb", "cut.conllu.gz"})
    for (const auto& command : commands(file)) expect_failure(command, 3, {});
  for (const std::string output : {"/dev/full", "no/such/folder/x", "folder.conllu"}) {
    for (const std::string command : {"parse -m m.esp -i t.conllu -o ", "convert --to json -i t.conllu -o ",
                                      "draw -i t.conllu -o ", "draw --to svg -i t.conllu -o "})
      expect_failure(command + output, 1, {"cannot write"});
  }
  for (const std::string command : {"parse -m m.esp -i t.conllu", "convert --to json -i t.conllu", "draw -i t.conllu",
                                    "eval --gold t.conllu --system t.conllu", "info -m m.esp", "recipes",
                                    "check t.conllu", "bench -m m.esp -i t.conllu"})
    expect_failure(command + " >/dev/full", 1, {"cannot write"});
}

TEST_F(CommandLine, HugeInputIsOnlySlow) {
  write("t.conllu", little_treebank());
  ASSERT_EQ(run(kTrain + " --model m.esp").code, 0);
  std::string sentence;
  for (int i = 1; i <= 10000; ++i) sentence += std::to_string(i) + "\ttree\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n";
  write("long.conllu", sentence + "\n");
  write("line.conllu", "1\t" + std::string(5000000, 'x') + "\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n");
  write("deep.ptb", [] {
    std::string tree;
    for (int i = 0; i < 100000; ++i) tree += "(S ";
    return tree + "(NN leaf)" + std::string(100000, ')') + "\n";
  }());
  write("line.txt", std::string(5000000, 'x'));
  for (const std::string file : {"long.conllu", "line.conllu", "deep.ptb", "line.txt"}) {
    for (const std::string command : {"parse -m m.esp -i ", "convert --to json -i ", "draw --to svg -i "})
      EXPECT_EQ(run(command + file).code, 0) << command << file;
    EXPECT_EQ(run("eval --gold " + file + " --system " + file).code, 0) << file;
  }
}

TEST_F(CommandLine, InfoAsJsonAndForPeople) {
  write("m.esp", model_bytes());
  const auto info = nlohmann::json::parse(run("info -m m.esp --json").out);
  EXPECT_EQ(info["metadata"]["recipe"], "none");
  EXPECT_EQ(info["sections"][1]["name"], "words");
  EXPECT_EQ(info["sections"][1]["bytes"], 7);
  EXPECT_NE(run("info -m m.esp").out.find("recipe        none"), std::string::npos);
}

TEST_F(CommandLine, RecipesAreListedAndPrinted) {
  EXPECT_NE(run("recipes").out.find("pipeline"), std::string::npos);
  EXPECT_EQ(run("recipes pipeline").out, read_file(ESPALIER_SOURCE_DIR "/recipes/pipeline.toml"));
  EXPECT_NE(run("recipes beam --settings").out.find("\nbeam  "), std::string::npos);
  EXPECT_NE(run("recipes pipeline --settings").out.find("parser.tags  "), std::string::npos);
  expect_failure("recipes --settings", 2, {"name of a recipe"});
}

}  // namespace
}  // namespace espalier
