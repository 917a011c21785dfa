# Writes OUTPUT, a C++ source with the texts of the recipes in folder RECIPES: cmake -DRECIPES=... -DOUTPUT=... -P this.
file(GLOB recipes ${RECIPES}/*.toml)
set(entries "")
set(count 0)
foreach(recipe ${recipes})
  get_filename_component(name ${recipe} NAME_WE)
  file(READ ${recipe} text)
  string(APPEND entries "    {\"${name}\", R\"recipe(${text})recipe\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Generated from recipes/*.toml.
#include <array>

#include \"espalier/base/builtin_recipes.h\"

namespace espalier {
namespace {

constexpr std::array<BuiltinRecipe, ${count}> kRecipes = {{
${entries}}};

}  // namespace

std::span<const BuiltinRecipe> builtin_recipes() { return kRecipes; }

}  // namespace espalier
")
