#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/recipe.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

TEST(Recipe, FlatKeysFromToml) {
  const Settings settings = parse_recipe(R"(
      recipe = "beam"          # a comment
      beam = 8
      rate = 0.5
      average = true
      tags = ["upos", "xpos"]
      tagger.epochs = 3
      [parser]
      epochs = 7
      [[objective]]
      loss = "hamming"
      [[objective]]
      loss = "arc-length")",
                                         "test.toml");
  const nlohmann::json expected = {{"recipe", "beam"},
                                   {"beam", "8"},
                                   {"rate", "0.5"},
                                   {"average", "true"},
                                   {"tags", "upos,xpos"},
                                   {"tagger.epochs", "3"},
                                   {"parser.epochs", "7"},
                                   {"objective.0.loss", "hamming"},
                                   {"objective.1.loss", "arc-length"}};
  EXPECT_EQ(settings.to_json(), expected);
}

TEST(Recipe, MistakesAreNamedWithTheirLine) {
  for (const std::string text : {"\n\nbeam = ", "\n\nbeam = 1979-05-27", "\n\nbeam = [1, {a = 1}]", "a=1\nb=2\na = 3",
                                 "\n\nbeam = [[1, 2]]", "\n\nx = \"\xff\""}) {
    try {
      parse_recipe(text, "bad.toml");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(std::string(error.what()).rfind("bad.toml:3: ", 0), 0u) << error.what();
    }
  }
}

TEST(Recipe, FoundByFileAndByName) {
  const TemporaryFolder folder;
  write_file(folder / "mine.toml", "description = \"my own\"\nbeam = 4\n");
  const Settings by_file = load_recipe(folder / "mine.toml");
  std::filesystem::create_directory(folder / "theirs");
  write_file(folder / "theirs/yours.toml", "description = \"in a folder\"\nbeam = 5\n");
  EXPECT_EQ(by_file.get("recipe"), "mine");
  EXPECT_EQ(by_file.get("beam"), "4");

  ASSERT_EQ(::setenv("ESPALIER_RECIPES", folder.path().c_str(), 1), 0);
  EXPECT_EQ(load_recipe("mine").to_json(), by_file.to_json());
  EXPECT_EQ(load_recipe("theirs/yours").get("beam"), "5");
  EXPECT_EQ(load_recipe("theirs/yours").get("recipe"), "yours");
  const auto recipes = list_recipes();
  EXPECT_TRUE(std::ranges::any_of(recipes, [](auto& r) { return r.name == "mine" && r.description == "my own"; }));
  for (const auto& [wrong, meant] : {std::pair("mime", "mine"), {"theirs/your", "theirs/yours"}}) {
    try {
      load_recipe(wrong);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(std::string(error.what()).find(fmt::format("did you mean '{}'", meant)), std::string::npos)
          << error.what();
    }
  }
  ::unsetenv("ESPALIER_RECIPES");
}

TEST(Recipe, AnotherRecipeForAPartTakesThePlaceOfWhatTheFileSaysAboutIt) {
  const std::string file =
      "recipe = \"committee\"\nlist = 4\nmember.0.recipe = \"cube\"\nmember.1.recipe = \"beam\"\n"
      "member.1.system = \"arc-eager\"\nmember.1.tags = \"jackknife:10\"";
  const auto changed = [&](const char* pair, const char* more) {
    Settings settings = parse_recipe(file, "file.toml"), changes;
    changes.set_pair(pair);
    changes.set_pair(more);
    change(settings, changes);
    return settings;
  };
  const Settings other = changed("member.1.recipe=mst", "member.1.order=2");
  EXPECT_FALSE(other.has("member.1.system"));
  EXPECT_EQ(other.get("member.1.recipe"), "mst");
  EXPECT_EQ(other.get("member.1.order"), "2");
  EXPECT_EQ(other.get("member.1.tags"), "jackknife:10") << "all parsers have tags";
  EXPECT_EQ(other.get("member.0.recipe"), "cube");
  EXPECT_EQ(changed("member.1.recipe=beam", "list=2").get("member.1.system"), "arc-eager");
}

TEST(Recipe, EveryShippedOneIsCompleteAndCommented) {
  for (const RecipeSummary& recipe : list_recipes()) {
    EXPECT_FALSE(recipe.description.empty()) << recipe.name;
    EXPECT_NE(recipe_text(recipe.name).find('#'), std::string::npos) << recipe.name;
    EXPECT_TRUE(load_recipe(recipe.name).has("recipe"));
  }
}

TEST(Recipe, KeysOfManyPartsAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 50'000; ++i) key += ".a";
  EXPECT_THROW(parse_recipe(key + " = 1", "deep.toml"), Error);
  EXPECT_THROW(parse_recipe("[" + key + "]\nb = 1", "deep.toml"), Error);
  EXPECT_THROW(parse_recipe("b = {" + key + " = 1}", "deep.toml"), Error);
  EXPECT_THROW(parse_recipe("b = " + std::string(50'000, '['), "deep.toml"), Error);
}

}  // namespace
}  // namespace espalier
