// Base learners: online regressors, one per action, over hashed features. A reduction (learn/l2s/reduction.h) turns
// cost-sensitive examples into gradients for them. kLearners in base_learner.cc is the only list of them.
// Tested by rule_test.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "espalier/base/archive.h"
#include "espalier/base/settings.h"
#include "espalier/features/feature_bag.h"
#include "espalier/weights/hashed_regressor.h"

namespace espalier {

/// The shape of the loss around a prediction. Squared: gradient 2 (p - y), so that a rule may step in closed form
/// and never past y. Linear: a constant slope, as in a perceptron's update.
enum class LossShape { kSquared, kLinear };

class BaseLearner {
 public:
  virtual ~BaseLearner() = default;

  /// The predicted cost of every action.
  virtual void score(const FeatureBag& features, std::span<float> costs) = 0;
  /// Moves the weights against the gradient (per action). Must directly follow `score` of the same features.
  /// An example of weight 2 counts like two.
  virtual void update(const FeatureBag& features, std::span<const float> gradient, LossShape loss,
                      float weight = 1) = 0;
  /// Adds the current weights to a running mean of about the last `window` calls (Polyak averaging by samples);
  /// learners that average by themselves may ignore it.
  virtual void sample_average(int window) = 0;
  /// The weights as parsing uses them: the mean, if samples were taken.
  virtual HashedRegressor freeze() const = 0;
  /// Saves or restores everything that learning changes. A learner that restores must be new.
  virtual void archive(Archive& archive) = 0;
};

/// Properties of a learner by name.
struct LearnerKind {
  std::string_view name;
  bool network = false;         ///< has hidden units
  bool predicts_costs = true;   ///< false: its scores only order actions, which is enough for some reductions
  bool passive = false;         ///< steps no further than it must
  bool steps_by_alpha = false;  ///< `ftrl_alpha` says how far it steps, not `rate`
};

/// The settings of a learner. The constructor sets the defaults of the learner with this name.
struct LearnerOptions {
  explicit LearnerOptions(std::string name);

  std::string name;
  int bits = 20;                 ///< 2^bits rows per learner id
  int hidden = 5;                ///< units per action (nn)
  bool shared = false;           ///< one hidden layer for all actions
  bool direct = false;           ///< each action also has direct weights for the features, beside the hidden layer
  double dropout = 0;            ///< hidden units that do not take part in an example, at random
  double rate = 0.2;             ///< eta of sgd and of adaptive
  double later_rates = 1;        ///< rates of a task's second learner and those after it, over the first's
  double aggressiveness = 0.01;  ///< largest step of pa
  double ftrl_alpha = 0.005, ftrl_beta = 0.1, l1 = 0, l2 = 0;
  uint64_t seed = 1;

  const LearnerKind& kind() const;
  static LearnerOptions from(SettingsReader& settings, const std::string& default_name);
  /// The learner and the setting of its step size, for messages: "learner=sgd rate=0.5".
  std::string name_and_rate() const;
};

std::unique_ptr<BaseLearner> make_base_learner(const LearnerOptions& options, int actions);

}  // namespace espalier
