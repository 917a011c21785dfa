#include "espalier/parser/classify/two_way_classifier.h"

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/propose.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

struct TwoWorkspaces : Workspace {
  using Workspace::Workspace;
  std::array<std::unique_ptr<Workspace>, 2> of;
};

}  // namespace

TwoWayClassifier::TwoWayClassifier(std::array<std::unique_ptr<Parser>, 2> parsers, int proposals)
    : parsers_(std::move(parsers)), proposals_(proposals) {}

AboutParser TwoWayClassifier::about() const {
  return {.kind = "classify-two-way",
          .predicts = {"constituents"},
          .can = {.kbest = true, .trace = true},
          .most_words = parser(0).about().most_words};
}

std::unique_ptr<Workspace> TwoWayClassifier::make_workspace() const {
  auto both = std::make_unique<TwoWorkspaces>(*this);
  for (size_t i = 0; i < 2; ++i) both->of[i] = parsers_[i]->make_workspace();
  return both;
}

std::vector<ClassifyParser::Found> TwoWayClassifier::judged(const Sentence& sentence, const std::vector<int>& words,
                                                            int k, Workspace& workspace) const {
  auto& both = own<TwoWorkspaces>(workspace);
  auto all = propose_and_judge<ConstituentTree>(
      2,
      [&](size_t i) {
        std::vector<ClassifyParser::Found> found;
        parser(i).search(sentence, words, static_cast<size_t>(k), found, *both.of[i]);
        std::vector<Scored<ConstituentTree>> scored;
        for (auto& [cost, tree] : found) scored.push_back({std::move(tree), -cost});
        return scored;
      },
      [&](size_t i, const ConstituentTree& tree) { return -parser(i).cost(tree, *both.of[i]); });
  best_first(all);
  std::vector<ClassifyParser::Found> list;
  for (auto& proposal : all) list.push_back({-proposal.total(), std::move(proposal.thing)});
  return list;
}

void TwoWayClassifier::parse(Sentence& sentence, const Constraints&, Workspace& workspace) const {
  const std::vector<int> words = words_to_parse(sentence);
  const auto found = judged(sentence, words, proposals_, workspace);
  const std::string& root = parser(0).model().root;
  sentence.constituents =
      found.empty() ? restored({}, sentence, {}, root) : restored(found.front().tree, sentence, words, root);
}

KBestList TwoWayClassifier::list(const Sentence& sentence, const Constraints&, Workspace& workspace) const {
  return KBestList([this, &sentence, &workspace](int k, std::vector<Candidate>& list) {
    const std::vector<int> words = words_to_parse(sentence);
    auto found = judged(sentence, words, std::max(proposals_, k), workspace);
    if (found.empty()) found.push_back({});
    found.resize(std::min(found.size(), static_cast<size_t>(k)));
    list = candidates(found, sentence, words, parser(0).model().root);
  });
}

Trace TwoWayClassifier::trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const {
  Trace trace = parser(0).trace(sentence, candidate, *own<TwoWorkspaces>(workspace).of[0]);
  trace.whose = "one of two strategies, whose scores add up";
  return trace;
}

nlohmann::json TwoWayClassifier::save(ModelWriter& writer, const std::string& prefix) const {
  nlohmann::json both = {{"l2r", save_part(*parsers_[0], writer, prefix + "l2r/")},
                         {"r2l", save_part(*parsers_[1], writer, prefix + "r2l/")}};
  if (proposals_ != kProposals) both["proposals"] = proposals_;
  return both;
}

std::unique_ptr<Parser> load_two_way_classifier(const ModelPart& part, SettingsReader& overrides) {
  std::array<std::unique_ptr<Parser>, 2> parsers;
  for (size_t i = 0; i < 2; ++i) {
    const std::string name = i == 0 ? "l2r" : "r2l";
    const nlohmann::json& metadata = part.metadata.at(name);
    if (metadata.at("kind") != "classify" || metadata.at("strategy") != name)
      throw data_error(part.file->name(), 0, "one of the two models is missing");
    parsers[i] = load_part({part.file, metadata, part.prefix + name + "/"}, overrides);
  }
  const auto proposals =
      static_cast<int>(overrides.integer("proposals", part.metadata.value("proposals", TwoWayClassifier::kProposals), 1,
                                         1000, "trees that each strategy proposes"));
  return std::make_unique<TwoWayClassifier>(std::move(parsers), proposals);
}

}  // namespace espalier
