// Recipes: commented TOML files, compiled into the program, that choose a trainer and its settings.
// Tested by recipe_test.cc, fuzz/recipe_fuzz.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/settings.h"

namespace espalier {

/// Reads a recipe: a name ("beam", "paper/l2s": NAME.toml in the folder $ESPALIER_RECIPES, else among those built in
/// from recipes/) or a TOML file (anything that ends in .toml, or has a '/' and is there). Key `recipe` of the result
/// names the registered part that trains it; it is the recipe's own name unless the text says otherwise. TOML tables
/// become dotted keys ("tagger.epochs", "objective.0.loss"), arrays of plain values become comma-separated text. Tested
/// by recipe_test.cc.
Settings load_recipe(const std::string& name_or_file);
/// Changes a recipe's settings. If the changes name another recipe for one of its parts (member.1.recipe), the settings
/// of that part, which belonged to the former recipe, are dropped, except `tags`, which all parsers have.
void change(Settings& recipe, const Settings& changes);
/// load_recipe, then `change`. The trainer stays the recipe's own: a key `recipe` of the changes is the recipe's
/// name.
Settings load_recipe(const std::string& name_or_file, const Settings& changes);
/// `origin` names the text in messages.
Settings parse_recipe(std::string_view toml, const std::string& origin);
/// The recipe as written, comments and all.
std::string recipe_text(const std::string& name_or_file);

struct RecipeSummary {
  std::string name, description;
};
std::vector<RecipeSummary> list_recipes();

}  // namespace espalier
