#include "espalier/parser/pipeline.h"

#include <algorithm>

#include "espalier/base/error.h"

namespace espalier {
namespace {

struct PipelineWorkspace : Workspace {
  using Workspace::Workspace;
  std::vector<std::unique_ptr<Workspace>> stages;
};

// The pipeline's own settings.
constexpr const char *kTaggings = "taggings", *kTagWeight = "tag-weight";

}  // namespace

const std::vector<std::string>& Pipeline::stage_names() {
  static const std::vector<std::string> names = {"tokenizer", "tagger", "parser"};
  return names;
}

Settings Pipeline::settings_of(const std::string& name, const Settings& settings) {
  if (name != "parser") return settings.with_prefix(name + ".");
  Settings own = settings;
  for (const std::string& stage : stage_names()) own.erase_prefix(stage + ".");
  for (const char* key : {kTaggings, kTagWeight}) own.erase_prefix(key);
  own.merge(settings.with_prefix("parser."));
  return own;
}

Pipeline::Tagging Pipeline::tagging_of(const Settings& settings, const Tagging& fallback) {
  return {static_cast<int>(settings.integer(kTaggings, fallback.taggings, 1, 1000,
                                            "best taggings among which the parser helps to choose")),
          settings.real(kTagWeight, fallback.weight, 0, 1e9, "of the tagger's score beside the parser's")};
}

std::unique_ptr<Workspace> Pipeline::make_workspace() const {
  auto workspace = std::make_unique<PipelineWorkspace>(*this);
  for (const Stage& stage : stages_) workspace->stages.push_back(stage.parser->make_workspace());
  return workspace;
}

Workspace& Pipeline::stage_workspace(Workspace& workspace, size_t stage) const {
  return *own<PipelineWorkspace>(workspace).stages[stage];
}

bool Pipeline::can_choose_tags(const std::vector<Stage>& stages) {
  if (stages.size() < 2 || stages[stages.size() - 2].name != "tagger" || stages.back().name != "parser") return false;
  return stages[stages.size() - 2].parser->has_kbest() && stages.back().parser->has_kbest();
}

Pipeline::Pipeline(std::vector<Stage> stages, Tagging tagging) : stages_(std::move(stages)), tagging_(tagging) {
  if (!joint()) return;
  if (!can_choose_tags(stages_)) throw usage_error("{}: needs a tagger and a parser that have k-best lists", kTaggings);
  if (!(tagging_.weight > 0)) {
    throw usage_error("{}={}: the model has no {} (it learns one if it is trained with --dev); set one", kTaggings,
                      tagging_.taggings, kTagWeight);
  }
}

void Pipeline::parse_up_to(size_t stage, Sentence& sentence, Workspace& workspace) const {
  for (size_t i = 0; i < stage; ++i) stages_[i].parser->parse(sentence, stage_workspace(workspace, i));
}

std::optional<TaggedAnalysis> Pipeline::choose_together(const Sentence& sentence, Workspace& workspace) const {
  const size_t parser = stages_.size() - 1, tagger = parser - 1;
  const auto all = tagged_analyses(*stages_[tagger].parser, stage_workspace(workspace, tagger), *stages_[parser].parser,
                                   stage_workspace(workspace, parser), sentence, tagging_.taggings);
  if (all.empty()) return std::nullopt;  // a sentence without words
  return best_together(all, tagging_.weight);
}

void Pipeline::parse(Sentence& sentence, Workspace& workspace) const {
  if (!joint()) return parse_up_to(stages_.size(), sentence, workspace);
  parse_up_to(stages_.size() - 2, sentence, workspace);
  const auto chosen = choose_together(sentence, workspace);
  if (!chosen) return;
  annotate(sentence, chosen->tags.analysis);
  annotate(sentence, chosen->analysis.analysis);
}

/// The sentence as the last stage sees it.
Sentence Pipeline::prepared(const Sentence& sentence, Workspace& workspace) const {
  Sentence copy = sentence;
  parse_up_to(stages_.size() - (joint() ? 2 : 1), copy, workspace);
  if (!joint()) return copy;
  if (const auto chosen = choose_together(copy, workspace)) annotate(copy, chosen->tags.analysis);
  return copy;
}

std::vector<Candidate> Pipeline::kbest(const Sentence& sentence, int k, Workspace& workspace) const {
  return last().kbest(prepared(sentence, workspace), k, stage_workspace(workspace, stages_.size() - 1));
}

KBestList Pipeline::list(const Sentence& sentence, Workspace& workspace) const {
  // The last stage's list needs the sentence as that stage sees it for as long as it grows.
  auto seen = std::make_shared<Sentence>(prepared(sentence, workspace));
  auto list = std::make_shared<KBestList>(last().list(*seen, stage_workspace(workspace, stages_.size() - 1)));
  return KBestList([seen, list](int k, std::vector<Candidate>& all) {
    const auto best = list->best(k);
    all.assign(best.begin(), best.end());
  });
}

std::vector<FeatureVector> Pipeline::features(const Sentence& sentence, std::span<const Candidate> candidates,
                                              Workspace& workspace, bool with_weights) const {
  return last().features(prepared(sentence, workspace), candidates, stage_workspace(workspace, stages_.size() - 1),
                         with_weights);
}

bool Pipeline::can_tokenize() const { return stages_.front().parser->can_tokenize(); }

std::vector<Sentence> Pipeline::tokenize(const std::string& text, Workspace& workspace) const {
  return stages_.front().parser->tokenize(text, stage_workspace(workspace, 0));
}

std::vector<std::string> Pipeline::predicts() const {
  std::vector<std::string> all;
  for (const Stage& stage : stages_) std::ranges::copy(stage.parser->predicts(), std::back_inserter(all));
  return all;
}

nlohmann::json Pipeline::save(ModelWriter& writer, const std::string& prefix) const {
  nlohmann::json stages = nlohmann::json::array();
  for (const Stage& stage : stages_) {
    stages.push_back({{"name", stage.name}, {"part", save_part(*stage.parser, writer, prefix + stage.name + "/")}});
  }
  return {{"stages", std::move(stages)}, {kTaggings, tagging_.taggings}, {kTagWeight, tagging_.weight}};
}

std::unique_ptr<Parser> load_pipeline(const ModelPart& part, const Settings& overrides) {
  std::vector<Pipeline::Stage> stages;
  for (const nlohmann::json& stage : part.metadata.at("stages")) {
    const std::string name = stage.at("name");
    const nlohmann::json& metadata = stage.at("part");
    if (metadata.at("kind") == "pipeline") throw data_error(part.file->name(), 0, "a pipeline within a pipeline");
    const Settings own = Pipeline::settings_of(name, overrides);
    stages.push_back({name, load_part({part.file, metadata, part.prefix + name + "/"}, own)});
    overrides.adopt_known(own, name + ".");
    if (name == "parser") overrides.adopt_known(own);
  }
  if (stages.empty()) throw data_error(part.file->name(), 0, "a pipeline without stages");
  const nlohmann::json& learned = part.metadata;  // models of earlier versions have no weight
  return std::make_unique<Pipeline>(
      std::move(stages),
      Pipeline::tagging_of(overrides, {learned.value(kTaggings, 1), learned.value(kTagWeight, 0.0)}));
}

}  // namespace espalier
