// Graph-based dependency parser: arc filter, hashed features, and one of three searches: cube pruning with parts of
// second and third order, Eisner's algorithm (order 1), or spanning trees (not projective).
// Trained by learn/graph/graph_trainer.cc; docs/graph-parsers.md. Tested by graph_parser_test.cc.
#pragma once

#include <memory>

#include "espalier/parser/graph/graph_model.h"
#include "espalier/parser/inspect.h"
#include "espalier/search/cube.h"
#include "espalier/weights/linear.h"

namespace espalier {

class GraphParser : public Parser, public Inspectable {
 public:
  GraphParser(GraphModel model, Linear arcs, Linear parts, CubeOptions options,
              std::shared_ptr<const ModelFile> file = nullptr);

  AboutParser about() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  const Inspectable* inspect() const override { return this; }
  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      Workspace& workspace, bool with_weights) const override;
  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate,
                                          Workspace& workspace) const override;
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override;
  std::any inside() const override { return this; }
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;

  const GraphModel& model() const { return model_; }
  const CubeOptions& options() const { return options_; }
  const Linear& arcs() const { return arcs_; }
  const Linear& parts() const { return parts_; }

 private:
  GraphModel model_;
  Linear arcs_, parts_;
  CubeOptions options_;
  std::shared_ptr<const ModelFile> file_;  // keeps mapped weights alive
};

std::unique_ptr<Parser> load_graph_parser(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
