// The parser of one transition system with frozen weights. parse_arc_eager.cc and the like
// instantiate it, a file for each system, since compiling takes long. Tested by tests/contract/parser_test.cc.
#pragma once

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "espalier/parser/linear_part.h"
#include "espalier/parser/transition/make_system_parser.h"
#include "espalier/parser/transition/transition_search.h"
#include "espalier/parser/transition/transition_systems.h"

namespace espalier {

template <class Space>
class SystemParser final : public Parser, public Inspectable {
 public:
  explicit SystemParser(TransitionModel model)
      : model_(std::move(model)), templates_(transition_templates(model_.system, model_.features)) {}

  AboutParser about() const override {
    return {.kind = "transition",
            .predicts = {"heads"},
            .roots = roots(),
            .can = {.kbest = true, .features = true, .constrain = true, .trace = true, .explain = true}};
  }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(*this); }

  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    if (!given.on_trees()) return search(workspace).parse(sentence);
    annotate(sentence, list(sentence, given, workspace).best(1).front().analysis);
  }
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    Search& own_search = search(workspace);
    if (!given.on_trees()) return own_search.list(sentence);
    // With SWAP a constrained search may end in a dead end.
    return mended(own_search.list(sentence, given), given, roots(), own_search.list(sentence));
  }

  const Inspectable* inspect() const override { return this; }
  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      Workspace& workspace, bool with_weights) const override {
    return search(workspace).features(sentence, candidates, with_weights);
  }
  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate,
                                          Workspace& workspace) const override {
    return search(workspace).feature_names(sentence, candidate);
  }
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override {
    return search(workspace).trace(sentence, candidate);
  }
  std::any inside() const override { return &model_; }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    nlohmann::json about = {{"system", model_.system},
                            {"features", model_.features},
                            {"beam", model_.beam},
                            {"single_root", model_.single_root},
                            {"pseudo_projective", model_.pseudo_projective},
                            {"columns", model_.columns.to_json()},
                            {"labels", model_.labels},
                            {"actions", model_.actions.to_json()}};
    save_linear(model_.weights, writer, prefix, about);
    if (model_.direction == Direction::kRightToLeft) about["direction"] = name_of(model_.direction);
    return about;
  }

 private:
  using Search = TransitionSearch<Space, Linear>;
  struct Scratch final : Workspace {
    explicit Scratch(const SystemParser& parser)
        : Workspace(parser), search(parser.model_, parser.model_.weights, parser.templates_) {}
    Search search;
  };
  Roots roots() const { return model_.single_root ? Roots::kOne : Roots::kAny; }
  Search& search(Workspace& workspace) const { return own<Scratch>(workspace).search; }

  TransitionModel model_;
  StackTemplates templates_;
};

template <class Space>
std::unique_ptr<Parser> make_system_parser(TransitionModel model) {
  return std::make_unique<SystemParser<Space>>(std::move(model));
}

}  // namespace espalier
