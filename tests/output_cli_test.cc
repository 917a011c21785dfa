// What commands write, when the output is the input, when they are stopped and when the disk is full: the old file
// stays until the new one is whole. Drives the built binary.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "espalier/base/file.h"
#include "espalier/format/format.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

constexpr std::string_view kTreebank =
    "1\ttrees\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tgrow\t_\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";
constexpr std::string_view kUnparsed =
    "1\ttrees\t_\tNOUN\tNNS\t_\t_\t_\t_\t_\n2\tgrow\t_\tVERB\tVBP\t_\t_\t_\t_\t_\n\n";

class Output : public ::testing::Test {
 protected:
  /// The exit code of a shell command in the test's folder; standard error goes to the file "err".
  int shell(const std::string& command) {
    const int status = std::system(("cd " + folder_.path() + " && ( " + command + " ) 2>err").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  int espalier(const std::string& arguments) { return shell(ESPALIER_BINARY " " + arguments); }
  std::string bytes(const std::string& name) { return read_file(folder_ / name); }
  void write(const std::string& name, std::string_view text) { write_file(folder_ / name, text); }
  void train() {
    write("t.conllu", kTreebank);
    ASSERT_EQ(espalier("train -q --recipe greedy --train t.conllu --model m.esp --set epochs=2 >/dev/null"), 0)
        << bytes("err");
  }

  TemporaryFolder folder_;
};

TEST_F(Output, MayBeTheInput) {
  train();
  write("f.conllu", kUnparsed);
  ASSERT_EQ(espalier("parse -m m.esp -i f.conllu >parsed"), 0) << bytes("err");
  EXPECT_EQ(espalier("parse -m m.esp -i f.conllu -o f.conllu"), 0) << bytes("err");
  EXPECT_EQ(bytes("f.conllu"), bytes("parsed"));
  EXPECT_NE(bytes("parsed"), kUnparsed);
  EXPECT_EQ(espalier("draw --from conllu -i f.conllu -o f.conllu"), 0);
  EXPECT_NE(bytes("f.conllu").find("nsubj"), std::string::npos);
}

TEST_F(Output, IsPackedIfItsNameSaysSo) {
  train();
  EXPECT_EQ(espalier("parse -m m.esp -i t.conllu -o p.conllu.gz"), 0) << bytes("err");
  EXPECT_EQ(bytes("p.conllu.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(read_treebank(folder_ / "p.conllu.gz").size(), 1u);
}

TEST_F(Output, StoppedCommandsLeaveTheOldFile) {
  train();
  ASSERT_EQ(shell("mkfifo pipe"), 0);
  for (const std::string command : {"parse -m m.esp", "draw", "convert --from conllu --to json"})
    for (const std::string signal : {"INT", "TERM"}) {
      write("old", "as it was");
      // The pipe stays open, so that the command waits for more; its temporary shows that it has begun. The shell would
      // have commands in the background ignore SIGINT.
      const int code = shell("setsid env --default-signal=INT " ESPALIER_BINARY " " + command +
                             " -i pipe -o old & child=$!; exec 3>pipe; cat t.conllu >&3;"
                             " while ! ls old.*.tmp >/dev/null 2>&1; do sleep 0.01; done;"
                             " kill -" +
                             signal + " $child; wait $child");
      EXPECT_EQ(code, 1) << command << signal << bytes("err");
      EXPECT_NE(bytes("err").find("interrupted"), std::string::npos) << bytes("err");
      EXPECT_EQ(bytes("old"), "as it was");
      EXPECT_EQ(folder_.names(), (std::vector<std::string>{"err", "m.esp", "old", "pipe", "t.conllu"}));
    }
}

TEST_F(Output, FullDiskLeavesTheOldFile) {
  train();
  std::string many;
  for (int i = 0; i < 1000; ++i) many += kTreebank;
  write("many.conllu", many);
  write("old", "as it was");
  for (const std::string command : {"parse -m m.esp", "draw", "convert --from conllu --to json"}) {
    EXPECT_EQ(shell("ulimit -f 8; " ESPALIER_BINARY " " + command + " -i many.conllu -o old"), 1) << command;
    EXPECT_NE(bytes("err").find("cannot write old: File too large"), std::string::npos) << bytes("err");
    EXPECT_EQ(bytes("old"), "as it was");
  }
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"err", "m.esp", "many.conllu", "old", "t.conllu"}));
}

TEST_F(Output, StandardOutputMayBeNamed) {
  train();
  ASSERT_EQ(espalier("parse -m m.esp -i t.conllu >parsed"), 0) << bytes("err");
  EXPECT_EQ(shell("echo before >all; " ESPALIER_BINARY " parse -m m.esp -i t.conllu -o /dev/stdout >>all"), 0);
  EXPECT_EQ(bytes("all"), "before\n" + bytes("parsed"));
}

TEST_F(Output, LogThatCannotBeWrittenFailsTheRunButNotTheModel) {
  write("t.conllu", kTreebank);
  EXPECT_EQ(espalier("train --recipe greedy --train t.conllu --model m.esp --set epochs=2 --log /dev/full >/dev/null"),
            1);
  EXPECT_NE(bytes("err").find("/dev/full"), std::string::npos) << bytes("err");
  EXPECT_EQ(espalier("info --model m.esp >/dev/null"), 0);
}

}  // namespace
}  // namespace espalier
