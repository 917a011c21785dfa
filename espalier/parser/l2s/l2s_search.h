// K-best lists of the learning-to-search parser: a beam over predicted costs. A softmax turns the costs of
// a state's actions into probabilities, since costs were learned to be compared within a state only, not
// between states. A beam of one is the greedy parser: a label chosen after its move loses only what it
// costs more than the cheapest label. Tested by tests/contract/parser_test.cc and
// tests/l2s_parser_test.cc.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "espalier/parser/l2s/l2s_parser.h"
#include "espalier/parser/transition/transition_lists.h"

namespace espalier {

template <class Space>
class L2sSearch {
 public:
  /// Keeps references.
  L2sSearch(const L2sParser<Space>& task, std::span<const HashedRegressor> regressors)
      : task_(task), regressors_(regressors), lists_(task.model) {}

  /// As TransitionSearch has them.
  KBestList list(const Sentence& sentence) { return lists_.list(sentence, false, 1, beginning(), rows()); }
  KBestList list(const Sentence& sentence, const Constraints& given) {
    return lists_.list(sentence, given, false, 1, beginning(), rows());
  }

 private:
  using Model = L2sModel;

  auto beginning() {
    return [this](const Sentence& sentence) {
      task_.read(sentence, example_, false);
      lists_.clear(sentence.size());
    };
  }
  auto rows() {
    return [this](const StackState& state, const auto& before) {
      std::array<int, 8> past;
      before.fill(past);
      for (int& action : past) action = task_.code_of(action);
      return row(state, std::span(past).first(task_.options.history));
    };
  }

  /// The scores of all actions.
  const double* row(const StackState& state, std::span<const int> past) {
    const ActionTable& actions = task_.model.actions;
    task_.gather(example_, state, lists_.arena());
    add_history(past, example_.bag);
    row_.assign(actions.columns(), 0);
    const bool joint = task_.options.joint;
    const std::span<const float> costs = ask(joint ? 0 : Model::kArcKinds);
    choices_.clear();
    for (MoveSet legal = task_.space.legal(state, lists_.arena()); legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      for (int column = actions.begin(move); column < actions.end(move); ++column) {
        row_[column] = saved(costs, joint ? column : task_.choice_of(move));
        if (joint || column == actions.begin(move)) choices_.push_back(column);
      }
    }
    normalise();
    for (MoveSet legal = joint ? 0 : task_.space.legal(state, lists_.arena()); legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal), first = actions.begin(move), count = actions.end(move) - first;
      const double of_move = row_[first];
      if (count == 1) continue;
      const std::span<const float> labels = ask(task_.kind_of(move));
      const double cheapest = saved(labels, static_cast<int>(std::ranges::min_element(labels) - labels.begin()));
      for (int label = 0; label < count; ++label) row_[first + label] = of_move + saved(labels, label) - cheapest;
    }
    return row_.data();
  }
  double saved(std::span<const float> costs, int action) const {
    return -task_.options.sharpness * static_cast<double>(costs[action]);
  }
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

  const L2sParser<Space>& task_;
  std::span<const HashedRegressor> regressors_;
  TransitionLists<Space> lists_;
  L2sModel::Example example_;
  HashedRegressor::Scratch scratch_;
  std::vector<float> costs_;
  std::vector<double> row_;
  std::vector<int> choices_;
};

}  // namespace espalier
