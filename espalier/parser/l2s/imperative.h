// Search written as ordinary code. A task is a struct with
//
//     void run(Search& search, Example& example) const;
//
// which builds its output step by step. Where it must choose, it calls `search.predict(...)` and continues with the
// returned action; where it can tell that something is wrong, it calls `search.loss(...)`. The library runs the same
// code to parse (predict = the learned model) and, many times, to learn (predict = model, reference, or one deviation
// from them: learn/l2s/imitate.h). Chang et al. 2015, Learning to Search for Dependencies.
//
// The laws of a task: `run` is deterministic given the actions returned; it reads gold data only to fill in a
// Reference or to declare a loss; the allowed actions are never empty and ascend.
// docs/learning-to-search.md is the guide. Tested by learn/l2s/imitate_test.cc and tests/learning_to_search_test.cc.
#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "espalier/base/stop_point.h"
#include "espalier/features/feature_bag.h"
#include "espalier/weights/hashed_regressor.h"

namespace espalier {

/// The reference for one decision: nothing, the right action(s), or the cost of each allowed action, i.e. the loss of
/// the best continuation after it less that of the best continuation overall. Right actions none of which is allowed
/// count as nothing.
class Reference {
 public:
  Reference() = default;
  Reference(int action) : single_(action) {}  // NOLINT: `predict(features, allowed, gold)` should read like that
  static Reference actions(std::span<const int> actions) {
    Reference reference;
    reference.actions_ = actions;
    return reference;
  }
  /// Costs stand in the order of the allowed actions.
  static Reference costs(std::span<const float> costs) {
    Reference reference;
    reference.costs_ = costs;
    return reference;
  }

  bool has_costs() const { return !costs_.empty(); }
  std::span<const float> costs() const { return costs_; }
  bool contains(int action) const {
    if (action == single_) return true;
    for (int a : actions_) {
      if (a == action) return true;
    }
    return false;
  }

 private:
  int single_ = -1;
  std::span<const int> actions_;
  std::span<const float> costs_;
};

/// The arguments of one call of predict or choose.
struct Decision {
  const FeatureBag& features;                ///< conditioning included; empty if the search needs none
  std::span<const FeatureBag> alternatives;  ///< choose: the features of each allowed action instead
  std::span<const int> allowed;
  const Reference& reference;
  int learner;
  float weight;  ///< of the decision in learning
};

class Search {
 public:
  virtual ~Search() = default;

  /// Chooses one of the allowed actions. `learner` says which of the task's learners decides; `conditioned_on` are
  /// earlier actions (latest first) that become features: each alone, and each with all later ones.
  /// A decision of weight 2 counts in learning like two. Throws a usage Error for a decision that makes no sense.
  int predict(FeatureBag& features, std::span<const int> allowed, const Reference& reference, int learner = 0,
              std::span<const int> conditioned_on = {}, float weight = 1);
  int predict(FeatureBag& features, std::initializer_list<int> allowed, const Reference& reference, int learner = 0,
              std::span<const int> conditioned_on = {}, float weight = 1) {
    return predict(features, std::span(allowed.begin(), allowed.size()), reference, learner, conditioned_on, weight);
  }
  /// Chooses one of several things that each have features of their own: heads of a word, entities for a name. Actions
  /// are their numbers; the learner has one action, whose cost is that of a thing with such features.
  int choose(std::span<const FeatureBag> alternatives, const Reference& reference, int learner = 0, float weight = 1);

  /// The predicted costs of all actions of the last decision's learner, or of all alternatives; empty if the model was
  /// not asked.
  std::span<const float> predicted_costs() const { return predicted_; }

  /// Adds to the loss of this run.
  virtual void loss(double) {}

  /// False if the next predict ignores features (while replaying, or following the reference); a task may then leave
  /// them out.
  virtual bool needs_features() const { return true; }
  /// False when parsing: a task need not fill in a Reference, nor compute a loss.
  virtual bool needs_reference() const { return false; }

  /// Optional, at a point of `run` whose future depends on `state` alone (the head of its loop): deviations then resume
  /// here, by overwriting `state`, instead of from the start. A task with several such loops numbers them: a run
  /// resumes in the loop that saved the state, and replays the loops before it.
  template <class State>
  void checkpoint(State& state, int loop = 0) {
    if (!keeps_checkpoints()) return;
    if (const std::any* saved = resume_point(loop)) {
      const State* kept = std::any_cast<State>(saved);
      if (!kept) throw_other_state(loop);
      state = *kept;
    } else {
      keep_checkpoint(std::any(state), loop);
    }
  }

 protected:
  std::span<const float> predicted_;  // for decide to fill in

 private:
  virtual int decide(const Decision& decision) = 0;
  /// How many actions a learner has; 0 if there is no such learner.
  virtual int actions(int learner) const = 0;
  virtual bool keeps_checkpoints() const { return false; }
  virtual const std::any* resume_point(int) { return nullptr; }
  virtual void keep_checkpoint(std::any, int) {}
  [[noreturn]] static void throw_other_state(int loop);
  int check_and_decide(const Decision& decision);

  std::vector<int> numbers_;  // 0, 1, 2, ...: the actions of choose
};

/// Past actions, the latest first, as features: each alone, and each with all later ones.
void add_history(std::span<const int> actions, FeatureBag& features);

/// The allowed action of least cost, the first of equals.
inline int cheapest(std::span<const float> costs, std::span<const int> allowed) {
  int best = allowed[0];
  for (int action : allowed) {
    if (costs[action] < costs[best]) best = action;
  }
  return best;
}

/// Parsing: the learned model decides everything.
class GreedySearch : public Search {
 public:
  /// One regressor per learner of the task; they must outlive the search.
  explicit GreedySearch(std::span<const HashedRegressor> learners) : learners_(learners) {}

 private:
  int decide(const Decision& decision) override {
    stop_point();
    if (decision.allowed.size() == 1) return decision.allowed[0];
    const HashedRegressor& learner = learners_[decision.learner];
    const auto score = [&](const FeatureBag& bag, std::span<float> costs) {
      learner.score(bag.keys(), bag.values(), scratch_, costs);
    };
    costs_.resize(std::max(static_cast<size_t>(learner.shape().actions), decision.alternatives.size()));
    if (decision.alternatives.empty()) {
      score(decision.features, costs_);
    } else {
      for (size_t i = 0; i < decision.alternatives.size(); ++i) {
        score(decision.alternatives[i], std::span(costs_).subspan(i, 1));
      }
    }
    predicted_ = costs_;
    return cheapest(costs_, decision.allowed);
  }
  int actions(int learner) const override {
    return learner >= 0 && learner < static_cast<int>(learners_.size()) ? learners_[learner].shape().actions : 0;
  }

  std::span<const HashedRegressor> learners_;
  HashedRegressor::Scratch scratch_;
  std::vector<float> costs_;
};

}  // namespace espalier
