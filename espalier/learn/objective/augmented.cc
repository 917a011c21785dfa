#include "espalier/learn/objective/augmented.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

#include "espalier/base/error.h"
#include "espalier/learn/trained.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/parser/parse_all.h"

namespace espalier {
namespace {

/// The annotated arcs and labels that the loss looks at.
Constraints priced_arcs(const Sentence& sentence, const ArcLoss& loss) {
  Constraints given = constraints_of(sentence, {.tags = false, .heads = true});
  const std::vector<ArcPrice> prices = loss.prices(dependencies_of(sentence));
  for (size_t i = 1; i < prices.size(); ++i) {
    if (!given.heads.empty() && prices[i].head == 0) given.heads[i] = Token::kNoHead;
    if (!given.deprels.empty() && prices[i].label == 0) given.deprels[i] = "_";
  }
  drop_impossible(given);
  return given;
}

/// The objective for partial trees.
Objective partial_trees() {
  Objective objective;
  objective.loss = make_arc_loss("labelled");
  objective.forced = true;
  return objective;
}

class AugmentedLearner final : public OnlineLearner {
 public:
  /// `partial`: trees that the inner learner leaves out; numbered after its instances.
  AugmentedLearner(OnlineLearner& inner, LearnsByLoss& by_loss, const Objectives& objectives, const TrainData& data,
                   std::vector<const Sentence*> partial, uint64_t seed)
      : inner_(inner),
        by_loss_(by_loss),
        objectives_(objectives),
        data_(data),
        partial_(std::move(partial)),
        seed_(seed),
        states_(objectives.all.size()) {
    for (size_t i = 0; i < states_.size(); ++i) orders_.push_back(order_of(i));
  }

  size_t size() const override { return inner_.size() + partial_.size(); }
  size_t batch() const override { return inner_.batch(); }
  std::vector<size_t> order(int epoch, uint64_t seed) const override {
    return partial_.empty() ? inner_.order(epoch, seed) : shuffled_order(size(), epoch, seed);
  }
  void begin_epoch(int epoch) override {
    inner_.begin_epoch(epoch);
    of_partial_ = {};
    for (State& state : states_) state.count = {};
  }

  bool begins_other_model(int epoch) const override { return inner_.begins_other_model(epoch); }

  /// Not if a batch has sentences of both kinds, since a finished one must not be learned twice.
  bool can_cancel() const override { return partial_.empty() && inner_.can_cancel(); }
  size_t learn(std::span<const size_t> instances, int epoch) override {
    // A loss may throw (a program of the user); the batch's treebank sentences are then not learned twice.
    if (!treebank_done_) {
      updates_ = learn_treebank(instances, epoch);
      for (size_t i = 0; i < states_.size(); ++i)
        states_[i].credit += objectives_.all[i].weight * static_cast<double>(instances.size());
      treebank_done_ = true;
    }
    for (size_t i = 0; i < states_.size(); ++i)
      for (State& state = states_[i]; state.credit >= 1; state.credit -= 1) rank_next(i);
    treebank_done_ = false;
    return updates_;
  }

  void end_epoch() override { inner_.end_epoch(); }
  nlohmann::json epoch_values() const override {
    nlohmann::json values = inner_.epoch_values();
    for (const State& state : states_) values["objectives"].push_back(state.count.report("ranked"));
    if (!partial_.empty()) values["partial_trees"] = of_partial_.report("seen");
    return values;
  }

  std::unique_ptr<Parser> freeze() const override { return inner_.freeze(); }

  /// The parser's own score and, by name, the mean cost of each objective that has sentences to measure on.
  DevScore score(const Parser& frozen, const std::vector<Sentence>& dev, int threads) override {
    DevScore score = inner_.score(frozen, dev, threads);
    best_own_ = std::max(best_own_, score.value);
    for (size_t i = 0; i < states_.size(); ++i) {
      if (data_.objectives[i].dev.empty()) continue;
      const double cost = dev_cost(i, frozen, threads);
      score.details[fmt::format("objective.{}", i)] = cost;
      // An epoch whose own score is more than kGuard points below the best is chosen only if all are.
      constexpr double kGuard = 0.3;
      if (static_cast<int>(i) == objectives_.select) score.value = -cost - (score.value < best_own_ - kGuard ? 1e6 : 0);
    }
    return score;
  }

  void archive(Archive& archive) override {
    inner_.archive(archive);
    for (State& state : states_) archive.value(state);
    archive.value(of_partial_);
    archive.value(updates_);
    archive.value(treebank_done_);
    archive.value(best_own_);
    for (size_t i = 0; i < states_.size(); ++i) orders_[i] = order_of(i);
  }

 private:
  /// Of this epoch.
  struct Count {
    uint64_t seen = 0, updates = 0;
    double cost = 0;  // of the first candidates, in all

    nlohmann::json report(const char* name) const {
      return {{name, seen}, {"updates", updates}, {"cost", seen ? cost / static_cast<double>(seen) : 0}};
    }
  };
  /// The state of an objective.
  struct State {
    double credit = 0;             // number of sentences due
    uint64_t round = 1, next = 0;  // pass over its data, and place in it
    Count count;
  };

  size_t learn_treebank(std::span<const size_t> instances, int epoch) {
    std::vector<size_t> whole;
    for (const size_t i : instances)
      if (i < inner_.size()) whole.push_back(i);
    const uint64_t before = of_partial_.updates;
    for (const size_t i : instances)
      if (i >= inner_.size()) learn_from(*partial_[i - inner_.size()], partial_objective_, of_partial_);
    const size_t updates = static_cast<size_t>(of_partial_.updates - before);
    return whole.empty() ? updates : updates + inner_.learn(whole, epoch);
  }

  /// An instance that is not one of the inner learner's.
  void learn_from(const Sentence& sentence, const Objective& objective, Count& count) {
    double cost = 0;
    count.updates += by_loss_.learn_by(sentence, objective, cost);
    by_loss_.tick();
    ++count.seen;
    count.cost += cost;
  }

  std::vector<size_t> order_of(size_t i) const {
    return shuffled_order(data_.objectives[i].train.size(), static_cast<int>(states_[i].round), seed_,
                          fmt::format("objective.{}", i));
  }

  void rank_next(size_t i) {
    State& state = states_[i];
    learn_from(data_.objectives[i].train[orders_[i][state.next]], objectives_.all[i], state.count);
    if (++state.next < orders_[i].size()) return;
    state.next = 0;
    ++state.round;
    orders_[i] = order_of(i);
  }

  double dev_cost(size_t i, const Parser& parser, int threads) const {
    const std::vector<Sentence>& dev = data_.objectives[i].dev;
    std::vector<Sentence> parsed = dev;
    parse_all(parser, parsed, threads);
    double sum = 0;
    for (size_t s = 0; s < dev.size(); ++s) sum += objectives_.all[i].loss->cost(dev[s], analysis_of(parsed[s]));
    return sum / static_cast<double>(dev.size());
  }

  OnlineLearner& inner_;
  LearnsByLoss& by_loss_;
  const Objectives& objectives_;
  const TrainData& data_;
  const std::vector<const Sentence*> partial_;
  const Objective partial_objective_ = partial_trees();
  const uint64_t seed_;
  std::vector<State> states_;
  Count of_partial_;
  std::vector<std::vector<size_t>> orders_;  // of this round
  size_t updates_ = 0;
  bool treebank_done_ = false;  // in the current batch
  double best_own_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

bool RankingLearner::learn_by(const Sentence& sentence, const Objective& objective, double& cost) {
  return objective.forced ? force(sentence, objective, cost) : rank(sentence, objective, cost);
}

bool RankingLearner::rank(const Sentence& sentence, const Objective& objective, double& cost) {
  KBestList found = list(sentence, objective.labels);
  for (int k = objective.grow ? 2 : objective.k;; k = std::min(2 * k, objective.k)) {
    const std::span<const Candidate> best = found.best(k);
    std::vector<const Analysis*> analyses;
    for (const Candidate& candidate : best) analyses.push_back(&candidate.analysis);
    const std::vector<double> costs = objective.loss->costs(sentence, analyses);
    const auto least = std::ranges::min_element(costs);  // of several, the first: the best score
    const auto at = static_cast<size_t>(least - costs.begin());
    // A list that is shorter than k may grow nonetheless: of the derivations in a beam several can give one tree.
    if (*least < costs[0] || costs[0] == 0 || k == objective.k) {
      cost = costs[0];
      if (at == 0) return false;
      const double margin = (costs[0] - *least) * objective.loss->in_words(sentence.size());
      return prefer(sentence, best[at], best[0], margin, objective.own_step);
    }
  }
}

/// The same towards the best tree with all annotated arcs and labels that have a price.
bool RankingLearner::force(const Sentence& sentence, const Objective& objective, double& cost) {
  const Candidate first = list(sentence, objective.labels).take(1).at(0);
  cost = objective.loss->cost(sentence, first.analysis);
  if (cost == 0) return false;
  const auto& loss = *objective.loss->over_arcs();
  for (const Candidate& forced : best_given(sentence, priced_arcs(sentence, loss))) {
    const double better = cost - loss.cost(sentence, forced.analysis);
    const double margin = better * loss.in_words(sentence.size());
    if (better > 0) return prefer(sentence, forced, first, margin, objective.own_step);
  }
  return false;
}

Trained train_augmented(OnlineLearner& learner, LearnsByLoss& by_loss, const Objectives& objectives, int epochs,
                        const std::string& identity, const TrainData& data, const TrainContext& context) {
  std::vector<const Sentence*> partial;
  for (const Sentence& sentence : data.train)
    if (is_partial(sentence)) partial.push_back(&sentence);
  if (!by_loss.can_constrain()) {
    partial.clear();
    for (const Objective& objective : objectives.all)
      if (objective.forced) throw usage_error("target=forced: this recipe's search cannot be constrained");
  }
  if (objectives.all.empty() && partial.empty()) return train_online(learner, epochs, identity, data, context);
  if (!partial.empty())
    context.note(fmt::format("sentences in which only some words have heads, learned from as partial trees: {}",
                             partial.size()));
  AugmentedLearner augmented(learner, by_loss, objectives, data, std::move(partial), context.seed);
  return train_online(augmented, epochs, identity, data, context);
}

Trained train_augmented(RankingLearner& learner, const Objectives& objectives, int epochs, const std::string& identity,
                        const TrainData& data, const TrainContext& context) {
  return train_augmented(learner, learner, objectives, epochs, identity, data, context);
}

}  // namespace espalier
