// The settings of a recipe: flat `key = value` pairs from a TOML file, then from --set; and the reader through which
// parts read them. Tested by settings_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace espalier {

/// What was set. Keys are snake_case, with dots between parts; hyphens are accepted for underscores.
class Settings {
 public:
  /// Replaces an earlier value.
  void set(std::string_view key, std::string value) { values_[spelled(key)] = std::move(value); }
  /// "key=value", as given to --set; throws a usage Error if there is no '='.
  void set_pair(std::string_view pair);
  void erase(const std::string& key) { values_.erase(key); }
  void erase_prefix(const std::string& prefix);
  bool has(const std::string& key) const { return values_.contains(key); }
  /// The value, or `fallback`, without counting as read: parts read their settings through a SettingsReader.
  std::string get(const std::string& key, const std::string& fallback = "") const;

  /// Adds all of `overrides`, which win.
  void merge(const Settings& overrides);
  /// The settings of one stage: those whose key begins with `prefix` ("tagger."), without it.
  Settings with_prefix(const std::string& prefix) const;

  const std::map<std::string, std::string>& values() const { return values_; }
  nlohmann::json to_json() const;
  static Settings from_json(const nlohmann::json& json);

  /// The one spelling of a key: min-updates becomes min_updates, and former names the current ones.
  static std::string spelled(std::string_view key);

 private:
  std::map<std::string, std::string> values_;
};

/// Reads the settings of one part, or of several that share them, and records what can be set. Parts read every key
/// that they understand, whatever the values of others, with a default and one line of help.
class SettingsReader {
 public:
  struct Known {
    std::string value;  ///< in force
    std::string fallback;
    std::string help;
    std::vector<std::string> choices;  ///< all values; for numbers the least and the greatest; empty = any text
  };

  explicit SettingsReader(Settings values) : values_(std::move(values)) {}

  // Each returns the value that is set, or `fallback`, and throws a usage Error that names the key and what is allowed.
  std::string text(const std::string& key, const std::string& fallback, std::string_view help);
  std::string choice(const std::string& key, const std::string& fallback, const std::vector<std::string>& allowed,
                     std::string_view help);
  /// The same as a value of an enumeration, whose names `allowed` has in order.
  template <class Enum>
  requires std::is_enum_v<Enum> Enum choice(const std::string& key, Enum fallback,
                                            const std::vector<std::string>& allowed, std::string_view help) {
    const std::string value = choice(key, allowed[static_cast<size_t>(fallback)], allowed, help);
    return static_cast<Enum>(std::ranges::find(allowed, value) - allowed.begin());
  }
  /// A number of the fallback's type, if no other is named.
  template <std::integral Number>
  Number integer(const std::string& key, Number fallback, std::type_identity_t<Number> least,
                 std::type_identity_t<Number> most, std::string_view help) {
    return static_cast<Number>(
        whole(key, static_cast<long>(fallback), static_cast<long>(least), static_cast<long>(most), help));
  }
  template <std::floating_point Number = double>
  Number real(const std::string& key, double fallback, double least, double most, std::string_view help) {
    return static_cast<Number>(fraction(key, fallback, least, most, help));
  }
  bool flag(const std::string& key, bool fallback, std::string_view help);

  const Settings& values() const { return values_; }
  bool has(const std::string& key) const { return values_.has(key); }

  /// Adds what a stage has read, under its prefix; keys that were read here before are not changed.
  void adopt(const std::map<std::string, Known>& known, const std::string& prefix = "");
  /// Counts all keys under `prefix` as read: the stage that gets them checks them itself.
  void pass_on(const std::string& prefix);

  /// A key that is set and that nobody has read (`recipe` and `description` are always known); "" if there is none.
  std::string unknown() const;
  /// Throws a usage Error that lists what is known, if there is one.
  void check_all_known() const;
  /// Everything that can be set, for --help, `info` and the model's metadata.
  const std::map<std::string, Known>& known() const { return known_; }

 private:
  long whole(const std::string& key, long fallback, long least, long most, std::string_view help);
  double fraction(const std::string& key, double fallback, double least, double most, std::string_view help);

  Settings values_;
  std::map<std::string, Known> known_;
};

}  // namespace espalier
