// The texts of recipes/*.toml, rules/*.rules, server/openapi.json and page/dist, compiled in by cmake/embed_texts.cmake
// so that the program works without its sources.
#pragma once

#include <span>
#include <string_view>

namespace espalier {

struct BuiltinText {
  std::string_view name, text;  ///< the file's name without its ending
};
std::span<const BuiltinText> builtin_recipes();
std::span<const BuiltinText> builtin_reorder_rules();
std::span<const BuiltinText> builtin_openapi();
std::span<const BuiltinText> builtin_page();

}  // namespace espalier
