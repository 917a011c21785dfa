#include "espalier/parser/transition/transition_parser.h"

#include "espalier/parser/linear_part.h"
#include "espalier/parser/transition/transition_search.h"
#include "espalier/parser/transition/transition_systems.h"

namespace espalier {
namespace {

template <class Space, class Features>
class TransitionParser final : public Parser, public Traceable {
 public:
  explicit TransitionParser(TransitionModel model) : model_(std::move(model)) {}

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
  using Search = TransitionSearch<Space, Features, Linear>;
  struct Scratch final : Workspace {
    explicit Scratch(const TransitionParser& parser)
        : Workspace(parser), search(parser.model_, parser.model_.weights) {}
    Search search;
  };
  Search& search(Workspace& workspace) const { return own<Scratch>(workspace).search; }

  TransitionModel model_;
};

}  // namespace

std::unique_ptr<Parser> make_transition_parser(TransitionModel model) {
  return with_transition_system(model.system, model.features,
                                [&]<class Space, class Features>() -> std::unique_ptr<Parser> {
                                  return std::make_unique<TransitionParser<Space, Features>>(std::move(model));
                                });
}

static bool builds_labelled_arcs(const TransitionModel& model) {
  return with_transition_system(model.system, model.features, [&]<class Space, class>() {
    for (int move = 0; move < Space::kMoves; ++move)
      for (int column = model.actions.begin(move); column < model.actions.end(move); ++column)
        if (Space::builds_arc(move) && model.actions.action(column).label < 0) return false;
    return true;
  });
}

std::unique_ptr<Parser> load_transition_parser(const ModelPart& part, SettingsReader& overrides) {
  const nlohmann::json& m = part.metadata;
  const std::string& file = part.file->name();
  TransitionModel model;
  model.system = m.at("system");
  model.features = m.at("features");
  model.beam = static_cast<int>(
      overrides.integer("beam", m.at("beam").get<long>(), 1, 4096, "states kept per step; 1 = greedy"));
  model.single_root = m.at("single_root");
  model.pseudo_projective = m.at("pseudo_projective");
  model.direction = direction_named(m.value("direction", name_of(Direction::kLeftToRight)));
  model.columns = AtomColumns::from_json(m.at("columns"));
  model.labels = m.at("labels").get<std::vector<std::string>>();
  const int moves = with_transition_system(model.system, model.features,
                                           []<class Space, class>() { return static_cast<int>(Space::kMoves); });
  std::string problem;
  model.actions = ActionTable::from_json(m.at("actions"), moves, static_cast<int>(model.labels.size()), problem);
  if (!problem.empty()) throw data_error(file, 0, "{}", problem);
  if (!builds_labelled_arcs(model)) throw data_error(file, 0, "the action table has arcs without labels");
  model.weights = load_linear(part, "", m, model.actions.columns());
  return make_transition_parser(std::move(model));
}

}  // namespace espalier
