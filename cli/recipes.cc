// espalier recipes: the recipes with one line each, one of them in full, or everything that can be set about it.
#include <fmt/core.h>

#include <memory>

#include "cli/command.h"
#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/trainer.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string name;
  bool settings = false;
};

void run(const Options& options) {
  if (options.settings) {
    if (options.name.empty()) throw usage_error("--settings wants the name of a recipe");
    const Settings settings = load_recipe(options.name);
    check_settings(settings);
    for (const auto& [key, known] : settings.known())
      fmt::print("{:<24} {} (here: {})\n", key, known.help, known.value.empty() ? "none" : known.value);
  } else if (!options.name.empty()) {
    fmt::print("{}", recipe_text(options.name));
  } else {
    for (const RecipeSummary& recipe : list_recipes()) fmt::print("{:<16} {}\n", recipe.name, recipe.description);
  }
}

}  // namespace

void add_recipes_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("recipes", "List the recipes, print one of them, or all that it can set");
  command->add_option("NAME", options->name, "Recipe to print, with its comments");
  command->add_flag("--settings", options->settings, "All keys that --set takes with it, and their values");
  command->footer(
      "Examples:\n  espalier recipes\n  espalier recipes beam --settings\n"
      "  espalier recipes beam > my-beam.toml   # a start for your own");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
