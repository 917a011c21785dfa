// The commands query, explain and crossval, as a user gives them. Drives the built binary.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "espalier/app/files.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

class Everyday : public ::testing::Test {
 protected:
  Everyday() { write_file(folder_ / "t.conllu", write_text(toy_treebank(40, 1), "conllu")); }
  /// The exit code; standard output and error go to the files "out" and "err".
  int espalier(const std::string& arguments, const std::string& before = "") {
    const int status = std::system(
        ("cd " + folder_.path() + " && ( " + before + ESPALIER_BINARY " " + arguments + " ) >out 2>err").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string out() { return read_file(folder_ / "out"); }
  std::string err() { return read_file(folder_ / "err"); }
  void train() {
    ASSERT_EQ(espalier("train -q --recipe beam --train t.conllu --model m.esp --set epochs=2 --set tags=input"), 0)
        << err();
  }
  TemporaryFolder folder_;
};

TEST_F(Everyday, QueryOfATreebank) {
  write_file(folder_ / "one.conllu",
             "# sent_id = s1\n1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
             "3\tsees\tsee\tVERB\t_\t_\t0\troot\t_\t_\n4\tcats\tcat\tNOUN\t_\t_\t3\tobj\t_\t_\n\n");
  ASSERT_EQ(espalier("query 'V:upos=VERB >nsubj S >obj O' -i one.conllu"), 0) << err();
  EXPECT_EQ(out(), "sent_id\tV\tS\tO\ns1\tsees\tdog\tcats\n");
  ASSERT_EQ(espalier("query 'V:upos=VERB >nsubj S >obj O' -i one.conllu --show lemma phrase"), 0) << err();
  EXPECT_EQ(out(),
            "sent_id\tV.lemma\tV.phrase\tS.lemma\tS.phrase\tO.lemma\tO.phrase\n"
            "s1\tsee\tthe dog sees cats\tdog\tthe dog\tcat\tcats\n");
  ASSERT_EQ(espalier("query 'N:upos=NOUN' --to json -i one.conllu"), 0) << err();
  EXPECT_EQ(out().substr(0, out().find('\n')), R"({"sent_id":"s1","words":{"N":{"id":2,"form":"dog"}}})");
  ASSERT_EQ(espalier("query 'N:upos=NOUN' --count -i one.conllu t.conllu"), 0) << err();
  EXPECT_NE(out().find(" in 41 of 41 sentences"), std::string::npos) << out();
  ASSERT_EQ(espalier("query ':form=dog' --to conllu", "cat one.conllu | "), 0) << err();
  EXPECT_EQ(out(), read_file(folder_ / "one.conllu"));
  EXPECT_EQ(espalier("query 'V:upos' -i one.conllu"), 2);
  EXPECT_NE(err().find("upos=VERB"), std::string::npos) << err();
  EXPECT_EQ(espalier("query V --from text", "echo dogs | "), 2);
  EXPECT_NE(err().find("--model"), std::string::npos) << err();
}

TEST_F(Everyday, QueryOfWhatAModelParses) {
  train();
  ASSERT_EQ(espalier("query 'V >nsubj S' -m m.esp -i t.conllu --count --threads 2"), 0) << err();
  EXPECT_NE(out().find("40 sentences"), std::string::npos) << out();
}

TEST_F(Everyday, Explain) {
  train();
  ASSERT_EQ(espalier("explain -m m.esp -i t.conllu --word 1 -n 3"), 0) << err();
  EXPECT_NE(out().find("For the tree that won:"), std::string::npos) << out();
  ASSERT_EQ(espalier("explain -m m.esp -i t.conllu --sentence 2 --json"), 0) << err();
  EXPECT_GT(nlohmann::json::parse(out())["features"].size(), 0u);
  EXPECT_EQ(espalier("explain -m m.esp -i t.conllu --word nowhere"), 2);
  EXPECT_EQ(espalier("explain -m m.esp -i t.conllu --head 2"), 2);
  EXPECT_EQ(espalier("explain -m m.esp -i t.conllu --sentence 99"), 2);
}

TEST_F(Everyday, ListsAreListsInJson) {
  train();
  ASSERT_EQ(espalier("parse -m m.esp -i t.conllu --kbest 3 --to json"), 0) << err();
  const std::string all = out();
  EXPECT_EQ(std::ranges::count(all, '\n'), 40) << "a line for each sentence";
  EXPECT_GT(nlohmann::json::parse(all.substr(0, all.find('\n')))["kbest"].size(), 1u);
}

TEST_F(Everyday, Crossval) {
  ASSERT_EQ(espalier("crossval -q -r greedy -t t.conllu -k 2 --set epochs=1 --curve 0.5,1 --svg c.svg -o p.conllu"), 0)
      << err();
  EXPECT_NE(out().find("las"), std::string::npos) << out();
  EXPECT_NE(read_file(folder_ / "c.svg").find("</svg>"), std::string::npos);
  EXPECT_EQ(read_treebank(folder_ / "p.conllu").size(), 40u);
  EXPECT_EQ(espalier("crossval -q -r greedy -t t.conllu --curve x"), 2);
}

TEST_F(Everyday, GoesOnFromAModel) {
  train();
  ASSERT_EQ(espalier("train -q -r beam --init m.esp -t t.conllu -m n.esp --set epochs=1 --set tags=input"), 0) << err();
  EXPECT_EQ(espalier("train -q -r l2s --init m.esp -t t.conllu -m o.esp"), 2);
  EXPECT_NE(err().find("has no warm start (--init); these have: greedy, beam, tagger, "), std::string::npos) << err();
}

}  // namespace
}  // namespace espalier
