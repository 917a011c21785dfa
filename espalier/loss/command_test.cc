#include "espalier/loss/command.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

const Sentence kBarking = testing::dependencies("dogs/NOUN/2/nsubj bark/VERB/0/root");

std::vector<double> ask(const std::string& program) {
  const Analysis right = dependencies_of(kBarking), other{{0, 0, 1}, {"", "root", "x"}, {}, {}, {}, {}, {}};
  const Analysis* const both[] = {&right, &other};
  return CommandLoss(program, std::chrono::milliseconds(5000)).costs(kBarking, both);
}

std::string complaint(const std::string& program) {
  try {
    ask(program);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRun);
    return error.what();
  }
  return "";
}

TEST(CommandLoss, SendsSentenceAndCandidatesAndReadsCosts) {
  EXPECT_EQ(ask("read line; echo '[0, 1.5]'"), (std::vector<double>{0, 1.5}));
  const std::string request = complaint("sed -u 's/.*/\"&/'");
  EXPECT_NE(request.find("a list of numbers was expected"), request.npos) << request;
  // What is sent: heads and labels of the candidates, the words with what is known of them.
  EXPECT_EQ(ask("read -r line; case \"$line\" in *'\"candidates\":[{\"deprels\":[\"nsubj\",\"root\"],\"heads\":[2,0]},'"
                "*'\"form\":\"dogs\",\"head\":2'*) echo '[1,2]';; *) echo \"$line\";; esac"),
            (std::vector<double>{1, 2}));
}

TEST(CommandLoss, SendsConstituentsOfGoldAndOfCandidates) {
  const Sentence gold = testing::constituents("(S (NP (NN he)) (VP (VB runs)))");
  const Sentence other = testing::constituents("(S (NN he) (VP (VB runs)))");
  const Analysis right = analysis_of(gold), wrong = analysis_of(other);
  const Analysis* const both[] = {&wrong, &right};
  // As many nodes as gold has: nothing is wrong. The keys of the request are in alphabetical order, gold's come last.
  const std::string program = R"(read -r line; printf '%s\n' "$line" | awk '{
    split($0, tree, "\"constituents\":")
    for (i = 2; i <= 4; ++i) nodes[i] = gsub(/"label"/, "", tree[i])
    printf "[%d,%d]\n", nodes[4] - nodes[2], nodes[4] - nodes[3]
  }')";
  EXPECT_EQ(CommandLoss(program).costs(gold, both), (std::vector<double>{1, 0}));
}

TEST(CommandLoss, NonsenseIsNamed) {
  EXPECT_NE(complaint("read line; echo '[0]'").find("1 costs for 2 candidates"), std::string::npos);
  EXPECT_NE(complaint("read line; echo '[0, -1]'").find("not negative"), std::string::npos);
  EXPECT_NE(complaint("read line; echo '[0, NaN]'").find("list of numbers"), std::string::npos);
  EXPECT_NE(complaint("read line; echo '[0, \"x\"]'").find("not negative"), std::string::npos);
  EXPECT_NE(complaint("exit 1").find("ended without an answer"), std::string::npos);
  EXPECT_THROW(make_command_loss(" "), Error);
}

}  // namespace
}  // namespace espalier
