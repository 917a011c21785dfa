// The tasks of learning to search that ship as parsers; the tasks themselves are the examples.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "espalier/parser/l2s/imperative_parser.h"
#include "espalier/parser/l2s/l2s_search.h"
#include "espalier/parser/l2s/l2s_tagger.h"

namespace espalier {

/// The parser of a task, with k-best lists and searches constrained to given arcs.
template <class Space>
class L2sSystemParser final : public ImperativeParser<L2sParser<Space>> {
  using Base = ImperativeParser<L2sParser<Space>>;
  using Base::task_, Base::regressors_;

 public:
  L2sSystemParser(L2sParser<Space> task, std::vector<HashedRegressor> regressors)
      : Base("l2s", {"heads"}, std::move(task), std::move(regressors)) {}

  AboutParser about() const override {
    return {.kind = "l2s", .predicts = {"heads"}, .roots = task_.roots(), .can = {.kbest = true, .constrain = true}};
  }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(*this); }
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    if (task_.options.beam == 1 && !given.on_trees()) return Base::parse(sentence, given, workspace);
    annotate(sentence, list(sentence, given, workspace).best(1).front().analysis);
  }
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    L2sSearch<Space>& search = this->template own<Scratch>(workspace).lists;
    if (!given.on_trees()) return search.list(sentence);
    return mended(search.list(sentence, given), given, task_.roots());
  }

 private:
  struct Scratch final : Base::Space {
    explicit Scratch(const L2sSystemParser& parser) : Base::Space(parser), lists(parser.task_, parser.regressors_) {}
    L2sSearch<Space> lists;
  };
};

template <class Space>
std::unique_ptr<Parser> make_l2s_parser(L2sParser<Space> task, std::vector<HashedRegressor> regressors) {
  return std::make_unique<L2sSystemParser<Space>>(std::move(task), std::move(regressors));
}
std::unique_ptr<Parser> load_l2s_parser(const ModelPart& part, SettingsReader& overrides);

std::unique_ptr<Parser> make_l2s_tagger(const L2sTagger& task, std::vector<HashedRegressor> regressors);
std::unique_ptr<Parser> load_l2s_tagger(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
