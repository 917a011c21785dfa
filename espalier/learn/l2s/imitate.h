// Learning to search: runs a task (parser/l2s/imperative.h) on training examples, chooses what its `predict` returns
// (roll-in), computes what each alternative would have cost (roll-out), and gives the cost-sensitive examples to the
// learner. Daumé et al. 2014; Chang et al. 2015.
//
//   algorithm    rollin                rollout            algorithm    rollin     rollout
//   DAgger       learn | mix_state     none               SEARN        mix_state  mix_state, policy_beta > 0
//   AggreVaTe    learn | mix_state     ref                LOLS         learn      mix_roll, rollout_learned = 0.5
//   the paper's  mix_roll              ref                supervised   ref        ref | none
//
// The cost of an alternative is computed in one of three ways. Closed form: if the reference gives costs and is the
// roll-out policy, nothing is run and the example is learned at once: O(1) runs. Otherwise the task runs again for
// every step and alternative, either from its last checkpoint before the step or, by replay, from the beginning
// (earlier actions come from memory, without features), and learning follows when all have run. All three make
// identical examples if the model does not learn meanwhile (tests/l2s_parser_test.cc; the latter two:
// imitate_test.cc).
//
// A decision may have an empty reference, or one that names no allowed action (an earlier mistake may forbid the right
// one). If the reference leads, it then takes the first action. Without roll-outs such a decision teaches nothing, with
// them it is learned from the losses of the runs.
#pragma once

#include <any>
#include <functional>
#include <vector>

#include "espalier/base/archive.h"
#include "espalier/base/rng.h"
#include "espalier/base/settings.h"
#include "espalier/learn/l2s/reduction.h"
#include "espalier/learn/l2s/remembered.h"
#include "espalier/parser/l2s/imperative.h"

namespace espalier {

/// In the order of their names: learn, ref, mix_state, mix_roll, none.
enum class Policy { kLearned, kReference, kMixState, kMixRoll, kNone };
enum class Deviations { kClosed, kSnapshot, kReplay };
/// The costs for regressors: as given, as shares of the decision's largest, or their square roots.
enum class CostScale { kGiven, kRelative, kRoot };

struct ImitationOptions {
  Policy rollin = Policy::kMixRoll;
  Policy rollout = Policy::kReference;
  double alpha = 1e-5;          ///< mixing: the learned policy has probability 1 - (1 - alpha)^t after t examples
  double rollout_learned = -1;  ///< in roll-outs, this probability instead, if not negative
  double policy_beta = 0;       ///< SEARN: mixing draws from all policies learned so far, the newest with this share
  Deviations deviations = Deviations::kClosed;  ///< closed form where possible
  CostScale scale = CostScale::kGiven;
  double highest_cost = 1e6;  ///< larger (scaled) costs are cut to this, since squared loss overrates them
  double explored = 1;        ///< share of the steps that are learned from

  static ImitationOptions from(SettingsReader& settings, const ImitationOptions& defaults);
};

/// Learning a task from the costs of its whole outputs, without references and without losses of
/// steps.
struct Outputs {
  std::function<size_t(Search&)> run;          ///< runs the task; equal outputs have the same number, 0, 1, 2 ...
  std::function<std::vector<double>()> costs;  ///< of all outputs so far; called once, after all roll-outs
  /// Of the actions of one kind only the one with the least predicted cost is tried; empty: every action is a kind.
  std::function<uint64_t(int learner, int action)> kind;
  double explored = 1;  ///< share of the decisions at which other actions are tried
  int tried = 8;        ///< number of actions tried, those with the least predicted cost
};

class Imitation final : public Search {
 public:
  Imitation(const ImitationOptions& options, CostSensitive& learner, uint64_t seed);

  /// The learner so far becomes a policy of the mixture, and `learner` is trained from now on (SEARN's interpolation
  /// of policies; only with `policy_beta`).
  void keep_policy(CostSensitive& learner) { policies_.push_back(&learner); }
  /// Learns from one example; `run` runs the task on it, from the start, as often as it is called.
  void train(const std::function<void(Search&)>& run);
  /// The same from the costs of outputs: the model leads through the example, and finishes every deviation.
  struct Taught {
    double cost = 0;         ///< of its own output
    bool something = false;  ///< whether some deviations cost more than others
  };
  Taught train(const Outputs& outputs);

  /// Cost-sensitive examples made so far (t of the mixing probability) and the loss of the last roll-in.
  size_t examples() const { return examples_; }
  double last_loss() const { return rollin_loss_; }
  /// The state that changes from example to example; the learner is archived by its owner.
  void archive(Archive& a) {
    a.value(coins_), a.value(steps_rng_);
    a.value(examples_), a.value(sentences_);
    a.value(snapshots_);
  }

  void loss(double amount) override { loss_ += amount; }
  bool needs_features() const override;
  bool needs_reference() const override { return !outputs_; }

 private:
  struct Step {
    int action;
    int learner = 0;
    bool explore = false;
    float weight = 1;
    FeatureBag features;
    std::vector<FeatureBag> alternatives;
    std::vector<int> allowed;
  };
  struct Checkpoint {
    size_t step;
    double loss;
    std::any state;
    int loop;
  };

  int decide(const Decision& decision) override;
  int actions(int learner) const override { return policies_.back()->actions(learner); }
  bool keeps_checkpoints() const override { return rolling_out_ ? !resumed_ && !checkpoints_.empty() : snapshots_; }
  const std::any* resume_point(int loop) override;
  void keep_checkpoint(std::any state, int loop) override {
    if (!rolling_out_) checkpoints_.push_back({step_, loss_, std::move(state), loop});
  }

  void begin();
  int roll_in(const Decision& decision);
  int lead(const Decision& decision, Step& step);
  static void remember(const Decision& decision, std::span<const int> tried, Step& step);
  std::vector<int> contenders(const Decision& decision, std::span<const float> predicted) const;
  /// Runs the task with another action at a step.
  void deviate(size_t step, int action, const std::function<void(Search&)>& run);
  /// Learns from a step, given the losses of its actions.
  void learn_step(const Step& step, std::span<const double> losses);
  int roll_out(const Decision& decision);
  std::span<const float> ask(const Decision& decision, size_t policy) {
    return predicted_ = policies_[policy]->predict(decision.features, decision.alternatives, decision.learner);
  }
  /// Learns from a lesson, whose costs are costs_.
  void learn(const Lesson& lesson);
  void scale_costs();
  static bool is_known(const Decision& decision);
  /// The reference's action; the first one, if the reference is empty.
  static int reference_action(const Decision& decision);
  /// The acting policy is one of policies_, or kTeacher.
  static constexpr size_t kTeacher = static_cast<size_t>(-1);
  size_t draw(Policy policy, double fixed, Rng& rng) const;
  size_t draw_mixed(double fixed, Rng& rng) const;

  ImitationOptions options_;
  std::vector<CostSensitive*> policies_;  // the last one learns
  uint64_t seed_;
  Rng coins_, steps_rng_;
  size_t examples_ = 0, sentences_ = 0;
  double loss_ = 0, rollin_loss_ = 0;
  double learned_probability_ = 0;  // of mixed policies; fixed while an example is learned

  // The current run.
  const Outputs* outputs_ = nullptr;  // what is learned from, instead of references
  bool rolling_out_ = false, resumed_ = false, snapshots_ = false;
  size_t trajectory_ = kTeacher;  // the policy of this run, if it is drawn once per run
  size_t step_ = 0;
  std::vector<Step> steps_;  // memory is reused: only the first count_ are of this example
  size_t count_ = 0;
  std::vector<Checkpoint> checkpoints_;
  size_t deviate_at_ = 0;
  int deviate_to_ = 0;
  Rng rollout_coins_;
  RememberedCosts remembered_;  // of roll-outs, since something was learned
  std::vector<float> costs_;
};

}  // namespace espalier
