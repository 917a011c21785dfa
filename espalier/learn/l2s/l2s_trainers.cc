#include "espalier/learn/l2s/l2s_trainers.h"

#include "espalier/learn/identity.h"
#include "espalier/learn/l2s/train_task.h"
#include "espalier/parser/l2s/l2s.h"

namespace espalier {

Trained train_l2s(const Settings& settings, const TrainData& data, const TrainContext& context) {
  L2sParser task;
  task.configure(settings);
  const TaskTraining options(settings, context, 5, "nn");
  settings.check_all_known();
  if (context.check_only) return {};
  task.learn_labels(data.train);
  const TaskRecipe<L2sParser> recipe{
      task, [&](std::vector<HashedRegressor> r) { return make_l2s_parser(task, std::move(r)); },
      [](const Sentence& s) { return s.size() > 0 && tree_problem(s).empty(); }};
  return train_task(recipe, options, run_identity(settings, data, context.seed), data, context);
}

Trained train_l2s_tagger(const Settings& settings, const TrainData& data, const TrainContext& context) {
  L2sTagger task;
  // The task gives right actions, no costs: without roll-outs a wrong tag costs 1, which is what it does cost.
  Settings own = settings;
  if (!own.has("rollout")) own.set("rollout", "none");
  const TaskTraining options(own, context, 5, "perceptron");
  own.check_all_known();
  settings.adopt_known(own);
  if (context.check_only) return {};
  task.learn_labels(data.train);
  const TaskRecipe<L2sTagger> recipe{
      task, [&](std::vector<HashedRegressor> r) { return make_l2s_tagger(task, std::move(r)); },
      [](const Sentence& s) { return s.size() > 0; },
      [](const Parser& parser, const std::vector<Sentence>& dev, int threads) {
        // Of all tags it knows this one only.
        const double upos = score_on_dev(parser, dev, threads).details.value("upos", 0.0);
        return DevScore{upos, {{"upos", upos}}};
      }};
  return train_task(recipe, options, run_identity(settings, data, context.seed), data, context);
}

}  // namespace espalier
