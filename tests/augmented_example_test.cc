// The programs of docs/objectives.md ("Your own loss"), run as they stand there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "espalier/app/files.h"
#include "espalier/app/model.h"
#include "espalier/app/train.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

/// The examples that users copy are in Python, which nothing else here needs.
bool has_python() { return std::system("command -v python3 >/dev/null") == 0; }

/// In the treebank nouns are roots; the page's program wants verbs.
TEST(AugmentedExample, TheProgramOfThePageTeachesItsWish) {
  if (!has_python()) GTEST_SKIP() << "no python3";
  const TemporaryFolder folder;
  const std::string page = read_file(ESPALIER_SOURCE_DIR "/docs/objectives.md");
  std::ofstream(folder / "my_cost.py") << between(page, "```python\n", "```");
  std::string treebank, task;
  for (int i = 0; i < 12; ++i) {
    treebank +=
        "1\tbirds\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\tsing\t_\tVERB\t_\t_\t1\tacl\t_\t_\n\n"
        "1\tthey\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
    task +=
        "1\tdo\t_\tAUX\t_\t_\t_\t_\t_\t_\n2\tbirds\t_\tNOUN\t_\t_\t_\t_\t_\t_\n3\tsing\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n";
  }
  std::ofstream(folder / "treebank.conllu") << treebank;
  std::ofstream(folder / "task.conllu") << task;
  const auto roots_of_task = [&](std::vector<std::string> settings) {
    TrainFiles request;
    request.recipe = "beam";
    request.train = {folder / "treebank.conllu"};
    request.model = folder / "m.esp";
    request.settings = std::move(settings);
    for (const char* pair : {"min-updates=1", "drop=0", "margin=1"}) request.settings.emplace_back(pair);
    train_files(request);
    std::vector<Sentence> sentences = read_text(task, "conllu");
    Model(request.model).parse_all(sentences, 1);
    return sentences[0]
        .word(static_cast<int>(std::ranges::find(sentences[0].tokens, 0, &Token::head) - sentences[0].tokens.begin()) +
              1)
        .upos;
  };
  EXPECT_NE(roots_of_task({}), "VERB");
  EXPECT_EQ(roots_of_task({"objective.0.data=" + folder / "task.conllu",
                           "objective.0.loss=command: python3 " + folder / "my_cost.py"}),
            "VERB");
}

/// "you fish" could be anything to the tagger; examples/tagging_cost.py asks a parser, who knows the tree.
TEST(AugmentedExample, AParserTeachesTheTaggerBeforeIt) {
  if (!has_python()) GTEST_SKIP() << "no python3";
  const TemporaryFolder folder;
  std::string treebank, task;
  for (int i = 0; i < 12; ++i) {
    for (const char* noun : {"the", "the", "a"})
      treebank += fmt::format("1\t{}\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tfish\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", noun);
    treebank += "1\twe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tfish\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
    task += "1\tyou\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tfish\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
  }
  std::ofstream(folder / "treebank.conllu") << treebank;
  std::ofstream(folder / "task.conllu") << task;
  std::string told;
  const auto train = [&](const char* recipe, const std::string& model, std::vector<std::string> settings) {
    TrainFiles request;
    request.recipe = recipe;
    request.train = {folder / "treebank.conllu"};
    request.model = folder / model;
    request.settings = std::move(settings);
    request.message = [&](const std::string& message) { told += message + "\n"; };
    train_files(request);
  };
  const auto tags_of_task = [&](const std::string& model) {
    std::vector<Sentence> sentences = read_text(task, "conllu");
    Model(folder / model).parse_all(sentences, 1);
    return sentences[0].word(1).upos + " " + sentences[0].word(2).upos;
  };
  train("beam", "parser.esp", {"min-updates=1", "drop=0", "margin=1"});
  train("tagger", "alone.esp", {});
  train("tagger", "taught.esp",
        {"objective.0.data=" + folder / "task.conllu", "objective.0.loss=command: python3 " ESPALIER_SOURCE_DIR
                                                       "/examples/tagging_cost.py " ESPALIER_BINARY " " +
                                                           folder / "parser.esp"});
  EXPECT_EQ(tags_of_task("alone.esp"), "DET NOUN");
  EXPECT_EQ(tags_of_task("taught.esp"), "PRON VERB");
  EXPECT_EQ(told.find("no UPOS"), told.npos) << told;  // it makes them
}

TEST(PartialTrees, AreReadFromFilesAndWhatIsImpossibleIsLeftOut) {
  const TemporaryFolder folder;
  const std::string partial =
                        "1\tthey\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tsing\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"
                        "1\tthey\t_\tPRON\t_\t_\t_\t_\t_\t_\n2\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n",
                    circle =
                        "1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\t_\n"
                        "3\tc\t_\tX\t_\t_\t_\t_\t_\t_\n\n";
  std::ofstream(folder / "partial.conllu") << partial << partial << partial << circle;
  std::string told;
  TrainFiles request;
  request.recipe = "beam";
  request.train = {folder / "partial.conllu"};
  request.model = folder / "m.esp";
  request.settings = {"min-updates=1", "drop=0", "margin=1"};
  request.message = [&](const std::string& message) { told += message + "\n"; };
  train_files(request);
  EXPECT_NE(told.find("learned from as partial trees: 6"), told.npos) << told;
  EXPECT_NE(told.find("the given heads make a cycle"), told.npos) << told;
  std::vector<Sentence> sentences = read_text(partial, "conllu");
  Model(request.model).parse_all(sentences, 1);
  EXPECT_EQ(sentences[0].word(1).head, 2);
  EXPECT_EQ(sentences[0].word(1).deprel, "nsubj");
}

}  // namespace
}  // namespace espalier
