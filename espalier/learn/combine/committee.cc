#include "espalier/learn/combine/committee.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/combine/vote_weights.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/root_rule.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/combine/committee.h"

namespace espalier {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> pieces;
  std::istringstream stream(text);
  for (std::string piece; std::getline(stream, piece, ',');)
    if (!piece.empty()) pieces.push_back(piece);
  return pieces;
}

/// A member that is still to be trained.
struct Plan {
  Trainer trainer;
  long seed;  // -1 = that of the committee
};

/// check_members would say so, too, but only when they are trained.
void check_plan(size_t member, const std::string& recipe, std::span<const Plan> others, const Plan& plan) {
  if (plan.trainer.predicts != "heads" && plan.trainer.predicts != "constituents")
    throw usage_error(
        "member.{}.recipe={}: members predict trees, and only them: beam, greedy, l2s, cube, mst or hc for "
        "dependencies, shift-reduce, chart, l2s-constituents, classify or hc over them for constituents",
        member, recipe);
  if (plan.trainer.settings.get("recipe") == "committee")
    throw usage_error("member.{}.recipe={}: a committee's members are parsers: beam, cube, shift-reduce, hc ...",
                      member, recipe);
  if (!others.empty() && others.front().trainer.predicts != plan.trainer.predicts)
    throw usage_error("member.{}.recipe={} makes {}, the first member {}: they cannot vote together", member, recipe,
                      plan.trainer.predicts, others.front().trainer.predicts);
  for (size_t i = 0; i < others.size(); ++i)
    if (others[i].seed == plan.seed && others[i].trainer.settings.to_json() == plan.trainer.settings.to_json())
      throw usage_error("members {} and {} are the same parser; another seed (member.{}.seed=2) or setting makes two",
                        i, member, member);
}

std::vector<Plan> plans_of(SettingsReader& settings) {
  std::vector<Plan> plans;
  for (size_t i = 0;; ++i) {
    const std::string key = fmt::format("member.{}.", i);
    const std::string recipe = settings.text(key + "recipe", "", "recipe of a member (empty: no more members)");
    if (recipe.empty()) return plans;
    Settings own = load_recipe(recipe, settings.values().with_prefix(key));
    own.erase("seed");
    const long seed = settings.integer(key + "seed", -1L, -1, 1L << 53, "seed of this member; -1 = that of --seed");
    Plan plan{configure(own), seed};
    check_plan(i, recipe, plans, plan);
    plans.push_back(std::move(plan));
    settings.adopt(plans.back().trainer.known, key);
  }
}

struct CommitteeOptions {
  std::vector<std::string> files;  // of members that are trained
  std::vector<Plan> plans;
  int list;
  std::string weighing, crossing;
  double bracket_share;

  explicit CommitteeOptions(SettingsReader& s) {
    files = split(s.text("members", "", "model files, separated by commas; else recipes: member.0.recipe, ..."));
    for (auto file = files.begin(); file != files.end(); ++file)
      if (std::find(files.begin(), file, *file) != file)
        throw usage_error("members: '{}' is listed twice; a parser has one vote", *file);
    if (files.empty()) {
      plans = plans_of(s);
    } else {
      s.pass_on("member.");
    }
    list = s.integer("list", 4, 1, 1024, "trees that a member votes with, at most");
    weighing = s.choice("weights", "fit", {"fit", "equal"}, "votes weighted by dev, or equal");
    crossing =
        s.choice("projective", "auto", {"auto", "true", "false"}, "no crossing arcs; auto: what is better on dev");
    bracket_share = s.real("bracket_share", 0, 0, 0.99,
                           "of constituents: share of the votes that a bracket needs; 0: what is best on dev");
    if (files.empty() && plans.empty()) throw usage_error("a committee needs members: set members or member.0.recipe");
  }
};

Trained train_committee(const CommitteeOptions& options, const TrainData& data, const TrainContext& context) {
  const auto& [files, plans, list, weighing, crossing, bracket_share] = options;
  nlohmann::json report = nlohmann::json::object();
  std::vector<Committee::Member> members;
  for (const std::string& file : files) members.push_back({load_parser(file), {}});
  for (const Plan& plan : plans) {
    const std::string stage = fmt::format("member.{}", members.size());
    TrainContext own = context;
    if (plan.seed >= 0) own.seed = static_cast<uint64_t>(plan.seed);
    Trained trained = train_stage(stage, plan.trainer, data, own);
    report[stage] = std::move(trained.report);
    members.push_back({std::move(trained.parser), {}});
  }

  TreeKind kind{.single_root = has_single_roots(RootRule::kAuto, data.train), .projective = crossing == "true"};
  kind.constituents = check_members(members);
  if (bracket_share > 0) kind.bracket_share = bracket_share;
  if (!data.dev.empty()) {
    std::vector<const Parser*> parsers;
    for (const auto& member : members) parsers.push_back(member.parser.get());
    const Opinions opinions = opinions_of(parsers, data.dev, weighing == "fit" ? list : 1, context.threads);
    std::vector<VoteWeight> vote_weights(members.size());
    const auto right = [&](TreeKind tried) {
      return right_parts(opinions, data.dev, vote_weights, tried, context.threads);
    };
    const auto with = [&](auto TreeKind::*choice, auto value) {
      TreeKind tried = kind;
      tried.*choice = value;
      return tried;
    };
    if (crossing == "auto" && !kind.constituents)
      kind.projective = right(with(&TreeKind::projective, true)) > right(with(&TreeKind::projective, false));
    if (weighing == "fit") fit_vote_weights(opinions, data.dev, kind, context.threads, vote_weights);
    for (const double share : {0.3, 0.35, 0.4, 0.45, 0.55, 0.6})
      if (const TreeKind tried = with(&TreeKind::bracket_share, share);
          kind.constituents && bracket_share == 0 && right(tried) > right(kind))
        kind = tried;
    for (size_t m = 0; m < members.size(); ++m) members[m].vote = vote_weights[m];
  }
  auto committee = std::make_unique<Committee>(std::move(members), kind, list);
  if (!data.dev.empty()) report["dev"] = score_on_dev(*committee, data.dev, context.threads).details;
  return {std::move(committee), std::move(report)};
}

}  // namespace

TrainFunction configure_committee(SettingsReader& settings) {
  return [options = CommitteeOptions(settings)](const TrainData& data, const TrainContext& context) {
    return train_committee(options, data, context);
  };
}

std::string_view predicts_of_members(const Settings& settings) {
  SettingsReader reader(settings);
  const CommitteeOptions options(reader);
  return options.plans.empty() ? "trees" : options.plans.front().trainer.predicts;
}

}  // namespace espalier
