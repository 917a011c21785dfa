// Cost-sensitive classification by base learners. `csoaa` (one against all): every allowed action's regressor learns
// the action's cost; predictions beyond the range of costs seen so far count as its end, so that a cost that is already
// more than right does not pull. `weighted`: if the action that looks cheapest is not, the best-looking one of those
// that are is moved down and the wrong one up, with a weight of what it costs more; with a margin, also if it looks
// dearer by less than the margin times that (Taskar's loss-scaled margin). Tested by reduction_test.cc.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "espalier/learn/l2s/collisions.h"
#include "espalier/learn/rule/base_learner.h"

namespace espalier {

/// What roll-ins ask and teach; virtual so that tests can look at the examples instead of learning from them.
class CostSensitive {
 public:
  virtual ~CostSensitive() = default;
  /// How many actions a learner has; 0 if there is no such learner.
  virtual int actions(int learner) const = 0;
  /// Predicted costs of all actions of a learner; valid until the next call.
  virtual std::span<const float> predict(const FeatureBag& features, int learner) = 0;
  /// Learns that the allowed actions have these costs, the least being 0. `predicted` says that the last call was
  /// `predict` of the same features and learner, which then need not be repeated.
  virtual void learn(const FeatureBag& features, std::span<const int> allowed, std::span<const float> costs,
                     int learner, bool predicted) = 0;
};

class Reduction final : public CostSensitive {
 public:
  enum class Kind { kOneAgainstAll, kWeighted };

  /// One base learner per entry of `actions`, which gives its number of actions.
  Reduction(const LearnerOptions& options, Kind kind, std::span<const int> actions, float margin = 0);

  int actions(int learner) const override {
    return learner >= 0 && learner < static_cast<int>(parts_.size())
               ? static_cast<int>(parts_[static_cast<size_t>(learner)].predicted.size())
               : 0;
  }
  std::span<const float> predict(const FeatureBag& features, int learner) override;
  void learn(const FeatureBag& features, std::span<const int> allowed, std::span<const float> costs, int learner,
             bool predicted) override;
  /// Which share of the features learned from shares its row with another.
  double collision_rate() const;
  void sample_average(int window);
  std::vector<HashedRegressor> freeze() const;
  void archive(Archive& archive);

 private:
  struct Part {
    std::unique_ptr<BaseLearner> learner;
    CollisionCounter collisions;
    std::vector<float> predicted, gradient;
    float highest = 0;  // cost seen so far
  };
  Kind kind_;
  float margin_;
  std::vector<Part> parts_;
};

}  // namespace espalier
