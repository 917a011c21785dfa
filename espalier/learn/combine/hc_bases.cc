#include "espalier/learn/combine/hc_bases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/objective/objectives.h"

namespace espalier {
namespace {

std::string numbered(size_t i) { return fmt::format("{}.", i); }

std::vector<std::string> recipe_names(SettingsReader& settings) {
  std::vector<std::string> names;
  const std::string one = settings.text("base.recipe", "beam", "recipe of the parser whose lists are reranked");
  std::istringstream list(settings.text("bases", one, "several recipes, beam+cube: their lists are pooled"));
  for (std::string name; std::getline(list, name, '+');) names.push_back(name);
  for (size_t i = 0; settings.has("base." + numbered(i) + "recipe"); ++i) {
    names.resize(std::max(names.size(), i + 1));
    names[i] = settings.text("base." + numbered(i) + "recipe", "", "recipe of one of several parsers");
  }
  if (names.empty()) throw usage_error("bases: names no recipe");
  return names;
}

bool has_heuristics(const std::string& trainer) { return trainer == "beam" || trainer == "shift-reduce"; }

/// Applies the paper's names for updates of a beam, which has no margin there. Relaxed updates keep gold in the beam,
/// so a transition parser's epoch is chosen by how often it is there.
void apply_heuristic(const std::string& heuristic, Settings& own) {
  static const std::map<std::string, std::string> updates = {
      {"best", "hc-best"}, {"worst", "hc-worst"}, {"baseline", "early"}, {"max-violation", "max-violation"}};
  const std::string trainer = own.get("recipe");
  if (heuristic == "own" || !has_heuristics(trainer)) return;
  own.set("update", updates.at(heuristic));
  if (heuristic != "max-violation") own.set("margin", "0");
  if (trainer == "beam" && (heuristic == "best" || heuristic == "worst")) own.set("select", "gold-in-beam");
}

/// Checks that all parsers predict trees of one kind.
void check_base(const std::string& name, const Trainer& first, const Trainer& base) {
  const auto is_tree = [](const Trainer& trainer) {
    return trainer.predicts == "heads" || trainer.predicts == "constituents";
  };
  if (!is_tree(base))
    throw usage_error(
        "recipe '{}' predicts {}, but hc ranks trees: base.recipe can be beam, greedy, l2s, cube, mst or "
        "committee for dependencies, shift-reduce, chart, l2s-constituents or classify for constituents",
        name, base.predicts == "all" ? "several columns" : base.predicts);
  if (base.predicts != first.predicts)
    throw usage_error("recipe '{}' predicts {}, the first one {}: lists of such parsers cannot be joined", name,
                      base.predicts, first.predicts);
}

/// The settings of the objectives, which are passed on to the parsers.
Settings objectives_of(SettingsReader& settings) {
  Settings passed_on;
  Objectives::own_select(settings, {"own"});
  if (Objectives::from(settings).all.empty()) return passed_on;
  if (settings.has("models"))
    throw usage_error("objectives are for parsers in training; those of `models` are trained already");
  for (const auto& [key, value] : settings.values().values()) {
    if (key.starts_with("objective.") || (key == "select" && value != "own")) passed_on.set(key, value);
    if (key.starts_with("base.") && key.find(".objective.") != key.npos)
      throw usage_error("{}: there are objectives for all parsers already", key);
  }
  return passed_on;
}

}  // namespace

std::vector<HcBase> hc_bases(SettingsReader& settings) {
  const std::string heuristic =
      settings.choice("heuristic", "own", {"own", "best", "worst", "baseline", "max-violation"},
                      "updates of beam and shift-reduce: best, worst (relaxed), baseline (early), or the recipe's own");
  std::istringstream files(settings.text("models", "", "trained parsers instead of recipes, separated by commas"));
  std::vector<HcBase> bases;
  for (std::string file; std::getline(files, file, ',');)
    bases.push_back({fmt::format("base-{}", bases.size()), {}, {}, file});
  const Settings objectives = objectives_of(settings);
  const std::vector<std::string> names = recipe_names(settings);
  if (!bases.empty()) {
    settings.pass_on("base.");
    settings.pass_on("fold.");
    return bases;
  }
  const Settings changes = settings.values().with_prefix("base.");
  Settings shared = changes;
  for (size_t i = 0; i < names.size(); ++i) shared.erase_prefix(numbered(i));
  bool with_heuristic = false;

  for (size_t i = 0; i < names.size(); ++i) {
    const bool alone = names.size() == 1;
    Settings own = load_recipe(names[i]);
    const std::string trainer = own.get("recipe");
    if (trainer == "hc")
      throw usage_error("recipe '{}' is a reranker itself; base.recipe must be a parser: beam, cube, ...", names[i]);
    apply_heuristic(heuristic, own);
    own.merge(objectives);
    own.merge(shared);
    own.merge(changes.with_prefix(numbered(i)));
    own.set("recipe", trainer);
    Settings fold = own;
    fold.merge(settings.values().with_prefix("fold."));
    const HcBase& base =
        bases.emplace_back(HcBase{alone ? "base" : fmt::format("base-{}", i), configure(own), configure(fold), ""});
    check_base(names[i], *bases.front().whole, *base.whole);
    with_heuristic |= has_heuristics(trainer);
    if (!base.whole->has_kbest) throw usage_error("recipe '{}': its models have no k-best lists", names[i]);
    settings.adopt(base.whole->known, alone ? "base." : "base." + numbered(i));
    if (alone) settings.adopt(base.fold->known, "fold.");
  }
  if (heuristic != "own" && !with_heuristic)
    throw usage_error(
        "heuristic={}: needs a parser with a beam of states, and none of {} is one; base.recipe=beam and "
        "base.recipe=shift-reduce are; heuristic=own trains each by its own recipe",
        heuristic, fmt::join(names, ", "));
  settings.pass_on("base.");
  settings.pass_on("fold.");
  return bases;
}

std::string_view predicts_of_bases(const Settings& settings) {
  SettingsReader reader(settings);
  const std::vector<HcBase> bases = hc_bases(reader);
  return bases.front().whole ? bases.front().whole->predicts : "trees";
}

}  // namespace espalier
