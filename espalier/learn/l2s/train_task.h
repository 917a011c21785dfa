// Trains tasks (parser/l2s/imperative.h) by learning to search. TaskLearner does it for anything that can run a task on
// its instances; `train_task` for tasks that annotate sentences (parser/l2s/imperative_parser.h says what such a task
// has). Tested by tests/l2s_parser_test.cc.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/learn/l2s/imitate.h"
#include "espalier/learn/l2s/reduction.h"
#include "espalier/learn/online.h"
#include "espalier/learn/trained.h"

namespace espalier {

/// The settings of learning a task, apart from those of the task itself.
struct TaskTraining {
  LearnerOptions learner;
  Reduction::Kind reduction;
  float margin;
  ImitationOptions imitation;
  int epochs;
  int policy_passes;  ///< epochs after which the next policy begins, with policy_beta
  int average;        ///< samples per epoch of the averaged weights
  bool shuffle;

  /// The defaults of a recipe, equal to those in its file (tests/contract/settings_test.cc).
  struct Defaults {
    int epochs;
    std::string learner;
    ImitationOptions imitation = {};
    int average = 4;
    /// For tasks that give right actions and no costs (recipe l2s-tagger, tasks of programs): without roll-outs a wrong
    /// action costs 1, which is right for labels of words.
    static Defaults of_right_actions() {
      return {.epochs = 5, .learner = "perceptron", .imitation = {.rollout = Policy::kNone}};
    }
  };
  TaskTraining(SettingsReader& settings, const Defaults& defaults);
  TaskTraining seeded(uint64_t seed) const;
  /// Whether to sample the weights after the i-th instance of an epoch.
  bool samples_after(size_t i, size_t instances) const {
    const size_t samples = static_cast<size_t>(average);
    return i * samples / instances != (i + 1) * samples / instances;
  }
  /// The mean reaches back about two epochs, so that early weights fade.
  int average_window() const { return 2 * average; }
};

class TaskLearner : public OnlineLearner {
 public:
  /// `actions`: of each of the task's learners.
  TaskLearner(const TaskTraining& options, std::span<const int> actions, const TrainContext& context)
      : options_(options.seeded(context.seed)),
        actions_(actions.begin(), actions.end()),
        policies_(1, new_policy()),
        imitation_(options.imitation, *policies_.back(), context.seed),
        note_(context.note) {}

  std::vector<size_t> order(int epoch, uint64_t seed) const override {
    return shuffled_order(size(), options_.shuffle ? epoch : 0, seed);
  }
  void begin_epoch(int epoch) override {
    in_epoch_ = 0;
    loss_ = 0;
    if (options_.imitation.policy_beta > 0 && epoch > 1 && (epoch - 1) % options_.policy_passes == 0) add_policy();
    policies_.back()->forget_errors();
  }
  size_t learn(std::span<const size_t> batch, int epoch) final;
  nlohmann::json epoch_values() const override;
  void archive(Archive& archive) override;

 protected:
  /// Sets the instance for `run`.
  virtual void prepare(size_t instance) = 0;
  /// Runs the task on the instance, from the start at every call.
  virtual void run(Search& search) = 0;
  std::vector<HashedRegressor> regressors() const { return policies_.back()->freeze(); }
  Imitation& imitation() { return imitation_; }

 private:
  std::shared_ptr<Reduction> new_policy() const {
    return std::make_shared<Reduction>(options_.learner, options_.reduction, actions_, options_.margin);
  }
  void add_policy() {
    policies_.push_back(new_policy());
    imitation_.keep_policy(*policies_.back());
  }
  /// Warns if learning diverges: weights may oscillate and stay finite, which scores alone do not show.
  void warn_if_diverging();

  TaskTraining options_;
  std::vector<int> actions_;
  std::vector<std::shared_ptr<Reduction>> policies_;  // the last one learns; there are others with policy_beta only
  Imitation imitation_;
  size_t in_epoch_ = 0;  // instances
  double loss_ = 0;      // in this epoch
  std::function<void(const std::string&)> note_;
  bool warned_ = false;
};

/// A task that annotates sentences, and how to train it.
template <class Task>
struct TaskRecipe {
  const Task& task;
  std::function<std::unique_ptr<Parser>(std::vector<HashedRegressor>)> make;  ///< makes the trained parser
  std::function<bool(const Sentence&)> usable;                                ///< whether it can be learned from,
  std::string_view why_not = {};                                              ///< and what is wrong if it cannot
  std::function<DevScore(const Parser&, const std::vector<Sentence>& dev, int threads)> score = score_on_dev;
};

template <class Task>
class SentenceTaskLearner : public TaskLearner {
 public:
  SentenceTaskLearner(const TaskRecipe<Task>& recipe, const TaskTraining& options,
                      const std::vector<Sentence>& sentences, const TrainContext& context)
      : TaskLearner(options, recipe.task.actions(), context), recipe_(recipe) {
    for (const Sentence& sentence : sentences)
      if (recipe.usable(sentence)) sentences_.push_back(&sentence);
    const auto words = std::ranges::count_if(sentences, [](const Sentence& s) { return s.size() > 0; });
    note_left_out(context, static_cast<size_t>(words) - sentences_.size(), recipe.why_not);
    if (sentences_.empty()) throw Error(ErrorKind::kData, "no sentence of the training data can be learned from");
  }

  size_t size() const override { return sentences_.size(); }
  std::unique_ptr<Parser> freeze() const override { return recipe_.make(regressors()); }
  DevScore score(const Parser& frozen, const std::vector<Sentence>& dev, int threads) override {
    return recipe_.score(frozen, dev, threads);
  }

 protected:
  const Task& task() const { return recipe_.task; }

  TaskRecipe<Task> recipe_;
  typename Task::Example example_;

 private:
  void prepare(size_t instance) override { recipe_.task.read(*sentences_[instance], example_, true); }
  void run(Search& search) override { recipe_.task.run(search, example_); }

  std::vector<const Sentence*> sentences_;
};

/// `identity` as for train_online.
template <class Task>
Trained train_task(const TaskRecipe<Task>& recipe, const TaskTraining& options, const std::string& identity,
                   const TrainData& data, const TrainContext& context) {
  SentenceTaskLearner<Task> learner(recipe, options, data.train, context);
  return train_online(learner, options.epochs, identity, data, context);
}

}  // namespace espalier
