// The Family of transition systems for the learners of sequential spaces (learn/sequential/beam_learner.h).
#pragma once

#include <memory>
#include <utility>

#include "espalier/learn/objective/list_score.h"
#include "espalier/learn/transition/transition_corpus.h"
#include "espalier/parser/transition/transition_search.h"

namespace espalier {

template <class System>
struct TransitionFamily {
  using Space = System;
  using Templates = StackTemplates;
  using Model = TransitionModel;
  using Options = TransitionOptions;
  using Corpus = TransitionCorpus<System>;

  static Templates templates(const Model& model) {
    return transition_templates(model.system, model.features, model.clusters != nullptr);
  }
  static ActionFactors factors(const ActionTable& actions) { return ActionFactors(actions); }
  struct Search : TransitionSearch<System, OnlineLinear> {
    Search(const Model& model, const OnlineLinear& weights)
        : TransitionSearch<System, OnlineLinear>(model, weights, templates(model)) {}
  };

  static SentenceAtoms encode(const Sentence& sentence, const Model& model) {
    SentenceAtoms atoms;
    atoms.encode(sentence, model.columns, model.direction, model.clusters.get());
    return atoms;
  }
  static std::unique_ptr<Parser> make_parser(Model model) { return make_transition_parser(std::move(model)); }
  static DevScore score(const Options& options, const Parser& frozen, const std::vector<Sentence>& dev, int threads) {
    return options.select_lists ? score_lists(frozen, dev, options.beam, threads) : score_on_dev(frozen, dev, threads);
  }
};

}  // namespace espalier
