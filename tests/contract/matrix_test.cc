// docs/matrix.md: every parser with every method works as the page says, or is refused before anything is trained, by a
// sentence that names a parser for which it would work. The commands are the page's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "espalier/app/calibrate.h"
#include "espalier/app/configured_trainer.h"
#include "espalier/app/files.h"
#include "espalier/app/model.h"
#include "espalier/app/train.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trainer.h"
#include "tests/small_training.h"
#include "tests/temporary_folder.h"
#include "tests/toy_constituents.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

/// The cells of a table's line, without the quotation marks of code.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) {
    std::erase(cell, '`');
    const size_t begin = cell.find_first_not_of(' ');
    cells.push_back(begin == cell.npos ? "" : cell.substr(begin, cell.find_last_not_of(' ') - begin + 1));
  }
  return cells;
}

struct MatrixPage {
  std::vector<std::string> parsers, methods;
  std::map<std::pair<std::string, std::string>, std::string> cells;  // by parser and method: yes, no or a value
  std::map<std::string, std::string> commands;                       // by method

  MatrixPage() {
    std::istringstream page(read_file(ESPALIER_SOURCE_DIR "/docs/matrix.md"));
    std::vector<std::vector<std::string>> tables[2];
    int table = -1;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
      const bool row = line.starts_with('|');
      table += row && !inside;
      inside = row;
      if (row && !line.starts_with("|--")) tables[table].push_back(cells_of(line));
    }
    methods.assign(tables[0][0].begin() + 1, tables[0][0].end());
    for (size_t i = 1; i < tables[0].size(); ++i) {
      parsers.push_back(tables[0][i][0]);
      for (size_t m = 0; m < methods.size(); ++m) cells[{parsers.back(), methods[m]}] = tables[0][i][1 + m];
    }
    for (size_t i = 1; i < tables[1].size(); ++i) commands[tables[1][i][0]] = tables[1][i][1];
  }
  /// A value that some cell of the column has, for those that are refused.
  std::string value(const std::string& parser, const std::string& method) const {
    std::string value = cells.at({parser, method});
    for (const std::string& other : parsers)
      if (value == "no") value = cells.at({other, method});
    return value;
  }
};

const MatrixPage& page() {
  static const MatrixPage page;
  return page;
}

bool is_constituent(const std::string& parser) {
  return parser == "shift-reduce" || parser == "chart" || parser == "l2s-constituents" || parser == "classify";
}

/// Where the parser's own settings stand.
std::string prefix(const std::string& parser) {
  return parser == "hc" ? "base." : parser == "committee" ? "member.0." : "";
}

class Matrix : public ::testing::TestWithParam<std::string> {
 protected:
  std::string extension() const { return is_constituent(GetParam()) ? ".ptb" : ".conllu"; }
  /// A treebank's file.
  std::string file(const char* name, int sentences, uint64_t seed, bool several_roots) const {
    const std::string path = folder_ / name + extension();
    const auto treebank = (is_constituent(GetParam()) ? toy_constituents
                           : several_roots            ? rooted_treebank
                                                      : toy_treebank)(sentences, seed);
    write_file(path, write_text(treebank, is_constituent(GetParam()) ? "ptb" : "conllu"));
    return path;
  }
  /// Recipe and settings of a command of the page, small enough for a test.
  TrainFiles request_of(std::string command, const std::string& method) const {
    const std::string parser = GetParam();
    for (const auto& [placeholder, text] : {std::pair<std::string, std::string>{"PARSER", parser},
                                            {"VALUE", page().value(parser, method)},
                                            {"FILE", file("task", 20, 3, false)}})
      for (size_t at; (at = command.find(placeholder)) != command.npos;) command.replace(at, placeholder.size(), text);
    TrainFiles request;
    std::istringstream words(command);
    for (std::string option, value; words >> option >> value;) {
      if (option == "--recipe") request.recipe = value;
      if (option == "--set" && request.recipe == parser) value = prefix(parser) + value;
      if (option == "--set") request.settings.push_back(value);
    }
    Settings small;
    make_small(configured_trainer(request.recipe, request.settings).known, small);
    for (const auto& [key, value] : small.values()) request.settings.push_back(key + "=" + value);
    return request;
  }
  /// Trains as the method's command says; returns what the model makes of dev.
  std::vector<Sentence> run(const std::string& method) {
    const bool roots = method == "roots";
    TrainFiles request =
        request_of(method == "confidence" ? "--recipe " + GetParam() : page().commands.at(method), method);
    request.train = {file("train", 40, 1, roots)};
    request.dev = file("dev", 10, 2, roots);
    request.model = folder_ / "m.esp";
    request.threads = 1;
    request.progress = [&](const Progress&) { trained_ = true; };
    train_files(request);
    if (method == "confidence") {
      CalibrateModel calibration;
      calibration.model = request.model;
      calibration.dev = request.dev;
      calibrate_model(calibration);
    }
    const Model model(request.model);
    std::vector<Sentence> parsed = read_sentences(std::span(&request.dev, 1), "", {}).sentences;
    EXPECT_GT(score_on_dev(model.parser(), parsed, 1).value, 20) << method;
    model.parse_all(parsed, 1, {.confidence = method == "confidence"});
    return parsed;
  }

  TemporaryFolder folder_;
  bool trained_ = false;
};

TEST_P(Matrix, IsAsThePageSays) {
  for (const std::string& method : page().methods) {
    const std::string parser = GetParam();
    trained_ = false;
    std::string refusal;
    std::vector<Sentence> parsed;
    try {
      parsed = run(method);
    } catch (const Error& error) {
      refusal = error.what();
      EXPECT_NE(error.kind(), ErrorKind::kRun) << refusal;
    }
    if (page().cells.at({parser, method}) != "no") {
      EXPECT_EQ(refusal, "") << parser << ", " << method;
      if (method == "roots") {
        EXPECT_TRUE(std::ranges::any_of(parsed, [](const Sentence& sentence) {
          return std::ranges::count(sentence.tokens, 0, &Token::head) == 2;
        })) << parser;
      }
      if (method == "confidence") {
        EXPECT_TRUE(comment_value(parsed[0], "confidence")) << parser;
      }
      continue;
    }
    EXPECT_TRUE(method == "confidence" || !trained_) << parser << ", " << method << ": refused too late: " << refusal;
    EXPECT_TRUE(
        std::ranges::any_of(page().parsers,
                            [&](const std::string& other) {
                              return page().cells.at({other, method}) != "no" && refusal.find(other) != refusal.npos;
                            }))
        << parser << ", " << method << ": what would work? " << refusal;
  }
}

const std::string kParsers[] = {"beam",     "l2s", "cube",     "mst", "shift-reduce", "chart", "l2s-constituents",
                                "classify", "hc",  "committee"};

INSTANTIATE_TEST_SUITE_P(Parsers, Matrix, ::testing::ValuesIn(kParsers), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(MatrixPageTest, HasEveryRecipeThatMakesTrees) {
  EXPECT_TRUE(std::ranges::equal(page().parsers, kParsers));
  for (const std::string& recipe : trainer_names()) {
    const std::string_view predicts = configure(load_recipe(recipe)).predicts;
    if (predicts != "heads" && predicts != "constituents" && predicts != "trees") continue;
    EXPECT_TRUE(recipe == "greedy" || std::ranges::count(kParsers, recipe)) << recipe;
  }
  for (const std::string& method : page().methods) EXPECT_TRUE(page().commands.contains(method)) << method;
}

}  // namespace
}  // namespace espalier
