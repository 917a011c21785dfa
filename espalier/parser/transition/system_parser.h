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
class SystemParser final : public Parser, public Traceable, public Explainable, public HasTransitionModel {
 public:
  explicit SystemParser(TransitionModel model)
      : model_(std::move(model)), templates_(transition_templates(model_.system, model_.features)) {}

  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(*this); }

  void parse(Sentence& sentence, Workspace& workspace) const override { search(workspace).parse(sentence); }

  bool has_kbest() const override { return true; }
  std::vector<Candidate> kbest(const Sentence& sentence, int k, Workspace& workspace) const override {
    return list(sentence, workspace).take(k);
  }
  KBestList list(const Sentence& sentence, Workspace& workspace) const override {
    return search(workspace).list(sentence);
  }

  bool can_constrain() const override { return true; }
  Roots roots() const override { return model_.single_root ? Roots::kOne : Roots::kAny; }

  bool has_features() const override { return true; }
  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      Workspace& workspace, bool with_weights) const override {
    return search(workspace).features(sentence, candidates, with_weights);
  }

  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate,
                                          Workspace& workspace) const override {
    return search(workspace).feature_names(sentence, candidate);
  }
  const TransitionModel& transition_model() const override { return model_; }

  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override {
    return search(workspace).trace(sentence, candidate);
  }

  std::string kind() const override { return "transition"; }
  std::vector<std::string> predicts() const override { return {"heads"}; }

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

 protected:
  std::vector<Candidate> search_given(const Sentence& sentence, const Constraints& given, int k,
                                      Workspace& workspace) const override {
    return search(workspace).list(sentence, given).take(k);
  }

 private:
  using Search = TransitionSearch<Space, Linear>;
  struct Scratch final : Workspace {
    explicit Scratch(const SystemParser& parser)
        : Workspace(parser), search(parser.model_, parser.model_.weights, parser.templates_) {}
    Search search;
  };
  Search& search(Workspace& workspace) const { return own<Scratch>(workspace).search; }

  TransitionModel model_;
  StackTemplates templates_;
};

template <class Space>
std::unique_ptr<Parser> make_system_parser(TransitionModel model) {
  return std::make_unique<SystemParser<Space>>(std::move(model));
}

}  // namespace espalier
