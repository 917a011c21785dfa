// Learns a greedy transition parser, decision by decision: with a dynamic oracle along the parser's own choices
// (Goldberg & Nivre 2013), otherwise along the gold derivation. Tested by transition_trainer_test.cc.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "espalier/learn/sequential/beam_learner.h"
#include "espalier/learn/transition/transition_family.h"
#include "espalier/learn/update/passive_aggressive.h"
#include "espalier/parser/sequential/state_scorer.h"

namespace espalier {

template <class Space>
class GreedyLearner final : public SequentialLearner<TransitionFamily<Space>> {
  using Base = SequentialLearner<TransitionFamily<Space>>;
  using Base::corpus_, Base::options_, Base::weights_;

 public:
  GreedyLearner(TransitionOptions options, TransitionCorpus<Space> corpus)
      : Base(std::move(options), std::move(corpus)), scorer_(this->templates_) {}

 private:
  /// The best column of cost 0, and the best of the others (-1: none).
  struct Choice {
    int right = -1, wrong = -1;
  };

  bool learn_one(size_t index) override {
    const TransitionInstance& instance = corpus_.instances[index];
    const Space& space = corpus_.space;
    const ActionTable& actions = corpus_.model.actions;
    bool changed = false;
    scorer_.reset(weights_, instance.atoms);
    auto state = space.initial(arena_, instance.gold.size());
    for (size_t step = 0; !space.is_final(state, arena_); ++step) {
      const MoveSet legal = space.legal(state, arena_);
      int next = forced_column(legal, actions);
      if (next < 0) {
        const float* row = scorer_.row(state, arena_);
        const Choice choice = choose(state, legal, row, instance, step);
        next = choice.right;
        if (choice.wrong >= 0) {
          const float lead = row[choice.right] - row[choice.wrong];
          const bool mistaken = lead < 0 || (lead == 0 && choice.wrong < choice.right);
          if (DynamicOracle<Space> && mistaken) next = choice.wrong;
          changed |= correct(choice, lead, mistaken);
        }
      }
      const auto& action = actions.action(next);
      space.apply(state, arena_, action.move, action.label);
    }
    return changed;
  }

  Choice choose(const typename Space::State& state, MoveSet legal, const float* row, const TransitionInstance& instance,
                size_t step) const {
    const Space& space = corpus_.space;
    const ActionTable& actions = corpus_.model.actions;
    const Gold& gold = instance.gold;
    Choice choice;
    auto offer = [&](int& best, int column) {
      if (best < 0 || row[column] > row[best]) best = column;
    };
    for (; legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      bool free;
      int only = -1;  // the one right label, if it matters
      if constexpr (DynamicOracle<Space>) {
        free = space.cost(state, arena_, gold, move) == 0;
        // The label is free if the gold head is lost already: the word is wrong in every reachable tree.
        const Arc arc = space.part(state, arena_, move);
        const auto word = static_cast<size_t>(arc.dependent);
        if (arc.dependent && gold.head[word] == arc.head) only = actions.column(move, gold.label[word]);
      } else {
        only = instance.columns[step];
        free = actions.action(only).move == move;
      }
      for (int c = actions.begin(move); c < actions.end(move); ++c)
        offer(free && (only < 0 || c == only) ? choice.right : choice.wrong, c);
    }
    return choice;
  }

  /// One step of the learner for one decision.
  bool correct(Choice choice, float lead, bool mistaken) {
    const ActionTable& actions = corpus_.model.actions;
    const int right_move = actions.action(choice.right).move, wrong_move = actions.action(choice.wrong).move;
    const auto keys = scorer_.last_keys();
    float step = 1;
    if (options_.passive_aggressive()) {
      const auto norm = static_cast<float>(keys.size() * (right_move == wrong_move ? 2 : 4));
      step = passive_aggressive_step(options_.margin - lead, norm, options_.aggressiveness);
      if (step == 0) return false;
    } else if (!mistaken) {
      return false;
    }
    change_.assign(weights_.columns(), 0);
    auto add = [&](int begin, int end, float by) {
      for (int c = begin; c < end; ++c) change_[c] += by;
    };
    add(choice.right, choice.right + 1, step);
    add(choice.wrong, choice.wrong + 1, -step);
    if (right_move != wrong_move) {
      add(actions.begin(right_move), actions.end(right_move), step);
      add(actions.begin(wrong_move), actions.end(wrong_move), -step);
    }
    uint32_t rows[kMostFeatures];
    weights_.locate(keys, rows);
    const auto known = std::remove(rows, rows + keys.size(), 0u);  // the index may have no room for a few
    weights_.change({rows, known}, change_);
    return true;
  }

  typename Space::Arena arena_;
  StateScorer<StackTemplates, OnlineLinear> scorer_;
  std::vector<float> change_;
};

}  // namespace espalier
