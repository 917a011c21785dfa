#include "espalier/parser/shift_reduce_parser.h"

#include <algorithm>

#include "espalier/features/shift_reduce_templates.h"
#include "espalier/parser/derivation_features.h"
#include "espalier/search/beam.h"
#include "espalier/search/state_scorer.h"
#include "espalier/space/shift_reduce.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

class ShiftReduceParser final : public Parser {
 public:
  explicit ShiftReduceParser(ShiftReduceModel model)
      : model_(std::move(model)), space_(model_.labels), factors_(ShiftReduce::factors(model_.actions)) {}

  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(); }

  void parse(Sentence& sentence, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    search(sentence, model_.beam, scratch);
    sentence.constituents = tree(sentence, scratch.beam.survivors().front().state, scratch);
  }

  std::vector<Candidate> kbest(const Sentence& sentence, int k, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    search(sentence, std::max(model_.beam, k), scratch);
    std::vector<Candidate> list;
    int node = scratch.beam.first_survivor();
    for (const auto& survivor : scratch.beam.survivors()) {
      if (static_cast<int>(list.size()) == k) break;
      Candidate candidate;
      candidate.score = survivor.score / model_.weights.scale();
      candidate.constituents = tree(sentence, survivor.state, scratch);
      scratch.beam.derivation(node++, candidate.derivation);
      // Derivations that differ in their heads alone build one tree; the best of them stands for it.
      if (std::ranges::none_of(list, [&](const Candidate& c) { return c.constituents == candidate.constituents; }))
        list.push_back(std::move(candidate));
    }
    return list;
  }

  void annotate(Sentence& sentence, const Candidate& candidate) const override {
    sentence.constituents = candidate.constituents;
  }

  FeatureVector features(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    begin(sentence, scratch);
    return derivation_features(space_, model_.actions, candidate.derivation, scratch.atoms.size(), scratch.arena,
                               scratch.scorer);
  }

  std::string kind() const override { return "shift-reduce"; }
  std::vector<std::string> predicts() const override { return {"constituents"}; }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    writer.add_array(prefix + "index", model_.weights.index());
    writer.add_array(prefix + "rows", model_.weights.rows());
    return {{"beam", model_.beam},
            {"root", model_.root},
            {"labels", model_.labels},
            {"actions", model_.actions.to_json()},
            {"row_columns", model_.weights.columns()},
            {"scale", model_.weights.scale()}};
  }

 private:
  struct Scratch final : Workspace {
    std::vector<int> words;
    ConstituentAtoms atoms;
    ConstituentArena arena;
    StateScorer<ShiftReduceFeatures, Linear> scorer;
    Beam<ShiftReduce> beam;
    BinaryTree tree;
    std::vector<int> row;
  };

  void begin(const Sentence& sentence, Scratch& scratch) const {
    scratch.words = words_to_parse(sentence);
    scratch.atoms.encode(sentence, scratch.words);
    scratch.arena.tags = scratch.atoms.tags();
    scratch.scorer.reset(model_.weights, scratch.atoms);
  }

  void search(const Sentence& sentence, int width, Scratch& scratch) const {
    begin(sentence, scratch);
    scratch.beam.run(space_, model_.actions, scratch.atoms.size(), width, scratch.arena, [&](const auto& state, int) {
      return factors_.expand(scratch.scorer.remembered_row(state, scratch.arena), model_.actions,
                             space_.legal(state, scratch.arena), scratch.row);
    });
  }

  ConstituentTree tree(const Sentence& sentence, const ConstituentState& state, Scratch& scratch) const {
    scratch.tree.nodes.clear();
    if (!scratch.words.empty()) ShiftReduce::append_tree(scratch.arena, state.top, scratch.tree);
    return restored(unbinarised(scratch.tree, model_.labels), sentence, scratch.words, model_.root);
  }

  ShiftReduceModel model_;
  ShiftReduce space_;
  ActionFactors factors_;
};

/// What the space needs to have no dead ends: labels where there must be some, and a way to end every part.
bool complete(const ActionTable& actions) {
  const auto labels = [&](int move) {
    std::vector<int> all;
    for (int column = actions.begin(move); column < actions.end(move); ++column)
      all.push_back(actions.action(column).label);
    return all;
  };
  const std::vector<int> left = labels(ShiftReduce::kLeft), right = labels(ShiftReduce::kRight);
  for (const int move : {ShiftReduce::kLeft, ShiftReduce::kRight, ShiftReduce::kLeftPart, ShiftReduce::kRightPart,
                         ShiftReduce::kUnary}) {
    for (const int label : labels(move)) {
      if (label < 0) return false;
      const bool part = move == ShiftReduce::kLeftPart || move == ShiftReduce::kRightPart;
      if (part && (!std::ranges::count(left, label) || !std::ranges::count(right, label))) return false;
    }
  }
  return true;
}

}  // namespace

std::unique_ptr<Parser> make_shift_reduce_parser(ShiftReduceModel model) {
  return std::make_unique<ShiftReduceParser>(std::move(model));
}

std::unique_ptr<Parser> load_shift_reduce_parser(const ModelPart& part, const Settings& overrides) {
  const nlohmann::json& m = part.metadata;
  const std::string& file = part.file->name();
  ShiftReduceModel model;
  model.beam = static_cast<int>(
      overrides.integer("beam", m.at("beam").get<long>(), 1, 4096, "states kept per step; 1 = greedy"));
  model.root = m.at("root");
  model.labels = m.at("labels").get<std::vector<std::string>>();
  std::string problem;
  model.actions =
      ActionTable::from_json(m.at("actions"), ShiftReduce::kMoves, static_cast<int>(model.labels.size()), problem);
  if (problem.empty() && !complete(model.actions)) problem = "the action table lacks labels";
  if (problem.empty()) {
    model.weights = Linear(part.array<RowBucket>("index"), part.array<int8_t>("rows"), m.at("row_columns"),
                           m.at("scale"), part.file);
    problem = model.weights.problem();
  }
  if (problem.empty() && ShiftReduce::factors(model.actions).columns() > model.weights.columns())
    problem = "the rows are too short for the actions";
  if (!problem.empty()) throw data_error(file, 0, "{}", problem);
  return make_shift_reduce_parser(std::move(model));
}

}  // namespace espalier
