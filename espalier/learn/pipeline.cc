#include "espalier/learn/pipeline.h"

#include <algorithm>
#include <map>
#include <optional>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/jackknife.h"
#include "espalier/learn/objectives.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/tag_weight.h"
#include "espalier/parser/parse_all.h"
#include "espalier/parser/pipeline.h"

namespace espalier {
namespace {

/// Only a treebank that tells where words stand together teaches how to cut raw text.
bool tells_spaces(const std::vector<Sentence>& treebank) {
  return std::ranges::any_of(treebank, [](const Sentence& sentence) {
    return std::ranges::any_of(
        sentence.tokens, [](const Token& token) { return token.misc.find("SpaceAfter=No") != std::string::npos; });
  });
}

bool has_lemmas(const std::vector<Sentence>& treebank) {
  return std::ranges::any_of(treebank, [](const Sentence& sentence) {
    return std::ranges::any_of(sentence.tokens,
                               [](const Token& token) { return !token.lemma.empty() && token.lemma != "_"; });
  });
}

/// The stage's recipe with its changes; nothing if it is not wanted.
std::optional<Settings> stage_settings(const std::string& stage, const std::string& fallback, const Settings& settings,
                                       const TrainData& data) {
  std::string name = settings.text(stage + ".recipe", fallback, "recipe of the " + stage + " (empty: none)");
  if (stage == "tokenizer" && name == "auto") name = tells_spaces(data.train) ? "tokenizer" : "";
  if (stage == "lemmatizer" && name == "auto") name = has_lemmas(data.train) ? "lemmatizer" : "";
  if (name.empty()) return std::nullopt;
  Settings own = load_recipe(name);
  const std::string trainer = own.text("recipe", "", "");
  own.merge(Pipeline::settings_of(stage, settings));
  own.set("recipe", trainer);
  return own;
}

/// How a stage's tags are made. They are made here: its trainer need not predict them again.
int folds_of(const std::optional<Settings>& asked, std::optional<Settings>& stage) {
  if (!asked) return 0;
  stage->set("tags", "input");
  return jackknife_folds(*asked);
}

/// Before anything is trained.
void check_can_choose_tags(const std::optional<Settings>& tagger, const std::optional<Settings>& parser,
                           const TrainData& data, const Pipeline::Tagging& tagging) {
  if (!tagger || !parser) throw usage_error("taggings={}: needs a tagger and a parser", tagging.taggings);
  for (const auto& stage : {tagger, parser}) {
    if (!trains_kbest(*stage)) {
      throw usage_error("taggings={}: models of recipe '{}' have no k-best lists", tagging.taggings,
                        stage->text("recipe", "", ""));
    }
  }
  if (data.dev.empty() && tagging.weight == 0)
    throw usage_error("taggings={}: needs --dev to learn a tag-weight, or one that is set", tagging.taggings);
}

}  // namespace

Trained train_pipeline(const Settings& settings, const TrainData& data, const TrainContext& context) {
  const auto tokenizer = stage_settings("tokenizer", "auto", settings, data);
  const auto tagger = stage_settings("tagger", "tagger", settings, data);
  auto lemmatizer = stage_settings("lemmatizer", "auto", settings, data);
  auto parser = stage_settings("parser", "beam", settings, data);
  if (!tokenizer && !tagger && !lemmatizer && !parser)
    throw usage_error("a pipeline needs a stage: set tagger.recipe or parser.recipe");

  // A wrong setting of the last stage must not come to light when the first ones have been trained.
  const auto asked = parser, lemmas_asked = lemmatizer;
  const int parser_folds = folds_of(asked, parser), lemmatizer_folds = folds_of(lemmas_asked, lemmatizer);
  for (const auto& [stage, own] : {std::pair("tokenizer", &tokenizer),
                                   {"tagger", &tagger},
                                   {"lemmatizer", &std::as_const(lemmatizer)},
                                   {"parser", &std::as_const(parser)}}) {
    if (!*own) continue;
    check_settings(**own);
    settings.adopt_known(**own, std::string(stage) + ".");
  }
  if (lemmas_asked) settings.adopt_known(*lemmas_asked, "lemmatizer.");
  if (asked) {
    settings.adopt_known(*asked, "parser.");
    settings.know_prefix("");  // the parser has checked what is nobody else's
  } else {
    settings.know_prefix("parser.");  // a recipe's, when --set has left the parser out
  }
  Pipeline::Tagging tagging = Pipeline::tagging_of(settings, {});
  settings.check_all_known();
  if (context.check_only) return {};
  if (tagging.taggings > 1) check_can_choose_tags(tagger, parser, data, tagging);

  std::vector<Pipeline::Stage> stages;
  nlohmann::json reports = nlohmann::json::object();
  const auto add = [&](const std::string& stage, const Settings& own, const TrainData& stage_data) {
    Trained trained = train_stage(stage, own, stage_data, context);
    reports[stage] = std::move(trained.report);
    stages.push_back({stage, std::move(trained.parser)});
  };

  if (tokenizer) add("tokenizer", *tokenizer, data);
  if (tagger) add("tagger", *tagger, data);
  // What later stages learn from: the words with tags as they will get them.
  std::map<int, TrainData> tagged;  // by the number of folds
  const auto with_tags = [&](int folds) -> const TrainData& {
    if (!tagger) return data;
    const auto [place, is_new] = tagged.try_emplace(folds);
    if (is_new) {
      place->second = {folds ? jackknife_tags(data.train, folds, *tagger, context) : data.train, data.dev};
      if (parser) place->second.objectives = load_objectives(*parser, data, context);
      tag_unseen(*stages[Pipeline::tagger_of(stages)].parser, place->second, context.threads);
    }
    return place->second;
  };
  if (lemmatizer) add("lemmatizer", *lemmatizer, with_tags(lemmatizer_folds));
  if (parser) add("parser", *parser, with_tags(parser_folds));
  if (Pipeline::can_choose_tags(stages) && !data.dev.empty() && tagging.weight == 0) {
    constexpr int kLeast = 4;  // whoever loads the model may ask for more taggings than it was trained to use
    tagging.weight = fit_tag_weight(*stages[Pipeline::tagger_of(stages)].parser, *stages.back().parser, data.dev,
                                    std::max(tagging.taggings, kLeast), context.threads);
    reports["tag_weight"] = tagging.weight;
  }
  return {std::make_unique<Pipeline>(std::move(stages), tagging), std::move(reports)};
}

}  // namespace espalier
