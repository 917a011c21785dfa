#include "espalier/learn/l2s/l2s_trainers.h"

#include "espalier/learn/identity.h"
#include "espalier/learn/l2s/train_task.h"
#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/root_rule.h"
#include "espalier/parser/l2s/l2s.h"

namespace espalier {
namespace {

/// Teaches the parser by losses of whole trees beside its treebank: it tries other actions than its own, and the loss
/// says what the resulting trees cost.
template <class Space>
class L2sLearner final : public SentenceTaskLearner<L2sParser<Space>>, public LearnsByLoss {
 public:
  using SentenceTaskLearner<L2sParser<Space>>::SentenceTaskLearner;

  bool learn_by(const Sentence& sentence, const Objective& objective, double& cost) override {
    const L2sParser<Space>& task = this->recipe_.task;
    std::vector<Analysis> made;
    const Outputs outputs{.run =
                              [&](Search& search) {
                                task.run(search, this->example_);
                                Sentence parsed = sentence;
                                task.write(this->example_, parsed);
                                Analysis analysis = dependencies_of(parsed);
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
  /// If labels do not matter, actions that differ in their labels alone are of one kind.
  uint64_t kind_of(int learner, int action, bool labels) const {
    const L2sParser<Space>& task = this->recipe_.task;
    if (labels || (!task.options.joint && learner == L2sModel::kArcKinds)) return static_cast<uint64_t>(action);
    return task.options.joint ? static_cast<uint64_t>(task.model.actions.action(action).move) : 0;
  }
};

}  // namespace

TrainFunction configure_l2s(SettingsReader& reader) {
  L2sModel untrained;
  untrained.configure(reader);
  const RootRule root = read_root_rule(reader);
  const TaskTraining options(
      reader,
      {.epochs = 9, .learner = "pa", .imitation = {.rollin = Policy::kLearned, .highest_cost = 1}, .average = 0});
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
