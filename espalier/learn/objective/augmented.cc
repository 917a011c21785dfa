#include "espalier/learn/objective/augmented.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

#include "espalier/base/error.h"
#include "espalier/parser/parse_all.h"

namespace espalier {
namespace {

class AugmentedLearner final : public OnlineLearner {
 public:
  AugmentedLearner(RankingLearner& inner, const Objectives& objectives, const TrainData& data, uint64_t seed)
      : inner_(inner), objectives_(objectives), data_(data), seed_(seed), states_(objectives.all.size()) {
    for (size_t i = 0; i < states_.size(); ++i) orders_.push_back(order_of(i));
  }

  size_t size() const override { return inner_.size(); }
  size_t batch() const override { return inner_.batch(); }
  std::vector<size_t> order(int epoch, uint64_t seed) const override { return inner_.order(epoch, seed); }
  void begin_epoch(int epoch) override {
    inner_.begin_epoch(epoch);
    for (State& state : states_) state.seen = state.updates = 0, state.cost = 0;
  }

  bool can_give_up() const override { return inner_.can_give_up(); }
  size_t learn(std::span<const size_t> instances, int epoch) override {
    // A loss may fail (a program of the user's); what was learned of this batch before is not learned again then.
    if (!treebank_done_) {
      updates_ = inner_.learn(instances, epoch);
      for (size_t i = 0; i < states_.size(); ++i)
        states_[i].credit += objectives_.all[i].weight * static_cast<double>(instances.size());
      treebank_done_ = true;
    }
    for (size_t i = 0; i < states_.size(); ++i)
      for (State& state = states_[i]; state.credit >= 1; state.credit -= 1) rank_next(i);
    treebank_done_ = false;
    return updates_;
  }

  nlohmann::json epoch_values() const override {
    nlohmann::json values = inner_.epoch_values();
    for (const State& state : states_)
      values["objectives"].push_back({{"ranked", state.seen},
                                      {"updates", state.updates},
                                      {"cost", state.seen ? state.cost / static_cast<double>(state.seen) : 0}});
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
      // An epoch that hurts the parser too much is chosen only if all do.
      if (static_cast<int>(i) == objectives_.select)
        score.value = -cost - (score.value < best_own_ - objectives_.guard ? 1e6 : 0);
    }
    return score;
  }

  void archive(Archive& archive) override {
    inner_.archive(archive);
    for (State& state : states_) archive.value(state);
    archive.value(updates_);
    archive.value(treebank_done_);
    archive.value(best_own_);
    for (size_t i = 0; i < states_.size(); ++i) orders_[i] = order_of(i);
  }

 private:
  /// Where an objective stands.
  struct State {
    double credit = 0;               // sentences that are due
    uint64_t round = 1, next = 0;    // over its data
    uint64_t seen = 0, updates = 0;  // this epoch
    double cost = 0;                 // of the first candidates of this epoch, in all
  };

  std::vector<size_t> order_of(size_t i) const {
    return shuffled_onward(data_.objectives[i].train.size(), static_cast<int>(states_[i].round), seed_,
                           fmt::format("objective.{}", i));
  }

  void rank_next(size_t i) {
    State& state = states_[i];
    const Sentence& sentence = data_.objectives[i].train[orders_[i][state.next]];
    state.updates += rank(sentence, objectives_.all[i], state.cost);
    inner_.tick();
    ++state.seen;
    if (++state.next < orders_[i].size()) return;
    state.next = 0;
    ++state.round;
    orders_[i] = order_of(i);
  }

  /// True if the weights changed; adds the first candidate's cost.
  bool rank(const Sentence& sentence, const Objective& objective, double& cost) {
    KBestList list = inner_.list(sentence);
    for (int k = objective.grow ? 2 : objective.k;; k = std::min(2 * k, objective.k)) {
      const std::span<const Candidate> best = list.best(k);
      std::vector<const Analysis*> analyses;
      for (const Candidate& candidate : best) analyses.push_back(&candidate.analysis);
      const std::vector<double> costs = objective.loss->costs(sentence, analyses);
      const auto least = std::ranges::min_element(costs);  // of several, the first: the best score
      const auto at = static_cast<size_t>(least - costs.begin());
      if (*least < costs[0] || costs[0] == 0 || k == objective.k || best.size() < static_cast<size_t>(k)) {
        const double margin = (costs[0] - *least) * objective.loss->in_words(sentence.size());
        const bool changed = at > 0 && inner_.prefer(sentence, best[at], best[0], margin, objective.own_step);
        cost += costs[0];
        return changed;
      }
    }
  }

  double dev_cost(size_t i, const Parser& parser, int threads) const {
    const std::vector<Sentence>& dev = data_.objectives[i].dev;
    std::vector<Sentence> parsed = dev;
    parse_all(parser, parsed, threads);
    double sum = 0;
    for (size_t s = 0; s < dev.size(); ++s) sum += objectives_.all[i].loss->cost(dev[s], analysis_of(parsed[s]));
    return sum / static_cast<double>(dev.size());
  }

  RankingLearner& inner_;
  const Objectives& objectives_;
  const TrainData& data_;
  const uint64_t seed_;
  std::vector<State> states_;
  std::vector<std::vector<size_t>> orders_;  // of this round
  size_t updates_ = 0;
  bool treebank_done_ = false;  // in the batch under way
  double best_own_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

Trained train_augmented(RankingLearner& learner, const Objectives& objectives, int epochs, const std::string& identity,
                        const TrainData& data, const TrainContext& context) {
  if (objectives.all.empty()) return train_online(learner, epochs, identity, data, context);
  AugmentedLearner augmented(learner, objectives, data, context.seed);
  return train_online(augmented, epochs, identity, data, context);
}

}  // namespace espalier
