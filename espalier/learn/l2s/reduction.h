// Cost-sensitive classification by base learners. `csoaa` (one against all): every allowed action's regressor learns
// the action's cost; predictions beyond the range of costs seen so far count as its end, so that overshooting is not
// corrected. `weighted`: if the action with the least predicted cost is wrong, the predicted cost of the best right
// action is lowered and that of the wrong one raised, with the difference of costs as weight; with a margin, also if
// the wrong one is predicted to cost more by less than the margin times that difference (Taskar's loss-scaled margin);
// learner `pa` moves as far as the margin requires (Crammer et al. 2006). `softmax`: negative costs are the scores of a
// log-linear model in which actions of cost 0 should have all the probability; with a margin, that times their cost is
// added to the scores of wrong actions (softmax-margin, Gimpel & Smith 2010). Tested by reduction_test.cc.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "espalier/learn/l2s/collisions.h"
#include "espalier/learn/l2s/rule/base_learner.h"

namespace espalier {

/// The example of one decision: the costs of its actions, the least being 0.
struct Lesson {
  const FeatureBag& features;
  std::span<const FeatureBag> alternatives;  ///< if not empty: the features of each allowed action instead
  std::span<const int> allowed;
  std::span<const float> costs;
  int learner;
  float weight = 1;
  bool predicted = false;  ///< whether the last call was `predict` for the same features
};

/// A cost-sensitive learner for roll-ins; virtual so that tests can record the examples.
class CostSensitive {
 public:
  virtual ~CostSensitive() = default;
  /// The number of actions of a learner; 0 if there is no such learner.
  virtual int actions(int learner) const = 0;
  /// Predicted costs of all actions of a learner, or of each alternative; valid until the next call.
  virtual std::span<const float> predict(const FeatureBag& features, std::span<const FeatureBag> alternatives,
                                         int learner) = 0;
  virtual void learn(const Lesson& lesson) = 0;
};

class Reduction final : public CostSensitive {
 public:
  enum class Kind { kOneAgainstAll, kWeighted, kSoftmax };

  /// One base learner per entry of `actions`, which gives its number of actions.
  Reduction(const LearnerOptions& options, Kind kind, std::span<const int> actions, float margin = 0);

  int actions(int learner) const override {
    return learner >= 0 && learner < static_cast<int>(parts_.size())
               ? static_cast<int>(parts_[learner].predicted.size())
               : 0;
  }
  std::span<const float> predict(const FeatureBag& features, std::span<const FeatureBag> alternatives,
                                 int learner) override;
  void learn(const Lesson& lesson) override;
  /// `csoaa`: the mean squared error of costs, predicted before they were learned and without clipping, over the
  /// variance of the costs, since `forget_errors`. A few at most, unless learning diverges; 0 if there were no
  /// regressions.
  double error_over_variance() const;
  void forget_errors();
  /// The share of the learned features that share their row with another.
  double collision_rate() const;
  void sample_average(int window);
  std::vector<HashedRegressor> freeze() const;
  void archive(Archive& archive);

 private:
  struct Part {
    std::unique_ptr<BaseLearner> learner;
    CollisionCounter collisions;
    std::vector<float> predicted, gradient;
    std::vector<float> alternatives = {};  // their predicted costs
    float highest = 0;                     // cost seen so far
    struct {
      double squared = 0, costs = 0, squared_costs = 0, count = 0;  // sums
    } errors = {};
  };
  /// Gradients of a lesson, in the order of the allowed actions, given what was predicted for them; all 0: nothing to
  /// learn.
  void fill_gradient(const Lesson& lesson, std::span<const float> predicted, Part& part);
  void fill_softmax_gradient(const Lesson& lesson, std::span<const float> predicted);
  LossShape shape() const { return kind_ == Kind::kOneAgainstAll ? LossShape::kSquared : LossShape::kLinear; }
  Kind kind_;
  float margin_;
  float aggressiveness_;         // largest passive-aggressive step; 0: steps of what the wrong choice costs
  std::vector<float> gradient_;  // of the allowed actions
  std::vector<Part> parts_;
};

}  // namespace espalier
