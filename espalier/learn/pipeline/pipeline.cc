#include "espalier/learn/pipeline/pipeline.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/objective/objectives.h"
#include "espalier/learn/pipeline/jackknife.h"
#include "espalier/learn/pipeline/tag_weight.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/warm_start.h"
#include "espalier/parser/parse_all.h"
#include "espalier/parser/pipeline.h"

namespace espalier {
namespace {

bool tells_spaces(const Sentence& sentence) {
  return std::ranges::any_of(sentence.tokens,
                             [](const Token& token) { return token.misc.find("SpaceAfter=No") != std::string::npos; });
}

/// Whether the treebank marks words without space between them (SpaceAfter=No), which a tokenizer needs.
bool tells_spaces(const std::vector<Sentence>& treebank) {
  return std::ranges::any_of(treebank, [](const Sentence& sentence) { return tells_spaces(sentence); });
}

/// The sentences for a tokenizer: those that mark spaces. Trees over plain words, such as those that another parser
/// made, would teach it that all words are separated by spaces.
TrainData with_text(const TrainData& data) {
  TrainData told{{}, data.dev};
  for (const Sentence& sentence : data.train) {
    const auto is_text = [](const std::string& comment) { return comment.starts_with("# text"); };
    if (tells_spaces(sentence) || std::ranges::any_of(sentence.comments, is_text)) told.train.push_back(sentence);
  }
  return told;
}

bool has_lemmas(const std::vector<Sentence>& treebank) {
  return std::ranges::any_of(treebank, [](const Sentence& sentence) {
    return std::ranges::any_of(sentence.tokens, [](const Token& token) { return is_given(token.lemma); });
  });
}

std::unique_ptr<Parser> stage_of(const std::string& file, const std::string& name) {
  for (Pipeline::Stage& stage : load_stages(file))
    if (stage.name == name) return std::move(stage.parser);
  throw usage_error("{}.init={}: there is no {} in it", name, file, name);
}

/// The model of a pipeline's warm start (train --init).
struct Before {
  std::string file;
  std::vector<std::string> stages;

  explicit Before(std::string model) : file(std::move(model)) {
    if (!file.empty())
      for (const Pipeline::Stage& stage : load_stages(file)) stages.push_back(stage.name);
  }
  std::string file_of(const std::string& stage) const {
    return std::ranges::find(stages, stage) == stages.end() ? "" : file;
  }
};

/// A configured stage, which is trained always or if the treebank has its annotation.
struct Stage {
  std::optional<Trainer> trainer;
  std::string taken_over = "";        // the model file from which it is taken unchanged; "" = it is trained
  bool learned_if_it_can_be = false;  // ... and taken only if the treebank lacks its annotation
  bool (*wanted)(const std::vector<Sentence>& treebank) = nullptr;
  int folds = 0;  // of jackknifed tags; 0 = tags as the tagger predicts them

  const Trainer* in(const TrainData& data) const {
    const bool trains = taken_over.empty() || learned_if_it_can_be;
    return trainer && trains && (!wanted || wanted(data.train)) ? &*trainer : nullptr;
  }
};

/// `wanted`: whether recipe "auto" means a stage.
Stage configure_stage(const std::string& stage, const std::string& fallback, const Before& before,
                      SettingsReader& settings, bool (*wanted)(const std::vector<Sentence>&) = nullptr) {
  const std::string key = stage + ".";
  std::string name = settings.text(key + "recipe", fallback, "recipe of the " + stage + " (empty: none)");
  const bool automatic = wanted && name == "auto";
  if (automatic) name = stage;
  if (name.empty()) return {};
  Settings own = load_recipe(name, Pipeline::settings_of(stage, settings.values()));
  Stage configured;
  const bool learns_on = stage == "tagger" || stage == "parser";
  const std::string init =
      settings.text(key + "init", before.file_of(stage),
                    learns_on ? "model file whose weights training begins with (train --init); empty: trained from zero"
                              : "model file whose " + stage + " is used unchanged (train --init); empty: trained");
  own.erase("init");
  const std::string from =
      learns_on ? settings.text(key + "from", "", "model file whose " + stage + " is used unchanged; empty: trained")
                : "";
  own.erase("from");
  if (!from.empty()) {
    stage_of(from, stage);
    configured.taken_over = from;
  } else if (learns_on && !init.empty()) {
    if (!configure(own).known.contains("init"))
      throw usage_error("recipe {} of the {} has no warm start: --set {}init= trains it from zero", name, stage, key);
    own.set("init", init);
  } else if (!init.empty()) {
    stage_of(init, stage);
    configured.taken_over = init;
    // Lemmas depend on tags, and the new tags may differ from those that the lemmatizer knows.
    configured.learned_if_it_can_be = stage == "lemmatizer" && !settings.has(key + "init");
  }
  if (stage == "parser" || stage == "lemmatizer") {
    // Its tags are predicted here, so its trainer must not predict them again.
    SettingsReader asked(own);
    configured.folds = jackknife_folds(asked);
    settings.adopt(asked.known(), key);
    own.set("tags", "input");
  }
  configured.trainer = configure(own);
  if (automatic) configured.wanted = wanted;
  settings.adopt(configured.trainer->known, key);
  return configured;
}

struct Stages {
  Before before;
  Stage tokenizer, tagger, lemmatizer, parser;
  Pipeline::Tagging tagging;

  bool takes_over() const {
    return std::ranges::any_of(std::array{&tokenizer, &tagger, &lemmatizer, &parser},
                               [](const Stage* stage) { return !stage->taken_over.empty(); });
  }

  explicit Stages(SettingsReader& settings)
      : before(init_file(settings)),
        tokenizer(configure_stage("tokenizer", "auto", before, settings, tells_spaces)),
        tagger(configure_stage("tagger", "tagger", before, settings)),
        lemmatizer(configure_stage("lemmatizer", "auto", before, settings, has_lemmas)),
        parser(configure_stage("parser", "beam", before, settings)) {
    // The parser has checked all keys without a stage; without a parser, a recipe may still have keys for it.
    settings.pass_on(parser.trainer ? "" : "parser.");
    tagging = Pipeline::tagging_of(settings, {});
    if (tagging.taggings == 1) return;
    for (const Stage* stage : {&tagger, &parser}) {
      if (!stage->trainer) throw usage_error("taggings={}: needs a tagger and a parser", tagging.taggings);
      if (!stage->trainer->has_kbest) {
        throw usage_error("taggings={}: models of recipe '{}' have no k-best lists", tagging.taggings,
                          stage->trainer->settings.get("recipe"));
      }
    }
  }
};

Trained train_pipeline(const Stages& plan, const TrainData& data, const TrainContext& context) {
  Pipeline::Tagging tagging = plan.tagging;
  if (tagging.taggings > 1 && data.dev.empty() && tagging.weight == 0)
    throw usage_error("taggings={}: needs --dev to learn a tag_weight, or one that is set", tagging.taggings);
  const Trainer *tokenizer = plan.tokenizer.in(data), *tagger = plan.tagger.in(data),
                *lemmatizer = plan.lemmatizer.in(data), *parser = plan.parser.in(data);
  if (!tokenizer && !tagger && !lemmatizer && !parser && !plan.takes_over())
    throw usage_error("a pipeline needs a stage: set tagger.recipe or parser.recipe");

  std::vector<Pipeline::Stage> stages;
  nlohmann::json reports = nlohmann::json::object();
  const auto add = [&](const std::string& stage, const Trainer& trainer, const TrainData& stage_data) {
    Trained trained = train_stage(stage, trainer, stage_data, context);
    reports[stage] = std::move(trained.report);
    stages.push_back({stage, std::move(trained.parser)});
  };

  const auto take_over = [&](const std::string& stage, const std::string& file, const Trainer* trainer) {
    if (file.empty() || trainer) return;
    context.note(fmt::format("the {} is taken unchanged from {} (--set {}.{}= trains a new one)", stage, file, stage,
                             stage == "tagger" || stage == "parser" ? "from" : "init"));
    reports[stage] = {{"taken_over", true}};
    stages.push_back({stage, stage_of(file, stage)});
  };

  take_over("tokenizer", plan.tokenizer.taken_over, tokenizer);
  if (tokenizer) add("tokenizer", *tokenizer, with_text(data));
  take_over("tagger", plan.tagger.taken_over, tagger);
  if (tagger) add("tagger", *tagger, data);
  const bool predicts_tags = tagger || !plan.tagger.taken_over.empty();
  // Data for later stages: words with predicted tags.
  std::map<int, TrainData> tagged;  // by the number of folds
  const auto with_tags = [&](int folds) -> const TrainData& {
    if (!predicts_tags) return data;
    const auto [place, is_new] = tagged.try_emplace(folds);
    if (is_new) {
      place->second = {folds ? jackknife_tags(data.train, folds, *plan.tagger.trainer, context) : data.train, data.dev};
      if (parser) place->second.objectives = load_objectives(parser->settings, data, context);
      tag_unseen(*stages[Pipeline::tagger_of(stages)].parser, place->second, context.threads);
    }
    return place->second;
  };
  take_over("lemmatizer", plan.lemmatizer.taken_over, lemmatizer);
  if (lemmatizer) add("lemmatizer", *lemmatizer, with_tags(plan.lemmatizer.folds));
  take_over("parser", plan.parser.taken_over, parser);
  if (parser) add("parser", *parser, with_tags(plan.parser.folds));
  if (Pipeline::can_choose_tags(stages) && !data.dev.empty() && tagging.weight == 0) {
    constexpr int kLeast = 4;  // users of the model may ask for more taggings than it was trained to use
    tagging.weight = fit_tag_weight(*stages[Pipeline::tagger_of(stages)].parser, *stages.back().parser, data.dev,
                                    std::max(tagging.taggings, kLeast), context.threads);
    reports["tag_weight"] = tagging.weight;
  }
  return {std::make_unique<Pipeline>(std::move(stages), tagging), std::move(reports)};
}

}  // namespace

TrainFunction configure_pipeline(SettingsReader& settings) {
  return [stages = Stages(settings)](const TrainData& data, const TrainContext& context) {
    return train_pipeline(stages, data, context);
  };
}

}  // namespace espalier
