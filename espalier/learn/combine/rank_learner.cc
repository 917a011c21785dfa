#include "espalier/learn/combine/rank_learner.h"

#include <nlohmann/json.hpp>

#include "espalier/parser/combine/mixture.h"

namespace espalier {

RankLearner::RankLearner(std::span<const RankExample> examples, size_t features, const RankOptions& options,
                         uint64_t seed, std::span<const RankExample> held_out, std::vector<MixtureList> mixtures,
                         bool mix)
    : examples_(examples),
      held_out_(held_out),
      mixtures_(std::move(mixtures)),
      seed_(seed),
      mix_(mix),
      ranker_(examples, features, options) {
  best_.weights.resize(features);
  best_.mixture.alpha.resize(parsers_of(mixtures_));
}

size_t RankLearner::learn(std::span<const size_t> batch, int) {
  const Ranker::Counts counts = ranker_.learn(batch.front());
  pairs_ += counts.pairs;
  return counts.updates;
}

void RankLearner::end_epoch() {
  ++epoch_;
  std::vector<float> average = ranker_.average();
  for (size_t i = 0; i < held_out_.size(); ++i) {
    mixtures_[i].ranker = rank_scores(held_out_[i], average);
    rescale(mixtures_[i].ranker);
  }
  const std::vector<double> alone(best_.mixture.alpha.size(), 0.0);
  loss_alone_ = mixture_loss(mixtures_, alone);
  mixture_ = mix_ ? fit_mixture(mixtures_, true) : Mixture{alone, loss_alone_};
  if (best_.epoch == 0 || mixture_.loss < best_.mixture.loss)
    best_ = {epoch_, std::move(average), mixture_, loss_alone_};
}

nlohmann::json RankLearner::epoch_values() const {
  return {{"pairs", pairs_}, {"dev_loss", mixture_.loss}, {"dev_loss_ranker", loss_alone_}, {"alpha", mixture_.alpha}};
}

void RankLearner::archive(Archive& archive) {
  ranker_.archive(archive);
  archive.value(epoch_);
  archive.value(pairs_);
  archive.value(best_.epoch);
  archive.items(std::span(best_.weights));
  archive.items(std::span(best_.mixture.alpha));
  archive.value(best_.mixture.loss);
  archive.value(best_.loss_alone);
}

}  // namespace espalier
