// The program as its users meet it: exit codes, messages, hostile files. Drives the built binary.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "espalier/base/file.h"
#include "espalier/parser/model_file.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

struct Result {
  int code;
  std::string out, err;
};

class CommandLine : public testing::Test {
 protected:
  /// Runs `espalier ARGUMENTS` in the shell, in a folder of its own.
  Result run(const std::string& arguments) {
    const std::string command = "cd " + folder_.path() + " && " ESPALIER_BINARY " " + arguments;
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
  for (const std::string command : {"train", "parse", "info", "recipes", "bench"}) {
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
  expect_failure("prase", 2, {"prase", "did you mean 'parse'"});
  expect_failure("info", 2, {"--model"});
  expect_failure("info --model m.esp --josn", 2, {"--josn"});
  expect_failure("parse -m m.esp --threads=-1", 2, {"--threads"});
  expect_failure("train --recipe pipelime --train t.conllu --model m.esp", 2, {"pipelime", "did you mean 'pipeline'"});
  expect_failure("train --recipe pipeline --train t.conllu --model m.esp --set beam", 2, {"key=value"});
  expect_failure("train --recipe pipeline --train t.unknown --model m.esp", 2, {"t.unknown", "--from"});
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

TEST_F(CommandLine, InfoAsJsonAndForPeople) {
  write("m.esp", model_bytes());
  const auto info = nlohmann::json::parse(run("info -m m.esp --json").out);
  EXPECT_EQ(info["metadata"]["recipe"], "none");
  EXPECT_EQ(info["sections"][1]["name"], "words");
  EXPECT_EQ(info["sections"][1]["bytes"], 7);
  EXPECT_NE(run("info -m m.esp").out.find("recipe: none"), std::string::npos);
}

TEST_F(CommandLine, RecipesAreListedAndPrinted) {
  EXPECT_NE(run("recipes").out.find("pipeline"), std::string::npos);
  EXPECT_EQ(run("recipes pipeline").out, read_file(ESPALIER_SOURCE_DIR "/recipes/pipeline.toml"));
}

}  // namespace
}  // namespace espalier
