// What makes any recipe's training small enough for a test of toy sentences.
#pragma once

#include <map>
#include <string>

#include "espalier/base/settings.h"

namespace espalier {

/// By the last part of a key.
inline const std::map<std::string, std::string>& small_settings() {
  static const std::map<std::string, std::string> all = {
      {"epochs", "1"},          {"bits", "10"},    {"folds", "2"},       {"filter_folds", "2"},
      {"min_lists", "1"},       {"beam", "4"},     {"width", "4"},       {"list", "4"},
      {"max_trees", "20"},      {"sample", "500"}, {"tune", "10"},       {"seeds", "1"},
      {"min_label_count", "1"}, {"tags", "input"}, {"least_lambda", "2"}};
  return all;
}

/// Changes those of `keys` that are among them.
template <class Keys>
void make_small(const Keys& keys, Settings& settings) {
  for (const auto& [key, value] : keys) {
    const auto small = small_settings().find(key.substr(key.rfind('.') + 1));
    if (small != small_settings().end()) settings.set(key, small->second);
  }
}

}  // namespace espalier
