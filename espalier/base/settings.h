// The values of a recipe: flat `key = value` pairs from a TOML file, then from --set. Parts ask for what they
// understand, with a default and one line of help; what nobody asked for is an error that lists what is known.
// Tested by settings_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

class Settings {
 public:
  struct Known {
    std::string value;  ///< in force
    std::string fallback;
    std::string help;
  };

  /// Overrides win over what is there.
  void set(std::string key, std::string value) { values_[std::move(key)] = std::move(value); }
  /// "key=value", as given to --set; throws a usage Error if there is no '='.
  void set_pair(std::string_view pair);
  void erase(const std::string& key) { values_.erase(key), known_.erase(key); }
  void erase_prefix(const std::string& prefix);
  bool has(const std::string& key) const { return values_.contains(key); }

  // Each returns the value in force, or `fallback`. They throw a usage Error that names the key and what is allowed.
  std::string text(const std::string& key, const std::string& fallback, std::string_view help) const;
  std::string choice(const std::string& key, const std::string& fallback, const std::vector<std::string>& allowed,
                     std::string_view help) const;
  long integer(const std::string& key, long fallback, long least, long most, std::string_view help) const;
  double real(const std::string& key, double fallback, double least, double most, std::string_view help) const;
  bool flag(const std::string& key, bool fallback, std::string_view help) const;

  /// Adds all of `overrides`, which win.
  void merge(const Settings& overrides);
  /// The settings of one stage: those whose key begins with `prefix` ("tagger."), without it.
  Settings with_prefix(const std::string& prefix) const;
  /// Counts what a stage has asked for as asked for here, under its prefix.
  void adopt_known(const Settings& part, const std::string& prefix = "") const;

  /// Counts every key under `prefix` as asked for: a stage that sees them checks them itself.
  void know_prefix(const std::string& prefix) const;

  /// Throws a usage Error if a key was set that no part has asked for (`recipe` and `description` are always known).
  /// A trainer calls it when it has asked for everything, before the long work begins.
  void check_all_known() const;
  /// Everything asked for so far, for --help, `info` and the model's metadata.
  const std::map<std::string, Known>& known() const { return known_; }

  nlohmann::json to_json() const;
  static Settings from_json(const nlohmann::json& json);

 private:
  std::map<std::string, std::string> values_;
  mutable std::map<std::string, Known> known_;
};

}  // namespace espalier
