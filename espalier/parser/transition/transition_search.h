// Everything that one thread needs to parse with a transition model and any weights: those of a trained model (Linear)
// or of one that is still learning (OnlineLinear), whose lists augmented-loss training ranks. What becomes of a
// finished derivation (arcs, extra roots, pseudo-projective labels) is decided here, for parser and trainer alike; a
// candidate's `derivation` are the columns of its actions, from which a learner takes its update:
//
//   TransitionSearch<Space, Features, OnlineLinear> search(model, weights);   // both must stay
//   KBestList list = search.list(sentence);         // by the weights of now; they must not change while it grows
//   for (const Candidate& c : list.best(8)) ...     // c.analysis for the loss, c.derivation for the update
//
// Tested by tests/contract/parser_test.cc and learn/transition/transition_trainer_test.cc.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "espalier/parser/derivation_features.h"
#include "espalier/parser/transition/transition_parser.h"
#include "espalier/parser/transition/transition_trace.h"
#include "espalier/scorer/state_scorer.h"
#include "espalier/search/beam.h"
#include "espalier/search/greedy.h"
#include "espalier/tree/projectivity.h"

namespace espalier {

template <class Space, class Features, class Weights>
class TransitionSearch {
 public:
  /// Keeps references. The model's own weights are not looked at.
  TransitionSearch(const TransitionModel& model, const Weights& weights) : model_(model), weights_(weights) {
    space_.single_root = model.single_root;
  }
  TransitionSearch(const TransitionSearch&) = delete;

  void parse(Sentence& sentence) {
    begin(sentence);
    if (model_.beam == 1) {
      const auto rows = [&](const auto& state) { return scorer_.row(state, arena_); };
      greedy_search(space_, model_.actions, sentence.size(), arena_, rows,
                    [&](const auto& state, int column, float score) { record(state, column, score); });
    } else {
      search(sentence.size(), model_.beam);
      rebuild(beam_.first_survivor());
    }
    finish(analysis_);
    annotate(sentence, analysis_);
  }

  /// The sentence must stay while the list is used, and this search be used for nothing else.
  KBestList list(const Sentence& sentence) {
    return KBestList([this, &sentence, width = 0, next = 0](int k, std::vector<Candidate>& list) mutable {
      if (k > width) {
        width = std::max(model_.beam, k);
        begin(sentence);
        search(sentence.size(), width);
        next = beam_.first_survivor();
        list.clear();
      }
      const int last = beam_.first_survivor() + static_cast<int>(beam_.survivors().size());
      for (; next < last && static_cast<int>(list.size()) < k; ++next) {
        Candidate candidate;
        candidate.score = beam_.node(next).score / weights_.scale();
        rebuild(next);
        finish(candidate.analysis);
        beam_.derivation(next, candidate.derivation);
        add_distinct(std::move(candidate), list);
      }
    });
  }

  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      bool with_weights) {
    if (!features_) {
      factors_ = std::make_unique<ActionFactors>(model_.actions);
      features_ = std::make_unique<DerivationFeatures<Space, Features>>(space_, model_.actions, *factors_,
                                                                        model_.labels, model_.direction);
    }
    atoms_.encode(sentence, model_.columns, model_.direction);
    std::vector<FeatureVector> all;
    for (const Candidate& candidate : candidates)
      all.push_back(features_->of(candidate.derivation, atoms_, with_weights ? &weights_ : nullptr));
    return all;
  }

  /// How a candidate of this search was built.
  Trace trace(const Sentence& sentence, const Candidate& candidate) {
    begin(sentence);
    return TransitionTrace(space_, model_.actions, std::span(model_.labels), model_.direction, arena_)
        .of(
            candidate.derivation, sentence.size(), [&](const auto& state) { return scorer_.row(state, arena_); },
            weights_.scale());
  }

 private:
  void begin(const Sentence& sentence) {
    atoms_.encode(sentence, model_.columns, model_.direction);
    scorer_.reset(weights_, atoms_);
    clear(sentence.size());
  }
  void clear(int words) {
    tree_.head.assign(static_cast<size_t>(words) + 1, -1);
    tree_.label.assign(static_cast<size_t>(words) + 1, -1);
    root_scores_.assign(static_cast<size_t>(words) + 1, 0);
  }

  void search(int words, int width) {
    beam_.run(space_, model_.actions, words, width, arena_,
              [&](const auto& state, int) { return scorer_.remembered_row(state, arena_); });
  }

  /// Notes what a step builds.
  void record(const typename Space::State& state, int column, float score) {
    const auto& action = model_.actions.action(column);
    const Arc arc = space_.part(state, arena_, action.move);
    if (arc.dependent == 0) return;
    const auto dependent = static_cast<size_t>(arc.dependent);
    tree_.head[dependent] = arc.head;
    tree_.label[dependent] = action.label;
    if (arc.head == 0) root_scores_[dependent] = score;
  }

  /// The tree of a node of the beam.
  void rebuild(int node) {
    clear(tree_.size());
    for (int i = node; beam_.node(i).parent >= 0; i = beam_.node(i).parent) {
      const auto& taken = beam_.node(i);
      if (taken.column < 0) continue;
      const auto& before = beam_.node(taken.parent);
      record(before.state, taken.column, static_cast<float>(taken.score - before.score));
    }
  }

  /// The tree as it is written; the tree itself is turned round if the words were.
  void finish(Analysis& analysis) {
    if (model_.single_root) join_roots();
    if (model_.direction == Direction::kRightToLeft) mirror(tree_);
    assign_tree(tree_, model_.labels, analysis);
    if (model_.pseudo_projective) decode_pseudo_projective(analysis);
  }

  /// Arc-eager may leave several words under the root: the one whose root arc scored best stays (ties: the leftmost),
  /// the others go under it with the most frequent label of that direction.
  void join_roots() {
    size_t best = 0;
    for (size_t i = 1; i < tree_.head.size(); ++i)
      if (tree_.head[i] == 0 && (best == 0 || root_scores_[i] > root_scores_[best])) best = i;
    for (size_t i = 1; i < tree_.head.size(); ++i) {
      if (tree_.head[i] != 0 || i == best) continue;
      tree_.head[i] = static_cast<int>(best);
      tree_.label[i] = model_.actions.action(model_.actions.begin(i < best ? Space::kLeft : Space::kRight)).label;
    }
  }

  const TransitionModel& model_;
  const Weights& weights_;
  Space space_;
  SentenceAtoms atoms_;
  typename Space::Arena arena_;
  StateScorer<Features, Weights> scorer_;
  Beam<Space> beam_;
  DependencyTree tree_;
  std::vector<float> root_scores_;
  Analysis analysis_;
  // Made when they are first asked for.
  std::unique_ptr<ActionFactors> factors_;
  std::unique_ptr<DerivationFeatures<Space, Features>> features_;
};

}  // namespace espalier
