// Learns parsers that search a sequential space with linear weights: transition systems and shift-reduce, by beam
// search here, greedily in transition/greedy_learner.h. Each kind of parser is a Family:
//
//   Space, Templates, Model   search space, templates, model without weights
//   Options                   a SequentialOptions with `init`, the model of a warm start, if any
//   Corpus                    {Space space; Model model; std::vector<Instance> instances;}: the training data in
//                             numbers, and all of the model but its weights. An instance has `atoms`, `columns` (its
//                             gold derivation), and `costs()` of wrong arcs.
//   Search                    lists candidates, given a model and current weights
//   templates(model), factors(actions), encode(sentence, model), make_parser(model), score(...)
//
// Tested by learn/transition/transition_trainer_test.cc and learn/shift_reduce/shift_reduce_trainer_test.cc.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/sequential/sequential_options.h"
#include "espalier/learn/warm_start.h"

namespace espalier {

/// Everything except learning from one instance.
template <class Family>
class SequentialLearner : public RankingLearner {
 public:
  using Options = typename Family::Options;
  using Corpus = typename Family::Corpus;

  SequentialLearner(Options options, Corpus corpus)
      : options_(std::move(options)),
        corpus_(std::move(corpus)),
        factors_(Family::factors(corpus_.model.actions)),
        templates_(Family::templates(corpus_.model)),
        weights_(factors_.columns(), options_.patient),
        update_(corpus_.space, corpus_.model.actions, factors_, options_, templates_),
        search_(corpus_.model, weights_) {
    if (const auto* init = options_.init.get())
      weights_.start_from(init->weights, columns_of_actions(corpus_.model.actions, factors_, init->actions,
                                                            Family::factors(init->actions)));
  }

  size_t size() const final { return corpus_.instances.size(); }
  void begin_epoch(int epoch) final {
    if (options_.runs.begins_anew(epoch)) weights_.begin_anew();
    if (options_.refit.begins(epoch)) weights_.keep_only(pruning());
  }
  bool begins_other_model(int epoch) const final { return options_.refit.begins(epoch); }
  size_t learn(std::span<const size_t> batch, int) final {
    const bool changed = learn_one(batch.front());
    weights_.tick();
    return changed;
  }

  std::unique_ptr<Parser> freeze() const final {
    typename Family::Model model = corpus_.model;
    model.weights = weights_.freeze(pruning());
    return Family::make_parser(std::move(model));
  }
  DevScore score(const Parser& frozen, const std::vector<Sentence>& dev, int threads) final {
    return Family::score(options_, frozen, dev, threads);
  }
  void archive(Archive& archive) final { weights_.archive(archive); }

  KBestList list(const Sentence& sentence, bool labels) final { return search_.list(sentence, labels); }
  bool can_constrain() const final { return kConstrains; }
  std::vector<Candidate> best_given(const Sentence& sentence, const Constraints& given) final {
    if constexpr (kConstrains) return search_.list(sentence, given).take(1);
    return {};
  }
  bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double margin,
              bool own_step) final {
    return update_.prefer(Family::encode(sentence, corpus_.model), better.derivation, worse.derivation,
                          worse.score - better.score, margin, own_step, weights_);
  }
  void tick() final { weights_.tick(); }

 protected:
  using Search = typename Family::Search;
  static constexpr bool kConstrains = requires(Search search, const Sentence& sentence, const Constraints& given) {
    search.list(sentence, given);
  };

  /// True if the weights changed.
  virtual bool learn_one(size_t instance) = 0;

  const Options options_;
  Corpus corpus_;
  ActionFactors factors_;
  typename Family::Templates templates_;
  OnlineLinear weights_;
  BeamUpdate<typename Family::Space, typename Family::Templates> update_;

 private:
  OnlineLinear::Freeze pruning() const {
    return {.least_updates = options_.least_updates,
            .drop = options_.drop,
            .most_rows = options_.refit.most_features,
            .most_features = templates_.count()};
  }

  Search search_;
};

template <class Family>
class BeamLearner final : public SequentialLearner<Family> {
 public:
  using SequentialLearner<Family>::SequentialLearner;

  bool can_cancel() const override { return true; }  // the search precedes the update

 private:
  bool learn_one(size_t index) override {
    const auto& instance = this->corpus_.instances[index];
    return this->update_.learn(instance.atoms, instance.columns, this->weights_, instance.costs());
  }
};

}  // namespace espalier
