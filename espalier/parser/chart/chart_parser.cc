#include "espalier/parser/chart/chart_parser.h"

#include "espalier/parser/chart/chart_search.h"
#include "espalier/parser/linear_part.h"
#include "espalier/parser/max_words.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

class ChartParser final : public Parser, public Inspectable {
 public:
  explicit ChartParser(ChartModel model) : model_(std::move(model)) {}

  AboutParser about() const override {
    return {.kind = "chart",
            .predicts = {"constituents"},
            .can = {.kbest = true, .features = true, .explain = true},
            .most_words = kMaxWords};  // n^2 items with their hypotheses, a time of n^3
  }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(*this); }

  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    sentence.constituents = std::move(list(sentence, given, workspace).take(1).front().analysis.constituents);
  }
  KBestList list(const Sentence& sentence, const Constraints&, Workspace& workspace) const override {
    return own<Scratch>(workspace).search.list(sentence);
  }

  const Inspectable* inspect() const override { return this; }
  std::any inside() const override { return &model_; }
  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      Workspace& workspace, bool with_weights) const override {
    auto& search = own<Scratch>(workspace).search;
    search.begin(sentence);
    std::vector<FeatureVector> all;
    for (const Candidate& candidate : candidates) all.push_back(search.features(candidate.derivation, with_weights));
    return all;
  }
  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate,
                                          Workspace& workspace) const override {
    auto& search = own<Scratch>(workspace).search;
    search.begin(sentence);
    return search.feature_names(sentence, candidate.derivation);
  }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    nlohmann::json coarse, fine;
    save_linear(model_.coarse, writer, prefix + "coarse_", coarse);
    save_linear(model_.fine, writer, prefix + "fine_", fine);
    return {{"root", model_.root},         {"labels", model_.labels},   {"actions", model_.actions.actions.to_json()},
            {"beam", model_.options.beam}, {"gap", model_.options.gap}, {"seed_gap", model_.options.seed_gap},
            {"coarse", std::move(coarse)}, {"fine", std::move(fine)}};
  }

 private:
  struct Scratch final : Workspace {
    explicit Scratch(const ChartParser& parser)
        : Workspace(parser), search(parser.model_, parser.model_.coarse, parser.model_.fine) {}
    ChartSearch<Linear> search;
  };

  ChartModel model_;
};

}  // namespace

std::string problem_of_chart_actions(const ActionTable& actions) {
  using S = ShiftReduce;
  const auto labels = [&](int move) {
    std::vector<int> all;
    for (int column = actions.begin(move); column < actions.end(move); ++column)
      all.push_back(actions.action(column).label);
    std::ranges::sort(all);
    return all;
  };
  const std::vector<int> joins = labels(S::kLeft), unary = labels(S::kUnary);
  if (joins.empty() || joins.front() < 0) return "the action table lacks labels";
  if (!unary.empty() && unary.front() < 0) return "the action table has a unary node without label";
  for (const int move : {S::kRight, S::kLeftPart, S::kRightPart})
    if (labels(move) != joins) return "the moves of the action table have different labels";
  for (const int move : {S::kShift, S::kStay})
    if (actions.end(move) - actions.begin(move) != 1) return "the action table lacks a move";
  return "";
}

std::unique_ptr<Parser> make_chart_parser(ChartModel model) { return std::make_unique<ChartParser>(std::move(model)); }

std::unique_ptr<Parser> load_chart_parser(const ModelPart& part, SettingsReader& overrides) {
  const nlohmann::json& m = part.metadata;
  const auto check = [&](const std::string& problem) {
    if (!problem.empty()) throw data_error(part.file->name(), 0, "{}", problem);
  };
  ChartModel model;
  model.root = m.at("root");
  model.labels = m.at("labels");
  std::string problem;
  ActionTable actions =
      ActionTable::from_json(m.at("actions"), ShiftReduce::kMoves, static_cast<int>(model.labels.size()), problem);
  check(problem);
  check(problem_of_chart_actions(actions));
  model.actions = ChartActions(std::move(actions));
  ChartOptions& options = model.options;
  options.beam = static_cast<int>(overrides.integer("beam", m.at("beam").get<long>(), 1, 4096, "hypotheses per item"));
  options.gap = overrides.real<float>("gap", m.at("gap"), 0, ChartOptions::kNoGap,
                                      "spans and labels this far behind by coarse scores are not searched");
  options.seed_gap = overrides.real<float>("seed_gap", m.at("seed_gap"), 0, ChartOptions::kNoGap,
                                           "when parsing: pairs of items this far below the best are not tried");
  const int columns = model.actions.factors.columns();
  model.coarse = load_linear(part, "coarse_", m.at("coarse"), columns);
  model.fine = load_linear(part, "fine_", m.at("fine"), columns);
  return std::make_unique<ChartParser>(std::move(model));
}

}  // namespace espalier
