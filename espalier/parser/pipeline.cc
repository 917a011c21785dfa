#include "espalier/parser/pipeline.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

struct PipelineWorkspace : Workspace {
  using Workspace::Workspace;
  std::vector<std::unique_ptr<Workspace>> stages;
};

constexpr const char* kKind = "pipeline";
// The pipeline's own settings.
constexpr const char *kTaggings = "taggings", *kTagWeight = "tag_weight";
constexpr const char* kSavedWeight = "tag-weight";  // in model files
// For models that have learned none; in the units of transition parsers. 500 to 2000 did best with the shipped model.
constexpr double kUsualTagWeight = 1000;
constexpr const char* kClusters = "clusters";  // the tagger's and the parser's
constexpr const char* kLexicon = "lexicon";    // the lemmatizer's
constexpr const char* kStages = "stages";      // the stages to run
constexpr const char* kInit = "init";          // in training: the model for warm starts of all stages

}  // namespace

const std::vector<std::string>& Pipeline::stage_names() {
  static const std::vector<std::string> names = {"tokenizer", "tagger", "lemmatizer", "parser"};
  return names;
}

Settings Pipeline::settings_of(const std::string& name, const Settings& settings) {
  if (name == "lemmatizer") {  // `--set lexicon=FILE` works on a pipeline as on a lemmatizer
    Settings own;
    if (settings.has(kLexicon)) own.set(kLexicon, settings.get(kLexicon));
    own.merge(settings.with_prefix("lemmatizer."));
    return own;
  }
  if (name == "tagger") {  // `--set clusters=FILE` is for the parser and for the tagger
    Settings own;
    if (settings.has(kClusters)) own.set(kClusters, settings.get(kClusters));
    own.merge(settings.with_prefix("tagger."));
    return own;
  }
  if (name != "parser") return settings.with_prefix(name + ".");
  Settings own = settings;
  for (const std::string& stage : stage_names()) own.erase_prefix(stage + ".");
  for (const char* key : {kTaggings, kTagWeight, kLexicon, kStages, kInit}) own.erase(key);
  own.merge(settings.with_prefix("parser."));
  return own;
}

Pipeline::Tagging Pipeline::tagging_of(SettingsReader& settings, const Tagging& fallback) {
  return {settings.integer(kTaggings, fallback.taggings, 1, 1000,
                           "number of taggings from which tagger and parser together choose"),
          settings.real(kTagWeight, fallback.weight, 0, 1e9, "weight of the tagger's score beside the parser's")};
}

std::unique_ptr<Workspace> Pipeline::make_workspace() const {
  auto workspace = std::make_unique<PipelineWorkspace>(*this);
  for (const Stage& stage : stages_) workspace->stages.push_back(stage.parser->make_workspace());
  return workspace;
}

Workspace& Pipeline::stage_workspace(Workspace& workspace, size_t stage) const {
  return *own<PipelineWorkspace>(workspace).stages[stage];
}

size_t Pipeline::tagger_of(const std::vector<Stage>& stages) {
  return static_cast<size_t>(std::ranges::find(stages, "tagger", &Stage::name) - stages.begin());
}

bool Pipeline::can_choose_tags(const std::vector<Stage>& stages) {
  const size_t tagger = tagger_of(stages);
  return tagger < stages.size() && stages.back().name == "parser" && stages[tagger].parser->about().can.kbest &&
         stages.back().parser->about().can.kbest;
}

Pipeline::Pipeline(std::vector<Stage> stages, Tagging tagging) : stages_(std::move(stages)), tagging_(tagging) {
  if (!joint()) return;
  if (!can_choose_tags(stages_)) throw usage_error("{}: needs a tagger and a parser that have k-best lists", kTaggings);
  if (!(tagging_.weight > 0)) {
    throw usage_error("{}={}: the model has no {} (it learns one if it is trained with --dev); set one", kTaggings,
                      tagging_.taggings, kTagWeight);
  }
}

void Pipeline::run(size_t begin, size_t end, Sentence& sentence, Workspace& workspace, const Constraints& given) const {
  for (size_t i = begin; i < end; ++i) stages_[i].parser->parse(sentence, given, stage_workspace(workspace, i));
}

std::optional<TaggedAnalysis> Pipeline::choose_together(const Sentence& sentence, Workspace& workspace,
                                                        const Constraints& given) const {
  const size_t parser = stages_.size() - 1, tagger = tagger_of(stages_);
  const auto all = tagged_analyses(*stages_[tagger].parser, stage_workspace(workspace, tagger), *stages_[parser].parser,
                                   stage_workspace(workspace, parser), sentence, tagging_.taggings, given);
  if (all.empty()) return std::nullopt;  // a sentence without words
  return best_together(all, tagging_.weight);
}

void Pipeline::parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const {
  if (const auto chosen = prepare(sentence, workspace, given)) {
    annotate(sentence, chosen->analysis.analysis);
  } else {
    run(stages_.size() - 1, stages_.size(), sentence, workspace, given);
  }
}

/// Runs all stages but the last; if parser and tagger choose tags together, the tree is returned.
std::optional<TaggedAnalysis> Pipeline::prepare(Sentence& sentence, Workspace& workspace,
                                                const Constraints& given) const {
  if (!joint()) {
    run(0, stages_.size() - 1, sentence, workspace, given);
    return std::nullopt;
  }
  const size_t tagger = tagger_of(stages_);
  run(0, tagger, sentence, workspace, given);
  const auto chosen = choose_together(sentence, workspace, given);
  if (chosen) annotate(sentence, chosen->tags.analysis);
  run(tagger + 1, stages_.size() - 1, sentence, workspace, given);
  return chosen;
}

/// The sentence with the columns of all stages but the last.
Sentence Pipeline::prepared(const Sentence& sentence, Workspace& workspace, const Constraints& given) const {
  Sentence copy = sentence;
  prepare(copy, workspace, given);
  return copy;
}

KBestList Pipeline::list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const {
  // The list of the last stage needs its sentence as long as it is extended.
  auto seen = std::make_shared<Sentence>(prepared(sentence, workspace, given));
  auto list = std::make_shared<KBestList>(last().list(*seen, given, last_workspace(workspace)));
  return KBestList([seen, list](int k, std::vector<Candidate>& all) {
    const auto best = list->best(k);
    all.assign(best.begin(), best.end());
  });
}

std::vector<FeatureVector> Pipeline::features(const Sentence& sentence, std::span<const Candidate> candidates,
                                              Workspace& workspace, bool with_weights) const {
  const Inspectable* inner = last().inspect();
  if (!inner) return Inspectable::features(sentence, candidates, workspace, with_weights);
  return inner->features(prepared(sentence, workspace), candidates, last_workspace(workspace), with_weights);
}

std::vector<NamedFeature> Pipeline::feature_names(const Sentence& sentence, const Candidate& candidate,
                                                  Workspace& workspace) const {
  const Inspectable* inner = last().inspect();
  if (!inner) return {};
  return inner->feature_names(prepared(sentence, workspace), candidate, last_workspace(workspace));
}

Trace Pipeline::trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const {
  const Inspectable* inner = last().inspect();
  return inner ? inner->trace(sentence, candidate, last_workspace(workspace)) : Trace();
}

std::vector<Sentence> Pipeline::tokenize(const std::string& text, Workspace& workspace) const {
  return stages_.front().parser->tokenizer()->tokenize(text, stage_workspace(workspace, 0));
}

AboutParser Pipeline::about() const {
  AboutParser all = last().about();
  all.kind = kKind;
  all.predicts.clear();
  all.can.constrain = false;
  for (const Stage& stage : stages_) {
    const AboutParser one = stage.parser->about();
    std::ranges::copy(one.predicts, std::back_inserter(all.predicts));
    all.can.constrain |= one.can.constrain;
    all.most_words = std::min(all.most_words, one.most_words);
  }
  all.can.tokenize = tokenizer() != nullptr;
  return all;
}

nlohmann::json Pipeline::save(ModelWriter& writer, const std::string& prefix) const {
  nlohmann::json stages = nlohmann::json::array();
  for (const Stage& stage : stages_) {
    stages.push_back({{"name", stage.name}, {"part", save_part(*stage.parser, writer, prefix + stage.name + "/")}});
  }
  return {{"stages", std::move(stages)}, {kTaggings, tagging_.taggings}, {kSavedWeight, tagging_.weight}};
}

std::vector<Pipeline::Stage> load_stages(const std::string& file) {
  auto parser = load_parser(file);
  const AboutParser about = parser->about();
  if (about.kind == kKind) return std::move(static_cast<Pipeline&>(*parser).stages_);
  const char* name = about.can.tokenize             ? "tokenizer"
                     : about.does_predict("tags")   ? "tagger"
                     : about.does_predict("lemmas") ? "lemmatizer"
                                                    : "parser";
  std::vector<Pipeline::Stage> one;
  one.push_back({name, std::move(parser)});
  return one;
}

/// The stages to run: those named, "tokenizer,tagger", by default all.
static std::vector<std::string> wanted_stages(const nlohmann::json& stages, SettingsReader& overrides) {
  std::vector<std::string> all, wanted;
  for (const nlohmann::json& stage : stages) all.push_back(stage.at("name"));
  std::istringstream names(overrides.text(kStages, fmt::format("{}", fmt::join(all, ",")), "which stages are to run"));
  for (std::string name; std::getline(names, name, ',');) {
    if (std::ranges::find(all, name) == all.end())
      throw usage_error("{}: the model has no stage '{}'; it has {}", kStages, name, fmt::join(all, ", "));
    wanted.push_back(name);
  }
  return wanted;
}

std::unique_ptr<Parser> load_pipeline(const ModelPart& part, SettingsReader& overrides) {
  std::vector<Pipeline::Stage> stages;
  const std::vector<std::string> wanted = wanted_stages(part.metadata.at("stages"), overrides);
  for (const nlohmann::json& stage : part.metadata.at("stages")) {
    const std::string name = stage.at("name");
    if (std::ranges::find(wanted, name) == wanted.end()) continue;
    const nlohmann::json& metadata = stage.at("part");
    if (metadata.at("kind") == kKind) throw data_error(part.file->name(), 0, "a pipeline within a pipeline");
    SettingsReader own(Pipeline::settings_of(name, overrides.values()));
    stages.push_back({name, load_part({part.file, metadata, part.prefix + name + "/"}, own)});
    overrides.adopt(own.known(), name + ".");
    if (name == "parser" || name == "lemmatizer") overrides.adopt(own.known());
  }
  if (part.metadata.at("stages").empty()) throw data_error(part.file->name(), 0, "a pipeline without stages");
  if (stages.empty()) throw usage_error("{}: none is left", kStages);
  const nlohmann::json& learned = part.metadata;
  // Models of earlier versions, and those trained without --dev, have no weight.
  const double weight = learned.value(kSavedWeight, 0.0) > 0 ? learned.value(kSavedWeight, 0.0) : kUsualTagWeight;
  const int taggings = Pipeline::can_choose_tags(stages) ? learned.value(kTaggings, 1) : 1;
  const Pipeline::Tagging tagging = Pipeline::tagging_of(overrides, {taggings, weight});
  return std::make_unique<Pipeline>(std::move(stages), tagging);
}

}  // namespace espalier
