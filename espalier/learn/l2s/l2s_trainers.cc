#include "espalier/learn/l2s/l2s_trainers.h"

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
  return train_task<L2sParser>(
      task, options, data, context, [&](std::vector<HashedRegressor> r) { return make_l2s_parser(task, std::move(r)); },
      "las", [](const AttachmentScore& s) { return s.las.percent(); },
      [](const Sentence& s) { return s.size() > 0 && tree_problem(s).empty(); });
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
  return train_task<L2sTagger>(
      task, options, data, context, [&](std::vector<HashedRegressor> r) { return make_l2s_tagger(task, std::move(r)); },
      "upos", [](const AttachmentScore& s) { return s.upos.percent(); },
      [](const Sentence& s) { return s.size() > 0; });
}

}  // namespace espalier
