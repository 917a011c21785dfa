// The recipes of papers (recipes/paper/): each says of every key where it comes from, and trains on a toy treebank.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "espalier/base/recipe.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "tests/small_training.h"
#include "tests/toy_constituents.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

std::vector<std::string> paper_recipes() {
  std::vector<std::string> names;
  for (const RecipeSummary& recipe : list_recipes())
    if (recipe.name.starts_with("paper/")) names.push_back(recipe.name);
  return names;
}

class PaperRecipe : public ::testing::TestWithParam<std::string> {};

TEST_P(PaperRecipe, SaysWhereEveryKeyComesFrom) {
  std::istringstream text(recipe_text(GetParam()));
  int keys = 0;
  for (std::string line; std::getline(text, line);) {
    const bool is_key = line.find(" = ") != line.npos && !line.starts_with("#");
    if (!is_key || line.starts_with("recipe ") || line.starts_with("description ")) continue;
    ++keys;
    EXPECT_NE(line.find(" # "), line.npos) << line;
  }
  EXPECT_GE(keys, 5);
  EXPECT_NE(recipe_text(GetParam()).find("What cannot be made equal"), std::string::npos);
}

TEST_P(PaperRecipe, TrainsOnAToyTreebank) {
  Settings recipe = load_recipe(GetParam());
  make_small(Settings(recipe).values(), recipe);
  const bool ranks = recipe.has("objective.0.loss");
  if (ranks) recipe.set("objective.0.data", "given");
  const Trainer trainer = configure(recipe);
  const auto make = trainer.predicts == "constituents" ? toy_constituents : toy_treebank;
  TrainData data{make(40, 1), make(10, 2)};
  if (ranks) data.objectives = {{make(10, 3), {}}};
  const Trained trained = trainer.train(data, {});
  ASSERT_TRUE(trained.parser);
  EXPECT_GT(score_on_dev(*trained.parser, data.dev, 1).value, 20);
}

INSTANTIATE_TEST_SUITE_P(Papers, PaperRecipe, ::testing::ValuesIn(paper_recipes()), [](const auto& test) {
  std::string name = test.param.substr(test.param.find('/') + 1);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace espalier
