// Cost-sensitive classification by base learners. `csoaa` (one against all): every allowed action's regressor learns
// the action's cost; predictions beyond the range of costs seen so far count as its end, so that a cost that is already
// more than right does not pull. `weighted`: if the action that looks cheapest is not, the best-looking one of those
// that are is moved down and the wrong one up, with a weight of what it costs more; with a margin, also if it looks
// dearer by less than the margin times that (Taskar's loss-scaled margin); learner `pa` goes as far as makes up what is
// missing of it (Crammer et al. 2006). `softmax`: negative costs are the scores of a log-linear model in which the
// actions that cost nothing shall have all the probability; with a margin, wrong ones compete as if they looked better
// by that times their cost (softmax-margin, Gimpel & Smith 2010). Tested by reduction_test.cc.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "espalier/learn/l2s/collisions.h"
#include "espalier/learn/l2s/rule/base_learner.h"

namespace espalier {

/// What is learned from one decision: which action would cost how much, the least being 0.
struct Lesson {
  const FeatureBag& features;
  std::span<const FeatureBag> alternatives;  ///< if there are any: the features of each allowed action instead
  std::span<const int> allowed;
  std::span<const float> costs;
  int learner;
  float weight = 1;
  bool predicted = false;  ///< the last call was `predict` of the same, which then need not be repeated
};

/// What roll-ins ask and teach; virtual so that tests can look at the examples instead of learning from them.
class CostSensitive {
 public:
  virtual ~CostSensitive() = default;
  /// How many actions a learner has; 0 if there is no such learner.
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
               ? static_cast<int>(parts_[static_cast<size_t>(learner)].predicted.size())
               : 0;
  }
  std::span<const float> predict(const FeatureBag& features, std::span<const FeatureBag> alternatives,
                                 int learner) override;
  void learn(const Lesson& lesson) override;
  /// `csoaa`: the squared errors of costs predicted before they were learned, beyond the range of costs, too, over the
  /// costs' variance; since `forget_errors`. A few at most, unless weights swing to and fro; 0 if nothing was
  /// regressed.
  double error_over_variance() const;
  void forget_errors();
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
