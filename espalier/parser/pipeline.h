// Several models in one file, run one after the other: tokenizer → tagger → lemmatizer → parser. Each stage reads the
// columns of earlier stages; with several taggings, tagger and parser choose among them together (joint_tagging.h).
// K-best lists and features are those of the last stage. Tested by pipeline_test.cc.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "espalier/parser/inspect.h"
#include "espalier/parser/joint_tagging.h"

namespace espalier {

class Pipeline : public Parser, public Tokenizing, public Inspectable {
 public:
  struct Stage {
    std::string name;  ///< one of stage_names()
    std::unique_ptr<Parser> parser;
  };
  /// How tagger and parser choose tags together.
  struct Tagging {
    int taggings = 1;   ///< number of taggings that the tagger proposes
    double weight = 0;  ///< of the tagger's score beside the parser's; 0 = not known
  };
  explicit Pipeline(std::vector<Stage> stages, Tagging tagging = {1, 0});
  static Tagging tagging_of(SettingsReader& settings, const Tagging& fallback);

  /// The settings of the stage `name`: those under "name."; for the stage "parser" also those without a stage's prefix,
  /// so that `--set beam=64` works for pipelines, too.
  static Settings settings_of(const std::string& name, const Settings& settings);
  /// The stages in the order in which they run.
  static const std::vector<std::string>& stage_names();

  const std::vector<Stage>& stages() const { return stages_; }
  /// The index of the tagger; the number of stages if there is none.
  static size_t tagger_of(const std::vector<Stage>& stages);
  /// Whether there is a tagger and the last is a parser, and both have k-best lists.
  static bool can_choose_tags(const std::vector<Stage>& stages);

  const Parser& last() const { return *stages_.back().parser; }

  AboutParser about() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  const Tokenizing* tokenizer() const override { return stages_.front().parser->tokenizer() ? this : nullptr; }
  std::vector<Sentence> tokenize(const std::string& text, Workspace& workspace) const override;
  const Inspectable* inspect() const override { return this; }
  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      Workspace& workspace, bool with_weights) const override;
  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate,
                                          Workspace& workspace) const override;
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override;
  std::any inside() const override { return this; }
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;

 private:
  friend std::vector<Stage> load_stages(const std::string& file);

  bool joint() const { return tagging_.taggings > 1; }
  Workspace& stage_workspace(Workspace& workspace, size_t stage) const;
  Workspace& last_workspace(Workspace& workspace) const { return stage_workspace(workspace, stages_.size() - 1); }
  Sentence prepared(const Sentence& sentence, Workspace& workspace, const Constraints& given = {}) const;
  void run(size_t begin, size_t end, Sentence& sentence, Workspace& workspace, const Constraints& given) const;
  std::optional<TaggedAnalysis> prepare(Sentence& sentence, Workspace& workspace, const Constraints& given) const;
  std::optional<TaggedAnalysis> choose_together(const Sentence& sentence, Workspace& workspace,
                                                const Constraints& given) const;

  std::vector<Stage> stages_;  // at least one
  Tagging tagging_;
};

/// The stages of a model file, to be used separately; a model that is no pipeline is one stage.
std::vector<Pipeline::Stage> load_stages(const std::string& file);

std::unique_ptr<Parser> load_pipeline(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
