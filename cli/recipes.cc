// espalier recipes: the recipes with one line each, or one of them in full.
#include <fmt/core.h>

#include <memory>

#include "cli/command.h"
#include "espalier/parser/settings.h"

namespace espalier::cli {

void add_recipes_command(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("recipes", "List the recipes, or print one of them with its comments");
  command->add_option("NAME", *name, "Recipe to print");
  command->footer("Examples:\n  espalier recipes\n  espalier recipes beam > my-beam.toml   # a start for your own");
  command->callback([name] {
    if (!name->empty()) {
      fmt::print("{}", recipe_text(*name));
      return;
    }
    for (const RecipeSummary& recipe : list_recipes()) fmt::print("{:<16} {}\n", recipe.name, recipe.description);
  });
}

}  // namespace espalier::cli
