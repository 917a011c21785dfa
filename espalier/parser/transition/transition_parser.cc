#include "espalier/parser/transition/transition_parser.h"

#include <nlohmann/json.hpp>

#include "espalier/parser/clusters_part.h"
#include "espalier/parser/linear_part.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/transition/make_system_parser.h"
#include "espalier/parser/transition/transition_systems.h"

namespace espalier {

AboutParser TransitionParser::about() const {
  return {.kind = "transition",
          .predicts = {"heads"},
          .roots = roots(),
          .can = {.kbest = true, .features = true, .constrain = true, .trace = true, .explain = true}};
}

nlohmann::json TransitionParser::save(ModelWriter& writer, const std::string& prefix) const {
  nlohmann::json about = {{"system", model_.system},
                          {"features", model_.features},
                          {"beam", model_.beam},
                          {"single_root", model_.single_root},
                          {"pseudo_projective", model_.pseudo_projective},
                          {"columns", model_.columns.to_json()},
                          {"labels", model_.labels},
                          {"actions", model_.actions.to_json()}};
  if (model_.clusters) save_clusters(*model_.clusters, writer, prefix);
  save_linear(model_.weights, writer, prefix, about);
  if (model_.direction == Direction::kRightToLeft) about["direction"] = name_of(model_.direction);
  return about;
}

std::unique_ptr<Parser> make_transition_parser(TransitionModel model) {
  return with_transition_system(model.system, [&]<class Space>() -> std::unique_ptr<Parser> {
    return make_system_parser<Space>(std::move(model));
  });
}

static bool builds_labelled_arcs(const TransitionModel& model) {
  return with_transition_system(model.system, [&]<class Space>() {
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
  const int moves = with_transition_system(model.system, []<class Space>() { return static_cast<int>(Space::kMoves); });
  std::string problem;
  model.actions = ActionTable::from_json(m.at("actions"), moves, static_cast<int>(model.labels.size()), problem);
  if (!problem.empty()) throw data_error(file, 0, "{}", problem);
  if (!builds_labelled_arcs(model)) throw data_error(file, 0, "the action table has arcs without labels");
  model.clusters = load_clusters(part);
  model.weights = load_linear(part, "", m, model.actions.columns());
  return make_transition_parser(std::move(model));
}

}  // namespace espalier
