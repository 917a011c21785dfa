#include "espalier/parser/transition/transition_parser.h"

#include <algorithm>
#include <array>

#include "espalier/parser/derivation_features.h"
#include "espalier/parser/transition/transition_systems.h"
#include "espalier/scorer/state_scorer.h"
#include "espalier/search/beam.h"
#include "espalier/search/greedy.h"
#include "espalier/tree/projectivity.h"

namespace espalier {
namespace {

template <class Space, class Features>
class TransitionParser final : public Parser {
 public:
  explicit TransitionParser(TransitionModel model) : model_(std::move(model)) {
    space_.single_root = model_.single_root;
  }

  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(); }

  void parse(Sentence& sentence, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    begin(sentence, scratch);
    if (model_.beam == 1) {
      const auto rows = [&](const auto& state) { return scratch.scorer.row(state, scratch.arena); };
      greedy_search(space_, model_.actions, sentence.size(), scratch.arena, rows,
                    [&](const auto& state, int column, float score) { record(state, column, score, scratch); });
    } else {
      search(sentence, model_.beam, scratch);
      rebuild(scratch.beam.first_survivor(), sentence.size(), scratch);
    }
    finish(scratch.tree, scratch.root_scores);
    name(scratch.tree, scratch.analysis);
    annotate(sentence, scratch.analysis);
  }

  bool has_kbest() const override { return true; }
  std::vector<Candidate> kbest(const Sentence& sentence, int k, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    begin(sentence, scratch);
    search(sentence, std::max(model_.beam, k), scratch);
    std::vector<Candidate> list;
    const int last = scratch.beam.first_survivor() + static_cast<int>(scratch.beam.survivors().size());
    for (int node = scratch.beam.first_survivor(); node < last && static_cast<int>(list.size()) < k; ++node) {
      Candidate candidate;
      candidate.score = scratch.beam.node(node).score / model_.weights.scale();
      rebuild(node, sentence.size(), scratch);
      finish(scratch.tree, scratch.root_scores);
      name(scratch.tree, candidate.analysis);
      candidate.derivation = scratch.columns;
      // Several derivations may build one tree; the best of them stands for it.
      if (std::ranges::find(list, candidate.analysis, &Candidate::analysis) == list.end())
        list.push_back(std::move(candidate));
    }
    return list;
  }

  bool has_features() const override { return true; }
  FeatureVector features(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    begin(sentence, scratch);
    return derivation_features(space_, model_.actions, candidate.derivation, sentence.size(), scratch.arena,
                               scratch.scorer);
  }

  std::string kind() const override { return "transition"; }
  std::vector<std::string> predicts() const override { return {"heads"}; }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    writer.add_array(prefix + "index", model_.weights.index());
    writer.add_array(prefix + "rows", model_.weights.rows());
    nlohmann::json about = {{"system", model_.system},
                            {"features", model_.features},
                            {"beam", model_.beam},
                            {"single_root", model_.single_root},
                            {"pseudo_projective", model_.pseudo_projective},
                            {"columns", model_.columns.to_json()},
                            {"labels", model_.labels},
                            {"actions", model_.actions.to_json()},
                            {"row_columns", model_.weights.columns()},
                            {"scale", model_.weights.scale()}};
    if (model_.direction == Direction::kRightToLeft) about["direction"] = name_of(model_.direction);
    return about;
  }

 private:
  struct Scratch final : Workspace {
    SentenceAtoms atoms;
    typename Space::Arena arena;
    StateScorer<Features, Linear> scorer;
    Beam<Space> beam;
    DependencyTree tree;
    Analysis analysis;
    std::vector<float> root_scores;
    std::vector<int32_t> columns;
  };

  void begin(const Sentence& sentence, Scratch& scratch) const {
    scratch.atoms.encode(sentence, model_.columns, model_.direction);
    scratch.scorer.reset(model_.weights, scratch.atoms);
    clear(sentence.size(), scratch);
  }
  static void clear(int words, Scratch& scratch) {
    scratch.tree.head.assign(static_cast<size_t>(words) + 1, -1);
    scratch.tree.label.assign(static_cast<size_t>(words) + 1, -1);
    scratch.root_scores.assign(static_cast<size_t>(words) + 1, 0);
  }

  void search(const Sentence& sentence, int width, Scratch& scratch) const {
    scratch.beam.run(space_, model_.actions, sentence.size(), width, scratch.arena,
                     [&](const auto& state, int) { return scratch.scorer.remembered_row(state, scratch.arena); });
  }

  /// Notes what a step builds.
  void record(const typename Space::State& state, int column, float score, Scratch& scratch) const {
    const auto& action = model_.actions.action(column);
    const Arc arc = space_.part(state, scratch.arena, action.move);
    if (arc.dependent == 0) return;
    const auto dependent = static_cast<size_t>(arc.dependent);
    scratch.tree.head[dependent] = arc.head;
    scratch.tree.label[dependent] = action.label;
    if (arc.head == 0) scratch.root_scores[dependent] = score;
  }

  /// The tree (and the derivation) of a node of the beam.
  void rebuild(int node, int words, Scratch& scratch) const {
    clear(words, scratch);
    scratch.columns.clear();
    for (int i = node; scratch.beam.node(i).parent >= 0; i = scratch.beam.node(i).parent) {
      const auto& taken = scratch.beam.node(i);
      if (taken.column < 0) continue;
      const auto& before = scratch.beam.node(taken.parent);
      record(before.state, taken.column, static_cast<float>(taken.score - before.score), scratch);
      scratch.columns.push_back(taken.column);
    }
    std::ranges::reverse(scratch.columns);
  }

  /// Arc-eager may leave several words under the root: the one whose root arc scored best stays (ties: the leftmost),
  /// the others go under it with the most frequent label of that direction.
  void finish(DependencyTree& tree, const std::vector<float>& root_scores) const {
    if (!model_.single_root) return;
    size_t best = 0;
    for (size_t i = 1; i < tree.head.size(); ++i)
      if (tree.head[i] == 0 && (best == 0 || root_scores[i] > root_scores[best])) best = i;
    for (size_t i = 1; i < tree.head.size(); ++i) {
      if (tree.head[i] != 0 || i == best) continue;
      tree.head[i] = static_cast<int>(best);
      tree.label[i] = model_.actions.action(model_.actions.begin(i < best ? Space::kLeft : Space::kRight)).label;
    }
  }

  /// The tree as it is written; `tree` itself is turned round if the words were.
  void name(DependencyTree& tree, Analysis& analysis) const {
    if (model_.direction == Direction::kRightToLeft) mirror(tree);
    assign_tree(tree, model_.labels, analysis);
    if (model_.pseudo_projective) decode_pseudo_projective(analysis);
  }

  TransitionModel model_;
  Space space_;
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
    for (const int move : {int{Space::kLeft}, int{Space::kRight}, int{Space::kRoot}})
      for (int column = model.actions.begin(move); column < model.actions.end(move); ++column)
        if (model.actions.action(column).label < 0) return false;
    return true;
  });
}

std::unique_ptr<Parser> load_transition_parser(const ModelPart& part, const Settings& overrides) {
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
  model.weights =
      Linear(part.array<RowBucket>("index"), part.array<int8_t>("rows"), m.at("row_columns"), m.at("scale"), part.file);
  problem = model.weights.problem();
  if (problem.empty() && model.actions.columns() > model.weights.columns())
    problem = "the rows are too short for the actions";
  if (!problem.empty()) throw data_error(file, 0, "{}", problem);
  return make_transition_parser(std::move(model));
}

}  // namespace espalier
