// The depth of nesting of a text, which is checked before a recursive parser reads it. Tested by nesting_test.cc.
#pragma once

#include <algorithm>
#include <string_view>

namespace espalier {

/// The limit; model files and recipes have a handful of levels.
inline constexpr int kDeepestNesting = 100;

/// The deepest level of brackets in JSON; those in strings do not count.
inline int json_depth(std::string_view json) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

/// The largest number of dots in a key of a TOML text ("a.b.c" has two): each is a table within a table.
inline int most_dots_in_key(std::string_view toml) {
  constexpr std::string_view kEndsKey = "=,{}[]\n";
  int dots = 0, most = 0;
  char quote = 0;
  for (size_t i = 0; i < toml.size(); ++i) {
    const char c = toml[i];
    if (quote) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote || c == '\n') quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      i = std::min(toml.find('\n', i), toml.size()) - 1;
    } else if (kEndsKey.find(c) != std::string_view::npos) {
      dots = 0;
    } else if (c == '.') {
      most = std::max(most, ++dots);
    }
  }
  return most;
}

}  // namespace espalier
