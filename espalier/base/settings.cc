#include "espalier/base/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <iterator>

#include "espalier/base/error.h"
#include "espalier/base/json_text.h"
#include "espalier/base/suggest.h"

namespace espalier {
namespace {

/// The whole of `text` as a number, or nothing.
template <class Number>
bool parse_number(const std::string& text, Number* number) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, *number);
  return result.ec == std::errc() && result.ptr == end;
}

bool always_known(const std::string& key) { return key == "recipe" || key == "description"; }

}  // namespace

std::string Settings::spelled(std::string_view key) {
  std::string spelled(key);
  std::ranges::replace(spelled, '-', '_');
  const size_t last = spelled.rfind('.') + 1;  // 0 without a dot
  if (spelled.substr(last) == "C") spelled.replace(last, 1, "aggressiveness");
  return spelled;
}

void Settings::set_pair(std::string_view pair) {
  const size_t equals = pair.find('=');
  if (equals == std::string_view::npos || equals == 0) throw usage_error("--set needs key=value, not '{}'", pair);
  set(pair.substr(0, equals), std::string(pair.substr(equals + 1)));
}

std::string Settings::get(const std::string& key, const std::string& fallback) const {
  const auto it = values_.find(key);
  return it == values_.end() ? fallback : it->second;
}

void Settings::merge(const Settings& overrides) {
  for (const auto& [key, value] : overrides.values_) values_[key] = value;
}

void Settings::erase_prefix(const std::string& prefix) {
  std::erase_if(values_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

Settings Settings::with_prefix(const std::string& prefix) const {
  Settings part;
  for (const auto& [key, value] : values_) {
    if (key.starts_with(prefix)) part.values_[key.substr(prefix.size())] = value;
  }
  return part;
}

std::string SettingsReader::text(const std::string& key, const std::string& fallback, std::string_view help) {
  assert(key == Settings::spelled(key));
  const std::string value = values_.get(key, fallback);
  known_[key] = {value, fallback, std::string(help), {}};
  return value;
}

std::string SettingsReader::choice(const std::string& key, const std::string& fallback,
                                   const std::vector<std::string>& allowed, std::string_view help) {
  const std::string value = text(key, fallback, help);
  if (std::ranges::find(allowed, value) == allowed.end()) {
    throw usage_error("{}={}: must be one of {}{}", key, value, fmt::join(allowed, ", "), suggestion(value, allowed));
  }
  known_[key].choices = allowed;
  return value;
}

long SettingsReader::whole(const std::string& key, long fallback, long least, long most, std::string_view help) {
  const std::string value = text(key, std::to_string(fallback), help);
  long number = 0;
  if (!parse_number(value, &number) || number < least || number > most) {
    throw usage_error("{}={}: must be a whole number from {} to {}", key, value, least, most);
  }
  known_[key].choices = {std::to_string(least), std::to_string(most)};
  return number;
}

double SettingsReader::fraction(const std::string& key, double fallback, double least, double most,
                                std::string_view help) {
  const std::string value = text(key, fmt::format("{}", fallback), help);
  double number = 0;
  if (!parse_number(value, &number) || !(number >= least && number <= most)) {
    throw usage_error("{}={}: must be a number from {} to {}", key, value, least, most);
  }
  known_[key].choices = {fmt::format("{}", least), fmt::format("{}", most)};
  return number;
}

bool SettingsReader::flag(const std::string& key, bool fallback, std::string_view help) {
  const std::string value = text(key, fallback ? "true" : "false", help);
  known_[key].choices = {"true", "false"};
  if (value == "true" || value == "1" || value == "yes") return true;
  if (value == "false" || value == "0" || value == "no") return false;
  throw usage_error("{}={}: must be true or false", key, value);
}

void SettingsReader::adopt(const std::map<std::string, Known>& known, const std::string& prefix) {
  for (const auto& [key, entry] : known) known_.try_emplace(prefix + key, entry);
}

void SettingsReader::pass_on(const std::string& prefix) {
  for (const auto& [key, value] : values_.values()) {
    if (key.starts_with(prefix)) known_.try_emplace(key, Known{value, "", "passed on", {}});
  }
}

std::string SettingsReader::unknown() const {
  for (const auto& [key, value] : values_.values())
    if (!always_known(key) && !known_.contains(key)) return key;
  return "";
}

void SettingsReader::check_all_known() const {
  const std::string key = unknown();
  if (key.empty()) return;
  std::vector<std::string> names;
  std::string list;
  for (const auto& [name, known] : known_) {
    names.push_back(name);
    fmt::format_to(std::back_inserter(list), "\n  {:<24} {} (default: {})", name, known.help, known.fallback);
  }
  throw usage_error("unknown setting '{}'{}; known are:{}", key, suggestion(key, names), list);
}

nlohmann::json Settings::to_json() const { return values_; }

Settings Settings::from_json(const nlohmann::json& json) {
  Settings settings;
  for (const auto& [key, value] : json.items()) {
    settings.set(key, value.is_string() ? value.get<std::string>() : json_text(value));
  }
  return settings;
}

}  // namespace espalier
