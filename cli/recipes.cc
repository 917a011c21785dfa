// espalier recipes: the recipes with one line each, one of them in full, or all its settings.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/command.h"
#include "espalier/app/train.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

struct RecipesArguments {
  std::string name;
  bool settings = false;
};

/// "1 to 64", or "early, standard"; nothing if any text may be.
std::string possible(const std::vector<std::string>& choices) {
  const bool numbers = choices.size() == 2 && choices[0].find_first_not_of("-+.0123456789e") == std::string::npos;
  return fmt::format("{}", fmt::join(choices, numbers ? " to " : ", "));
}

void run_recipes(const RecipesArguments& options) {
  if (options.settings) {
    if (options.name.empty()) throw usage_error("--settings needs the name of a recipe");
    for (const auto& setting : recipe_settings(options.name)) {
      const std::string value = setting["value"], choices = possible(setting["choices"]);
      fmt::print("{:<24} {} (here: {}{})\n", setting["key"].get<std::string>(), setting["help"].get<std::string>(),
                 value.empty() ? "none" : value, choices.empty() ? "" : "; " + choices);
    }
  } else if (!options.name.empty()) {
    fmt::print("{}", recipe_source(options.name));
  } else {
    for (const auto& recipe : recipes())
      fmt::print("{:<16} {}\n", recipe["name"].get<std::string>(), recipe["description"].get<std::string>());
  }
}

}  // namespace

void add_recipes_command(CLI::App& app) {
  auto options = std::make_shared<RecipesArguments>();
  Command command(app, "recipes", "List the recipes, print one of them, or all its settings");
  command.option("NAME", options->name, "Recipe to print, with its comments");
  command.flag("--settings", options->settings, "All keys that --set takes with it, and their values");
  command.footer(
      "Examples:\n  espalier recipes\n  espalier recipes beam --settings\n"
      "  espalier recipes beam > my-beam.toml   # a start for your own");
  command.action([options] { run_recipes(*options); });
}

}  // namespace espalier::cli
