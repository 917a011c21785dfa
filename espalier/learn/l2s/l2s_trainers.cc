#include "espalier/learn/l2s/l2s_trainers.h"

#include "espalier/learn/identity.h"
#include "espalier/learn/l2s/train_task.h"
#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/root_rule.h"
#include "espalier/learn/shift_reduce/binary_treebank.h"
#include "espalier/parser/l2s/l2s.h"
#include "espalier/parser/l2s/l2s_constituents.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

/// Teaches a parser by losses of whole trees beside its treebank: it tries other actions than its own, and the loss
/// says what the resulting trees cost. `Learner` trains a task by examples.
template <class Learner, class Task>
class LearnsTreesByLoss : public Learner, public LearnsByLoss {
 public:
  using Learner::Learner;

  bool learn_by(const Sentence& sentence, const Objective& objective, double& cost) final {
    const Task& task = this->task();
    std::vector<Analysis> made;
    const Outputs outputs{.run =
                              [&](Search& search) {
                                task.run(search, this->example_);
                                Sentence parsed = sentence;
                                task.write(this->example_, parsed);
                                Analysis analysis = tree_of(parsed);
                                const auto same = std::ranges::find(made, analysis) - made.begin();
                                if (static_cast<size_t>(same) == made.size()) made.push_back(std::move(analysis));
                                return static_cast<size_t>(same);
                              },
                          .costs =
                              [&] {
                                std::vector<const Analysis*> analyses;
                                for (const Analysis& analysis : made) analyses.push_back(&analysis);
                                std::vector<double> costs = objective.loss->costs(sentence, analyses);
                                for (double& one : costs) one *= objective.loss->in_words(sentence.size());
                                return costs;
                              },
                          .kind = [&](int learner, int action) { return kind_of(learner, action, objective.labels); },
                          .explored = objective.explored,
                          .tried = objective.k};
    task.read(sentence, this->example_, false);
    const Imitation::Taught taught = this->imitation().train(outputs);
    cost = taught.cost / objective.loss->in_words(sentence.size());
    return taught.something;
  }

 private:
  virtual Analysis tree_of(const Sentence& parsed) const = 0;
  /// If labels do not matter, actions that differ in their labels alone are of one kind.
  virtual uint64_t kind_of(int learner, int action, bool labels) const = 0;
};

template <class Space>
class L2sLearner final : public LearnsTreesByLoss<SentenceTaskLearner<L2sParser<Space>>, L2sParser<Space>> {
 public:
  using LearnsTreesByLoss<SentenceTaskLearner<L2sParser<Space>>, L2sParser<Space>>::LearnsTreesByLoss;

 private:
  Analysis tree_of(const Sentence& parsed) const override { return dependencies_of(parsed); }
  uint64_t kind_of(int learner, int action, bool labels) const override {
    const L2sParser<Space>& task = this->task();
    if (labels || (!task.options.joint && learner == L2sModel::kArcKinds)) return static_cast<uint64_t>(action);
    return task.options.joint ? static_cast<uint64_t>(task.model.actions.action(action).move) : 0;
  }
};

/// Learns from the treebank's trees, read once.
class ConstituentTaskLearner : public TaskLearner {
 public:
  ConstituentTaskLearner(L2sConstituents task, const BinaryTreebank& treebank, const TaskTraining& options,
                         const TrainContext& context)
      : TaskLearner(options, task.actions(), context), task_(std::move(task)) {
    for (size_t i = 0; i < treebank.trees.size(); ++i) {
      Instance& instance = instances_.emplace_back();
      const Sentence& sentence = *treebank.sentences[i];
      instance.atoms.encode(sentence, words_to_parse(sentence), task_.model.direction);
      instance.gold = BracketOracle(treebank.trees[i]);
    }
  }

  size_t size() const override { return instances_.size(); }
  std::unique_ptr<Parser> freeze() const override { return make_l2s_constituent_parser(task_, regressors()); }
  DevScore score(const Parser& frozen, const std::vector<Sentence>& dev, int threads) override {
    return score_on_dev(frozen, dev, threads);
  }

 protected:
  const L2sConstituents& task() const { return task_; }
  L2sConstituents::Example example_;

 private:
  struct Instance {
    ConstituentAtoms atoms;
    BracketOracle gold;
  };

  void prepare(size_t instance) override {
    example_.atoms = &instances_[instance].atoms;
    example_.gold = &instances_[instance].gold;
  }
  void run(Search& search) override { task_.run(search, example_); }

  L2sConstituents task_;
  std::vector<Instance> instances_;
};

class L2sConstituentLearner final : public LearnsTreesByLoss<ConstituentTaskLearner, L2sConstituents> {
 public:
  using LearnsTreesByLoss::LearnsTreesByLoss;

 private:
  Analysis tree_of(const Sentence& parsed) const override {
    Analysis analysis;
    analysis.constituents = parsed.constituents;
    return analysis;
  }
  uint64_t kind_of(int learner, int action, bool labels) const override {
    if (labels || learner == L2sConstituents::kMove) return static_cast<uint64_t>(action);
    return learner == L2sConstituents::kChain && action == task().chains;
  }
};

/// Passes over the data, learner and costs of the recipes of parsers.
TaskTraining::Defaults of_parsers() {
  return {.epochs = 9, .learner = "pa", .imitation = {.rollin = Policy::kLearned, .highest_cost = 1}, .average = 0};
}

}  // namespace

TrainFunction configure_l2s(SettingsReader& reader) {
  L2sModel untrained;
  untrained.configure(reader);
  const RootRule root = read_root_rule(reader);
  const TaskTraining options(reader, of_parsers());
  const Objectives objectives = Objectives::from(reader, Teaching::kRollOuts);
  Objectives::own_select(reader, {"las"});
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    return with_dynamic_oracle(untrained.options.system, [&]<class Space>() {
      L2sParser<Space> task{untrained, {}};
      task.options.single_root = has_single_roots(root, data.train);
      if (task.options.features == PaperTemplates::kRich) {
        // An empty column may be replaced by another one (AtomColumns).
        const AtomColumns filled = AtomColumns::of(data.train);
        task.options.xpos = task.options.xpos && filled.xpos;
        task.options.feats = task.options.feats && filled.feats;
      }
      task.learn_labels(data.train);
      const Roots roots = task.roots();
      const TaskRecipe<L2sParser<Space>> recipe{
          .task = task,
          .make = [&](std::vector<HashedRegressor> r) { return make_l2s_parser(task, std::move(r)); },
          .usable = [=](const Sentence& s) { return s.size() > 0 && tree_problem(s, nullptr, roots).empty(); },
          .why_not = why_no_tree(task.options.single_root)};
      L2sLearner<Space> learner(recipe, options, data.train, context);
      return train_augmented(learner, learner, objectives, options.epochs, run_identity(settings, data, context.seed),
                             data, context);
    });
  };
}

TrainFunction configure_l2s_constituents(SettingsReader& reader) {
  L2sConstituents untrained;
  untrained.model.beam = reader.integer("beam", 1, 1, 4096, "states kept per step in parsing; 1 = greedy");
  untrained.sharpness =
      reader.real("sharpness", 10, 0.01, 100, "lists: factor of costs before they become probabilities");
  const TreebankOptions reading = TreebankOptions::from(reader);
  untrained.model.direction =
      direction_named(reader.choice("direction", "l2r", {"l2r", "r2l"}, "from which end sentences are read"));
  const TaskTraining options(reader, of_parsers());
  const Objectives objectives = Objectives::from(reader, Teaching::kRollOuts);
  Objectives::own_select(reader, {"f1"});
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    const BinaryTreebank treebank = read_binary_treebank(reading, untrained.model.direction, data.train);
    L2sConstituents task = untrained;
    task.model.root = treebank.root;
    task.model.labels = treebank.labels;
    task.model.actions = treebank.actions;
    task.complete();
    L2sConstituentLearner learner(task, treebank, options, context);
    return train_augmented(learner, learner, objectives, options.epochs, run_identity(settings, data, context.seed),
                           data, context);
  };
}

TrainFunction configure_l2s_tagger(SettingsReader& reader) {
  const TaskTraining options(reader, TaskTraining::Defaults::of_right_actions());
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    L2sTagger task;
    task.learn_labels(data.train);
    const TaskRecipe<L2sTagger> recipe{
        .task = task,
        .make = [&](std::vector<HashedRegressor> r) { return make_l2s_tagger(task, std::move(r)); },
        .usable = [](const Sentence& s) { return s.size() > 0; },
        .score =
            [](const Parser& parser, const std::vector<Sentence>& dev, int threads) {
              // UPOS is the only column that it predicts.
              const double upos = score_on_dev(parser, dev, threads).details["upos"];
              return DevScore{upos, {{"upos", upos}}};
            }};
    return train_task(recipe, options, run_identity(settings, data, context.seed), data, context);
  };
}

}  // namespace espalier
