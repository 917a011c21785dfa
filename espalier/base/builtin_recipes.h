// The texts of recipes/*.toml, compiled in by cmake/embed_recipes.cmake so that the program works without its sources.
#pragma once

#include <span>
#include <string_view>

namespace espalier {

struct BuiltinRecipe {
  std::string_view name, text;
};
std::span<const BuiltinRecipe> builtin_recipes();

}  // namespace espalier
