// The parser of one transition system with frozen weights. parse_arc_eager.cc and the like
// instantiate it, a file for each system, since compiling takes long. Tested by tests/contract/parser_test.cc.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "espalier/parser/transition/make_system_parser.h"
#include "espalier/parser/transition/transition_search.h"
#include "espalier/parser/transition/transition_systems.h"

namespace espalier {

template <class Space>
class SystemParser final : public TransitionParser {
 public:
  explicit SystemParser(TransitionModel own)
      : TransitionParser(std::move(own)),
        templates_(transition_templates(model().system, model().features, model().clusters != nullptr)) {}

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

 private:
  using Search = TransitionSearch<Space, Linear>;
  struct Scratch final : Workspace {
    explicit Scratch(const SystemParser& parser)
        : Workspace(parser), search(parser.model(), parser.model().weights, parser.templates_) {}
    Search search;
  };
  Search& search(Workspace& workspace) const { return own<Scratch>(workspace).search; }

  StackTemplates templates_;
};

template <class Space>
std::unique_ptr<Parser> make_system_parser(TransitionModel model) {
  return std::make_unique<SystemParser<Space>>(std::move(model));
}

}  // namespace espalier
