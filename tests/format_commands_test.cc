// The commands check and convert, as a user runs them.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/temporary_folder.h"

namespace espalier {
namespace {

struct Outcome {
  int exit_code;
  std::string output;  ///< standard output and standard error
};

Outcome espalier(const std::string& arguments) {
  FILE* pipe = ::popen((ESPALIER_BINARY " " + arguments + " 2>&1").c_str(), "r");
  Outcome run;
  char block[4096];
  for (size_t size; (size = std::fread(block, 1, sizeof block, pipe)) > 0;) run.output.append(block, size);
  run.exit_code = WEXITSTATUS(::pclose(pipe));
  return run;
}

class FormatCommands : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::string bytes(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return all.str();
  }

  TemporaryFolder folder_;
  const std::string good_ = "1\tDogs\t_\t_\t_\t_\t2\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t0\t_\t_\t_\n\n";
};

TEST_F(FormatCommands, CheckReportsEveryProblem) {
  const std::string bad = file("bad.conllu", "1\ta\t_\t_\t_\t_\t5\t_\t_\t_\n\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n" +
                                                 std::string("2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n1\tc\n\n"));
  const Outcome run = espalier("check " + bad + " " + file("good.conllu", good_) + " " + folder_ / "missing.conllu");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.output.find(bad + ":1: token 1: HEAD 5 is past the end of the sentence\n"), std::string::npos);
  EXPECT_NE(run.output.find(bad + ":4: token 2: a second root (the first is token 1)\n"), std::string::npos);
  EXPECT_NE(run.output.find(bad + ":6: token 1: 2 columns instead of 10\n"), std::string::npos);
  EXPECT_NE(run.output.find("4 problems in 2 of 3 files (4 sentences, 6 words)"), std::string::npos) << run.output;
}

TEST_F(FormatCommands, CheckIsContentWithAGoodFile) {
  const Outcome run = espalier("check " + file("good.conllu", good_));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "0 problems in 1 file (1 sentence, 2 words)\n");
  EXPECT_EQ(espalier("check " + file("what", good_)).exit_code, 2);
  EXPECT_EQ(espalier("check --from conllu " + folder_ / "what").exit_code, 0);
}

TEST_F(FormatCommands, CheckWarnsAboutTagsAndRelations) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "1\tDogs\t_\tNoun\t_\t_\t0\troot\t_\t_\n\n";
  const std::string odd = file("odd.conllu", text);
  const Outcome run = espalier("check " + odd);
  EXPECT_EQ(run.exit_code, 0) << "warnings do not count";
  EXPECT_EQ(run.output.find("warning: " + odd + ":1: token 1: unknown UPOS 'Noun'\n"), 0u) << run.output;
  EXPECT_NE(run.output.find("warning: and 20 more of these kinds, counted but not shown\n"
                            "0 problems and 30 warnings in 1 file (30 sentences, 30 words)\n"),
            std::string::npos)
      << run.output;
  EXPECT_EQ(espalier("check --level 1 " + odd).output, "0 problems in 1 file (30 sentences, 30 words)\n");
}

TEST_F(FormatCommands, CheckShowsAMissingColumnOnce) {
  std::string nine;
  for (int i = 0; i < 300; ++i) nine += "1\ta\t_\t_\t_\t_\t0\t_\t_\n\n";
  const std::string bad = file("nine.conllu", nine);
  const Outcome run = espalier("check " + bad);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.output.find(bad + ":1: token 1: 9 columns instead of 10\nthe same on 299 more lines (spaces instead of "
                                  "tabs, or another format? --from says which)\n"),
            0u)
      << run.output;
}

TEST_F(FormatCommands, ShellsAndManGetWhatTheProgramTakes) {
  for (const std::string shell : {"bash", "zsh", "fish", "man"}) {
    const Outcome run = espalier("generate " + shell);
    EXPECT_EQ(run.exit_code, 0);
    for (const char* part : {"kbest", "conllu", "parse", "calibrate"})
      EXPECT_NE(run.output.find(part), std::string::npos) << shell << ": " << part;
  }
  file("c.bash", espalier("generate bash").output);
  const std::string complete =
      "bash -c 'source " + folder_ / "c.bash" +
      "; COMP_WORDS=(espalier convert --to co); COMP_CWORD=3; _espalier; echo ${COMPREPLY[@]}'";
  FILE* pipe = popen(complete.c_str(), "r");
  char line[100] = "";
  EXPECT_NE(std::fgets(line, sizeof line, pipe), nullptr);
  pclose(pipe);
  EXPECT_STREQ(line, "conllu conllx\n");
}

TEST_F(FormatCommands, WhatIsWrongEverywhereIsShownOnce) {
  std::string nine;
  for (int i = 0; i < 300; ++i) nine += "1\ta\t_\t_\t_\t_\t0\t_\t_\n\n";
  const std::string bad = file("nine.conllu", nine);
  const Outcome run = espalier("train --recipe greedy --model " + folder_ / "m.esp --train " + bad);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.output.find(bad + ":1: token 1: 9 columns instead of 10 (sentence skipped)\nmore of the same"), 0u)
      << run.output;
  EXPECT_EQ(std::ranges::count(run.output, '\n'), 3) << run.output;
}

TEST_F(FormatCommands, ConvertGoesThereAndBack) {
  const std::string from = file("a.conllu", good_);
  EXPECT_EQ(espalier("convert -i " + from + " -o " + folder_ / "a.json").output, "");
  EXPECT_EQ(espalier("convert -i " + folder_ / "a.json" + " -o " + folder_ / "b.conllu").exit_code, 0);
  EXPECT_EQ(bytes("b.conllu"), good_);
  EXPECT_TRUE(espalier("convert --to text -i " + from).output.ends_with("\nDogs bark\n"));  // after what is dropped
  EXPECT_EQ(espalier("convert --from text --to conllx < " + file("t.txt", "Hi")).output,
            "1\tHi\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
}

TEST_F(FormatCommands, ConvertLeavesNothingHalfWritten) {
  file("out.json", "as it was");
  const std::string bad = file("bad.conllu", good_ + "1\tx\n\n");
  const Outcome run = espalier("convert -i " + bad + " -o " + folder_ / "out.json");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.output, "espalier: " + bad + ":4: token 1: 2 columns instead of 10\n");
  EXPECT_EQ(bytes("out.json"), "as it was");
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"bad.conllu", "out.json"}));
  EXPECT_EQ(espalier("convert --to ptb -i " + folder_ / "bad.conllu").exit_code, 3);
}

TEST_F(FormatCommands, ConvertNamesWhatItCannotOpen) {
  EXPECT_EQ(espalier("convert --to json -i " + folder_ / "none.conllu").exit_code, 1);
  EXPECT_EQ(espalier("convert --from conllu --to json -i " + folder_.path()).exit_code, 1);
  EXPECT_EQ(espalier("convert -i " + file("a.conllu", good_) + " -o " + folder_ / "no/folder/b.json").exit_code, 1);
  if (std::ifstream("/dev/full")) {
    EXPECT_EQ(espalier("convert --to json -o /dev/full -i " + folder_ / "a.conllu").exit_code, 1);
  }
}

}  // namespace
}  // namespace espalier
