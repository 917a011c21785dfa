// Learning to search for tasks of other programs, in any language (docs/learning-to-search.md): a task is a function
// that builds its output step by step and asks for each decision.
//
//   SearchTrainer trainer({kLabels}, {"learner=adaptive"});
//   trainer.train(examples.size(), [&](TaskSearch& search, size_t i) { run(search, examples[i]); });
//   const SearchModel model = trainer.model();
//   model.decide([&](TaskSearch& search) { run(search, x); });   // the same code now decodes
//
// Tested by train_search_test.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/export.h"

namespace espalier {

class Search;

/// A span that can also be written as a list in the call: `predict({.allowed = {0, 2}})`.
template <class Number>
struct Numbers : std::span<const Number> {
  using std::span<const Number>::span;
  Numbers() = default;
  Numbers(std::span<const Number> span) : std::span<const Number>(span) {}
  Numbers(std::initializer_list<Number> list) : std::span<const Number>(list.begin(), list.size()) {}
};

/// One decision of a task. It teaches something if `reference` names an allowed action, or if there are costs.
/// Otherwise (an earlier mistake may forbid the right action) it teaches nothing, unless roll-outs (rollout=...) find
/// the best action by the task's loss.
struct TaskDecision {
  Numbers<uint64_t> features = {};   ///< keys (feature_key); each has value 1
  Numbers<int> allowed = {};         ///< ascending; empty = all actions
  Numbers<int> reference = {};       ///< the right action(s), if known
  Numbers<float> costs = {};         ///< or the cost of each allowed action, the least being 0
  int learner = 0;                   ///< which of the task's learners decides
  Numbers<int> conditioned_on = {};  ///< earlier actions, latest first, that become features
  float weight = 1;                  ///< of the decision in learning
  /// Instead of features and allowed actions: alternatives, at least one, each with features of its own (heads of a
  /// word, entities for a name). Actions are their numbers, and the learner has one action, the cost of an alternative.
  std::optional<std::span<const std::vector<uint64_t>>> alternatives = {};
};

/// The interface of a running task. Throws a usage Error for a decision that makes no sense.
class ESPALIER_API TaskSearch {
 public:
  int predict(const TaskDecision& decision);
  void loss(double amount);
  /// The predicted costs of all actions of the last decision's learner, or of its alternatives; empty if the model was
  /// not asked.
  std::span<const float> predicted_costs() const;
  /// False if features (below: references) are not needed, so that a task may leave them out.
  bool needs_features() const;
  bool needs_reference() const;

  struct Scratch;
  TaskSearch(Search& search, Scratch& scratch) : search_(search), scratch_(scratch) {}

 private:
  Search& search_;
  Scratch& scratch_;
};

/// Runs the task on one example, from the start, as often as it is called; deterministic given what predict returns.
using TaskRun = std::function<void(TaskSearch&)>;

/// A trained model. A handle; may be used by any thread.
class ESPALIER_API SearchModel {
 public:
  void decide(const TaskRun& run) const;
  /// To and from the bytes of a model file. `name` stands for the file in messages.
  std::string to_bytes() const;
  static SearchModel from_bytes(std::string_view bytes, const std::string& name);

  struct Weights;
  explicit SearchModel(std::shared_ptr<const Weights> weights) : weights_(std::move(weights)) {}

 private:
  std::shared_ptr<const Weights> weights_;
};

class ESPALIER_API SearchTrainer {
 public:
  /// `actions`: of each of the task's learners. Settings are those of the recipe l2s-tagger, "learner=adaptive".
  explicit SearchTrainer(std::vector<int> actions, const std::vector<std::string>& settings = {}, uint64_t seed = 1);
  ~SearchTrainer();
  SearchTrainer(SearchTrainer&&) noexcept;

  /// Trains like a recipe: makes all passes over the examples, shuffled before each, and averages the weights. Returns
  /// the loss of each pass.
  std::vector<double> train(size_t examples, const std::function<void(TaskSearch&, size_t example)>& run);

  // Or step by step.
  int epochs() const;  ///< the setting: passes that the caller should make
  /// Learns from one example; returns the loss of the first run.
  double learn(const TaskRun& run);
  /// Adds the current weights to their running mean. Call it `samples` times per pass, evenly.
  void sample();
  int samples() const;
  SearchModel model() const;

 private:
  struct Learner;
  std::unique_ptr<Learner> learner_;
};

/// Labels of words that mark stretches of text: O, and for every type B (begins), I (inside) and, by BILOU, L (last)
/// and U (unit). Knows which label may follow which, so that a task predicts valid sequences only.
class ESPALIER_API StretchLabels {
 public:
  enum class Scheme { kBio, kBilou };
  struct Stretch {
    int begin, end, type;  ///< words [begin, end)
    friend bool operator==(const Stretch&, const Stretch&) = default;
  };

  explicit StretchLabels(std::vector<std::string> types, Scheme scheme = Scheme::kBio);
  int size() const { return static_cast<int>(names_.size()); }
  const std::string& name(int label) const { return names_.at(static_cast<size_t>(label)); }
  /// The number of a label; -1 if there is none.
  int find(std::string_view name) const;
  /// The labels that may follow `previous` (-1 = the beginning), ascending; `last`: those of the last word.
  std::span<const int> allowed(int previous, bool last) const;
  /// A label that is not known (-1) counts as O.
  std::vector<Stretch> stretches(std::span<const int> labels) const;

 private:
  char mark(int label) const { return names_[label][0]; }
  int type(int label) const { return label == 0 ? -1 : (label - 1) / per_type_; }
  bool may_follow(int previous, int label) const;
  bool may_end(int label) const;

  Scheme scheme_;
  int per_type_;
  std::vector<std::string> names_;
  std::vector<std::vector<int>> allowed_;  // by previous + 1, then by whether the word is the last
};

/// The key of a feature that is named by a text.
ESPALIER_API uint64_t feature_key(std::string_view text);

}  // namespace espalier
