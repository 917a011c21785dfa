#include "espalier/parser/pipeline.h"

#include <algorithm>

#include "espalier/base/error.h"

namespace espalier {
namespace {

struct PipelineWorkspace : Workspace {
  std::vector<std::unique_ptr<Workspace>> stages;
};

Workspace& stage_workspace(Workspace& workspace, size_t stage) {
  return *static_cast<PipelineWorkspace&>(workspace).stages[stage];
}

}  // namespace

const std::vector<std::string>& Pipeline::stage_names() {
  static const std::vector<std::string> names = {"tokenizer", "tagger", "parser"};
  return names;
}

Settings Pipeline::settings_of(const std::string& name, const Settings& settings) {
  if (name != "parser") return settings.with_prefix(name + ".");
  Settings own = settings;
  for (const std::string& stage : stage_names()) own.erase_prefix(stage + ".");
  own.merge(settings.with_prefix("parser."));
  return own;
}

std::unique_ptr<Workspace> Pipeline::make_workspace() const {
  auto workspace = std::make_unique<PipelineWorkspace>();
  for (const Stage& stage : stages_) workspace->stages.push_back(stage.parser->make_workspace());
  return workspace;
}

void Pipeline::parse(Sentence& sentence, Workspace& workspace) const {
  for (size_t i = 0; i < stages_.size(); ++i) stages_[i].parser->parse(sentence, stage_workspace(workspace, i));
}

/// The sentence as the last stage sees it.
Sentence Pipeline::prepared(const Sentence& sentence, Workspace& workspace) const {
  Sentence copy = sentence;
  for (size_t i = 0; i + 1 < stages_.size(); ++i) stages_[i].parser->parse(copy, stage_workspace(workspace, i));
  return copy;
}

std::vector<Candidate> Pipeline::kbest(const Sentence& sentence, int k, Workspace& workspace) const {
  return last().kbest(prepared(sentence, workspace), k, stage_workspace(workspace, stages_.size() - 1));
}

void Pipeline::annotate(Sentence& sentence, const Candidate& candidate) const { last().annotate(sentence, candidate); }

FeatureVector Pipeline::features(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const {
  return last().features(prepared(sentence, workspace), candidate, stage_workspace(workspace, stages_.size() - 1));
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
  return {{"stages", std::move(stages)}};
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
  return std::make_unique<Pipeline>(std::move(stages));
}

}  // namespace espalier
