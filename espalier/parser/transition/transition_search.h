// Parsing with a transition model in one thread, with the weights of a trained model (Linear) or of one in training
// (OnlineLinear), whose lists augmented-loss training ranks. Finished derivations become trees in transition_lists.h,
// for parser and trainer alike; a candidate's `derivation` is the columns of its actions, from which learners make
// updates:
//
//   TransitionSearch<Space, OnlineLinear> search(model, weights, templates);   // keeps references to the first two
//   KBestList list = search.list(sentence);         // by the current weights; do not update them while it is extended
//   for (const Candidate& c : list.best(8)) ...     // c.analysis for the loss, c.derivation for the update
//
// Tested by tests/contract/parser_test.cc and learn/transition/transition_trainer_test.cc.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "espalier/parser/sequential/derivation_features.h"
#include "espalier/parser/sequential/state_scorer.h"
#include "espalier/parser/transition/stack_templates.h"
#include "espalier/parser/transition/transition_lists.h"
#include "espalier/parser/transition/transition_trace.h"
#include "espalier/search/greedy.h"

namespace espalier {

template <class Space, class Weights>
class TransitionSearch {
 public:
  /// Keeps references. The model's own weights are not used.
  TransitionSearch(const TransitionModel& model, const Weights& weights, const StackTemplates& templates)
      : model_(model), weights_(weights), templates_(templates), lists_(model), scorer_(templates) {}
  TransitionSearch(const TransitionSearch&) = delete;

  void parse(Sentence& sentence) {
    begin(sentence);
    if (model_.beam == 1) {
      const auto rows = [&](const auto& state) { return scorer_.row(state, lists_.arena()); };
      greedy_search(lists_.space(), model_.actions, sentence.size(), lists_.arena(), rows,
                    [&](const auto& state, int column, float score) { lists_.record(state, column, score); });
    } else {
      lists_.search_best(sentence.size(), rows());
    }
    lists_.finish(analysis_);
    annotate(sentence, analysis_);
  }

  /// While the list is used, the sentence must live and this search must not be used otherwise. `all_labels`: all
  /// labels compete, not only the best one of each move.
  KBestList list(const Sentence& sentence, bool all_labels = false) {
    return lists_.list(sentence, all_labels, weights_.scale(), beginning(), rows());
  }

  /// The same for trees with given heads and relations (space/constrained.h). Given arcs that cross in a projective
  /// system, and dead ends with SWAP, may make the list short, or its trees lack some of the heads.
  KBestList list(const Sentence& sentence, const Constraints& given, bool all_labels = false) {
    return lists_.list(sentence, given, all_labels, weights_.scale(), beginning(), rows());
  }

  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      bool with_weights) {
    if (!features_) {
      factors_ = std::make_unique<ActionFactors>(model_.actions);
      features_ = std::make_unique<DerivationFeatures<Space, StackTemplates>>(
          lists_.space(), model_.actions, *factors_, model_.labels, model_.direction, templates_);
    }
    atoms_.encode(sentence, model_.columns, model_.direction, model_.clusters.get());
    std::vector<FeatureVector> all;
    for (const Candidate& candidate : candidates)
      all.push_back(features_->of(candidate.derivation, atoms_, with_weights ? &weights_ : nullptr));
    return all;
  }

  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate) {
    features(sentence, {}, false);
    AtomTexts texts{{}, model_.labels};
    for (const Token& token : sentence.tokens) texts.words.push_back(&token);
    if (model_.direction == Direction::kRightToLeft) std::ranges::reverse(texts.words);
    return features_->names(candidate.derivation, atoms_, texts, move_name<Space>);
  }

  /// The trace of a candidate of this search.
  Trace trace(const Sentence& sentence, const Candidate& candidate) {
    begin(sentence);
    return TransitionTrace(lists_.space(), model_.actions, std::span(model_.labels), model_.direction, lists_.arena())
        .of(
            candidate.derivation, sentence.size(),
            [&](const auto& state) { return scorer_.row(state, lists_.arena()); }, weights_.scale());
  }

 private:
  void begin(const Sentence& sentence) {
    atoms_.encode(sentence, model_.columns, model_.direction, model_.clusters.get());
    scorer_.reset(weights_, atoms_);
    lists_.clear(sentence.size());
  }
  auto beginning() {
    return [this](const Sentence& sentence) { begin(sentence); };
  }
  auto rows() {
    return [this](const auto& state, const auto&) { return scorer_.remembered_row(state, lists_.arena()); };
  }

  const TransitionModel& model_;
  const Weights& weights_;
  StackTemplates templates_;
  TransitionLists<Space> lists_;
  SentenceAtoms atoms_;
  StateScorer<StackTemplates, Weights> scorer_;
  Analysis analysis_;
  // Made when they are first asked for.
  std::unique_ptr<ActionFactors> factors_;
  std::unique_ptr<DerivationFeatures<Space, StackTemplates>> features_;
};

}  // namespace espalier
