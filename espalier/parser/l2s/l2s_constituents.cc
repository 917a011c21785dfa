#include "espalier/parser/l2s/l2s_constituents.h"

#include <cmath>
#include <limits>

#include "espalier/parser/l2s/imperative_parser.h"
#include "espalier/parser/shift_reduce/shift_reduce_lists.h"

namespace espalier {

void L2sConstituents::complete() {
  space = ShiftReduce(model.labels);
  for (int column = model.actions.begin(ShiftReduce::kLeft); column < model.actions.end(ShiftReduce::kLeft); ++column)
    labels.push_back(model.actions.action(column).label);
  std::ranges::sort(labels);
  chains = model.actions.end(ShiftReduce::kUnary) - model.actions.begin(ShiftReduce::kUnary);
}

void L2sConstituents::read(const Sentence& sentence, Example& x, bool) const {
  x.words = words_to_parse(sentence);
  x.own.encode(sentence, x.words, model.direction);
  x.atoms = &x.own;
}

void L2sConstituents::write(const Example& x, Sentence& sentence) const {
  BinaryTree tree;
  if (!x.words.empty()) ShiftReduce::append_tree(x.state.arena, x.state.stack.top, tree);
  if (model.direction == Direction::kRightToLeft) tree = mirrored(tree);
  sentence.constituents = restored(unbinarised(tree, model.labels), sentence, x.words, model.root);
}

nlohmann::json L2sConstituents::save() const {
  return {{"beam", model.beam},     {"sharpness", sharpness},
          {"root", model.root},     {"direction", name_of(model.direction)},
          {"labels", model.labels}, {"actions", model.actions.to_json()}};
}

namespace {

/// K-best lists: a beam over logarithms of probabilities, as for dependencies (l2s_search.h).
class L2sConstituentSearch : public ShiftReduceLists {
 public:
  /// Keeps references.
  L2sConstituentSearch(const L2sConstituents& task, std::span<const HashedRegressor> regressors)
      : ShiftReduceLists(task.model), task_(task), regressors_(regressors) {}

  KBestList list(const Sentence& sentence) {
    return ShiftReduceLists::list(
        sentence, 1, [this](const Sentence& s) { read(s); },
        [this](const ConstituentState& state) { return row(state); });
  }

 private:
  using Task = L2sConstituents;

  /// The scores of all actions.
  const double* row(const ConstituentState& state) {
    const ActionTable& actions = model_.actions;
    task_.gather(example_, atoms_, state, arena_);
    row_.assign(actions.columns(), 0);
    choices_.clear();
    const MoveSet legal = space_.legal(state, arena_);
    const std::span<const float> costs = ask(state.unary_due ? Task::kChain : Task::kMove);
    for (MoveSet left = legal; left; left &= left - 1) {
      const int move = std::countr_zero(left), first = actions.begin(move);
      // A chain is chosen with its move; labels of other moves have the score of the move for now.
      for (int column = first; column < (state.unary_due ? actions.end(move) : first + 1); ++column) {
        row_[column] = saved(costs[move == ShiftReduce::kUnary  ? column - first
                                   : move == ShiftReduce::kStay ? task_.chains
                                                                : move]);
        choices_.push_back(column);
      }
    }
    normalise();
    if (!state.unary_due) add_labels(state, legal);
    return row_.data();
  }
  /// A label loses what it costs more than the cheapest.
  void add_labels(const ConstituentState& state, MoveSet legal) {
    const std::span<const float> costs = ask(Task::kLabel);
    for (legal &= ~(MoveSet{1} << ShiftReduce::kShift); legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      const int first = model_.actions.begin(move), last = model_.actions.end(move);
      const auto label = [&](int column) { return model_.actions.action(column).label; };
      double cheapest = -std::numeric_limits<double>::infinity();
      for (int column = first; column < last; ++column)
        if (space_.allows(state, arena_, move, label(column)))
          cheapest = std::max(cheapest, saved(costs[label(column)]));
      const double of_move = row_[first];
      for (int column = first; column < last; ++column) row_[column] = of_move + saved(costs[label(column)]) - cheapest;
    }
  }
  double saved(float cost) const { return -task_.sharpness * static_cast<double>(cost); }
  /// The scores of the choices become logarithms of probabilities.
  void normalise() {
    double best = row_[choices_[0]], sum = 0;
    for (const int column : choices_) best = std::max(best, row_[column]);
    for (const int column : choices_) sum += std::exp(row_[column] - best);
    for (const int column : choices_) row_[column] -= best + std::log(sum);
  }
  std::span<const float> ask(int learner) {
    const HashedRegressor& regressor = regressors_[learner];
    costs_.resize(regressor.shape().actions);
    regressor.score(example_.bag.keys(), example_.bag.values(), scratch_, costs_);
    return costs_;
  }

  const L2sConstituents& task_;
  std::span<const HashedRegressor> regressors_;
  L2sConstituents::Example example_;
  HashedRegressor::Scratch scratch_;
  std::vector<float> costs_;
  std::vector<double> row_;
  std::vector<int> choices_;
};

class L2sConstituentParser final : public ImperativeParser<L2sConstituents> {
 public:
  L2sConstituentParser(L2sConstituents task, std::vector<HashedRegressor> regressors)
      : ImperativeParser("l2s-constituents", {"constituents"}, std::move(task), std::move(regressors)) {}

  AboutParser about() const override {
    return {.kind = "l2s-constituents", .predicts = {"constituents"}, .can = {.kbest = true}};
  }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(*this); }
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    if (task_.model.beam == 1) return ImperativeParser::parse(sentence, given, workspace);
    sentence.constituents = std::move(list(sentence, given, workspace).take(1).front().analysis.constituents);
  }
  KBestList list(const Sentence& sentence, const Constraints&, Workspace& workspace) const override {
    return own<Scratch>(workspace).lists.list(sentence);
  }

 private:
  struct Scratch final : Space {
    explicit Scratch(const L2sConstituentParser& parser) : Space(parser), lists(parser.task_, parser.regressors_) {}
    L2sConstituentSearch lists;
  };
};

}  // namespace

std::unique_ptr<Parser> make_l2s_constituent_parser(const L2sConstituents& task,
                                                    std::vector<HashedRegressor> regressors) {
  return std::make_unique<L2sConstituentParser>(task, std::move(regressors));
}

std::unique_ptr<Parser> load_l2s_constituent_parser(const ModelPart& part, SettingsReader& overrides) {
  const nlohmann::json& saved = part.metadata.at("task");
  L2sConstituents task;
  task.model = load_shift_reduce_model(part, saved, saved);
  task.model.beam =
      overrides.integer("beam", saved.at("beam").get<long>(), 1, 4096, "states kept per step; 1 = greedy");
  task.sharpness = overrides.real("sharpness", saved.at("sharpness").get<double>(), 0.01, 100,
                                  "lists: factor of costs before they become probabilities");
  task.complete();
  auto regressors = load_regressors(part, task.actions());
  return make_l2s_constituent_parser(task, std::move(regressors));
}

}  // namespace espalier
