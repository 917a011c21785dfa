#include "espalier/base/recipe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "espalier/base/builtin_texts.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/nesting.h"
#include "espalier/base/suggest.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

class Flattener {
 public:
  Flattener(const std::string& origin, Settings* settings) : origin_(origin), settings_(settings) {}

  void table(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) value(node, prefix + std::string(key.str()));
  }

 private:
  void value(const toml::node& node, const std::string& key) {
    if (const auto* nested = node.as_table()) {
      table(*nested, key + ".");
    } else if (const auto* array = node.as_array()) {
      list(*array, key);
    } else {
      set(node, key, scalar(node, key));
    }
  }

  /// [[objective]] tables are numbered; an array of plain values is one comma-separated value.
  void list(const toml::array& array, const std::string& key) {
    std::vector<std::string> items;
    for (size_t i = 0; i < array.size(); ++i) {
      if (const auto* entry = array[i].as_table()) {
        table(*entry, fmt::format("{}.{}.", key, i));
      } else {
        items.push_back(scalar(array[i], key));
      }
    }
    if (items.empty() && !array.empty()) return;
    if (items.size() != array.size()) fail(array, key, "mixes tables and values");
    set(array, key, fmt::format("{}", fmt::join(items, ",")));
  }

  void set(const toml::node& node, const std::string& key, std::string value) {
    if (settings_->has(Settings::spelled(key))) fail(node, key, "occurs twice (a hyphen is the same as an underscore)");
    settings_->set(key, std::move(value));
  }

  std::string scalar(const toml::node& node, const std::string& key) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    fail(node, key, "must be text, a number or true/false");
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& key, std::string_view what) const {
    throw Error(ErrorKind::kUsage, fmt::format("{}:{}: {} {}", origin_, node.source().begin.line, key, what));
  }

  const std::string& origin_;
  Settings* settings_;
};

fs::path user_folder() {
  const char* folder = std::getenv("ESPALIER_RECIPES");
  return folder ? folder : "";
}

/// Name to text of every recipe that can be named.
std::map<std::string, std::string> named_recipes() {
  std::map<std::string, std::string> recipes;
  for (const auto& [name, text] : builtin_recipes()) recipes.emplace(name, text);
  std::error_code ignored;
  if (const fs::path folder = user_folder(); !folder.empty()) {
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
      if (entry.path().extension() != ".toml") continue;
      recipes[entry.path().lexically_relative(folder).replace_extension()] = read_file(entry.path());
    }
  }
  return recipes;
}

/// Names of recipes may have a '/' (paper/l2s), and names of files may have none (mine.toml).
bool is_file_name(const std::string& name) {
  return name.ends_with(".toml") || (name.find('/') != std::string::npos && fs::exists(name));
}

}  // namespace

Settings parse_recipe(std::string_view toml, const std::string& origin) {
  Settings settings;
  // The TOML library limits how deep values nest, but not keys.
  if (most_dots_in_key(toml) > kDeepestNesting)
    throw usage_error("{}: a key of more than {} parts", origin, kDeepestNesting);
  try {
    const toml::table table = toml::parse(toml, origin);
    Flattener(origin, &settings).table(table, "");
  } catch (const toml::parse_error& error) {
    throw usage_error("{}:{}: {}", origin, error.source().begin.line, error.description());
  }
  return settings;
}

std::string recipe_text(const std::string& name_or_file) {
  if (is_file_name(name_or_file)) return read_file(name_or_file);
  const auto recipes = named_recipes();
  if (const auto it = recipes.find(name_or_file); it != recipes.end()) return it->second;
  std::vector<std::string> names;
  for (const auto& [name, text] : recipes) names.push_back(name);
  throw usage_error("there is no recipe '{}'{}; known are {}, or give a file NAME.toml", name_or_file,
                    suggestion(name_or_file, names), fmt::join(names, ", "));
}

Settings load_recipe(const std::string& name_or_file) {
  const std::string origin = is_file_name(name_or_file) ? name_or_file : name_or_file + ".toml";
  Settings settings = parse_recipe(recipe_text(name_or_file), origin);
  if (!settings.has("recipe")) settings.set("recipe", fs::path(origin).stem());
  return settings;
}

void change(Settings& recipe, const Settings& changes) {
  constexpr std::string_view kNamesPart = ".recipe";
  for (const auto& [key, value] : changes.values()) {
    if (!key.ends_with(kNamesPart) || !recipe.has(key) || recipe.get(key) == value) continue;
    const std::string part = key.substr(0, key.size() - kNamesPart.size() + 1), tags = part + "tags";
    const bool tagged = recipe.has(tags);
    const std::string kept = recipe.get(tags);
    recipe.erase_prefix(part);
    if (tagged) recipe.set(tags, kept);
  }
  recipe.merge(changes);
}

Settings load_recipe(const std::string& name_or_file, const Settings& changes) {
  Settings settings = load_recipe(name_or_file);
  const std::string trainer = settings.get("recipe");
  change(settings, changes);
  settings.set("recipe", trainer);
  return settings;
}

std::vector<RecipeSummary> list_recipes() {
  std::vector<RecipeSummary> summaries;
  for (const auto& [name, text] : named_recipes()) {
    summaries.push_back({name, parse_recipe(text, name + ".toml").get("description")});
  }
  return summaries;
}

}  // namespace espalier
