// "Did you mean ...?": the known word nearest to a mistyped one. Tested by suggest_test.cc.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

/// Levenshtein's distance, in bytes. O(|a||b|).
inline size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

/// " (did you mean 'beam'?)", or "" if no known word is similar: at most half of the word may differ.
inline std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const auto distance = [&](const std::string& other) { return edit_distance(word, other); };
  const auto nearest = std::ranges::min_element(known, {}, distance);
  if (nearest == known.end() || distance(*nearest) > std::max<size_t>(1, word.size() / 2)) return "";
  return " (did you mean '" + *nearest + "'?)";
}

}  // namespace espalier
