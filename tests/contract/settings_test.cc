// What every recipe promises about its settings: `configure` reads them all, whatever their values are, so that the
// list it gives (`espalier recipes NAME --settings`) is complete; every key that is listed can be set, with hyphens
// too; what is not listed is refused. A new recipe gets all of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/trainer.h"

namespace espalier {
namespace {

std::vector<std::string> keys(const Settings& settings) {
  std::vector<std::string> all;
  for (const auto& [key, known] : configure(settings).known) all.push_back(key);
  return all;
}

/// Keys that name a recipe, or whether there is one, decide what other keys there are.
bool chooses_parts(const std::string& key) {
  const std::string last = key.substr(key.rfind('.') + 1);
  return last == "recipe" || last == "tags" || last == "members" || last == "bases" || last == "models" ||
         last == "data";
}

class EveryRecipe : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryRecipe, ReadsTheSameKeysWhateverTheirValuesAre) {
  const Settings recipe = load_recipe(GetParam());
  const auto all = keys(recipe);
  ASSERT_GT(all.size(), 5u);
  for (const auto& [key, known] : configure(recipe).known) {
    if (chooses_parts(key)) continue;
    for (const std::string& value : known.choices) {
      Settings changed = recipe;
      changed.set(key, value);
      try {
        EXPECT_EQ(keys(changed), all) << key << "=" << value;
      } catch (const Error& error) {
        // Two settings may exclude each other, but then it says so.
        EXPECT_EQ(error.kind(), ErrorKind::kUsage);
        for (const char* unread : {"unknown setting", "has no setting"})
          EXPECT_EQ(std::string(error.what()).find(unread), std::string::npos) << error.what();
      }
    }
  }
}

TEST_P(EveryRecipe, TakesEveryKeyThatItLists) {
  const Settings recipe = load_recipe(GetParam());
  Settings all = recipe, hyphened = recipe;
  for (const auto& [key, known] : configure(recipe).known) {
    EXPECT_EQ(Settings::spelled(key), key);
    EXPECT_FALSE(known.help.empty()) << key;
    if (known.value.empty()) continue;
    all.set(key, known.value);
    std::string other = key;
    std::ranges::replace(other, '_', '-');
    hyphened.set(other, known.value);
  }
  EXPECT_EQ(keys(all), keys(recipe));
  EXPECT_EQ(hyphened.to_json(), all.to_json());
}

TEST_P(EveryRecipe, RefusesWhatItDoesNotList) {
  Settings wrong = load_recipe(GetParam());
  wrong.set("no_such_key", "1");
  EXPECT_THROW(configure(wrong), Error);
}

TEST_P(EveryRecipe, ReadingChangesNothing) {
  const Settings recipe = load_recipe(GetParam());
  const Trainer first = configure(recipe), second = configure(recipe);
  EXPECT_EQ(first.settings.to_json(), second.settings.to_json());
  ASSERT_EQ(first.known.size(), second.known.size());
  for (const auto& [key, known] : first.known) EXPECT_EQ(known.value, second.known.at(key).value);
}

// Programs that make a learner of their own get what the recipe's file has.
TEST(Recipes, OfLearningToSearchSayTheDefaultsOfTheCode) {
  for (const std::string name : {"l2s", "l2s-constituents", "l2s-tagger", "tokenizer"}) {
    Settings bare;
    bare.set("recipe", name);
    const Trainer by_code = configure(bare), by_file = configure(load_recipe(name));
    ASSERT_EQ(by_code.known.size(), by_file.known.size());
    for (const auto& [key, known] : by_file.known) EXPECT_EQ(known.value, by_code.known.at(key).value) << name << key;
  }
}

INSTANTIATE_TEST_SUITE_P(Recipes, EveryRecipe, ::testing::ValuesIn(trainer_names()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace espalier
