// The ranker of `hc` as an OnlineLearner (learn/online.h). At the end of each epoch it is mixed with the parsers on
// held-out lists, and the result of the best epoch is kept. Tested by hc_trainer_test.cc and
// tests/contract/trainer_test.cc.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "espalier/learn/combine/mixture_fit.h"
#include "espalier/learn/combine/ranker.h"
#include "espalier/learn/online.h"

namespace espalier {

class RankLearner final : public OnlineLearner {
 public:
  struct Best {
    int epoch = 0;
    std::vector<float> weights;
    Mixture mixture;
    double loss_alone = 0;  ///< of the ranker without the parsers' scores
  };

  /// `held_out` are the lists of `mixtures` in numbers; they and `examples` must outlive it. `mix`: whether parsers'
  /// scores are mixed in.
  RankLearner(std::span<const RankExample> examples, size_t features, const RankOptions& options, uint64_t seed,
              std::span<const RankExample> held_out, std::vector<MixtureList> mixtures, bool mix);

  const Best& best() const { return best_; }

  size_t size() const override { return examples_.size(); }
  std::vector<size_t> order(int epoch, uint64_t) const override { return ranking_order(size(), epoch, seed_); }
  void begin_epoch(int) override { pairs_ = 0; }
  /// Counts pairs of trees, not lists.
  size_t learn(std::span<const size_t> batch, int) override;
  void end_epoch() override;
  nlohmann::json epoch_values() const override;
  std::unique_ptr<Parser> freeze() const override { return nullptr; }  // the result is no parser
  void archive(Archive& archive) override;

 private:
  std::span<const RankExample> examples_, held_out_;
  std::vector<MixtureList> mixtures_;
  const uint64_t seed_;
  const bool mix_;
  Ranker ranker_;
  int epoch_ = 0;     // finished epochs
  size_t pairs_ = 0;  // in this epoch
  Mixture mixture_;   // of the last epoch
  double loss_alone_ = 0;
  Best best_;
};

}  // namespace espalier
