#include "espalier/learn/l2s.h"

#include "espalier/learn/train_task.h"
#include "espalier/parser/l2s.h"

namespace espalier {

Trained train_l2s(const Settings& settings, const TrainData& data, const TrainContext& context) {
  L2sParser task;
  task.configure(settings);
  const TaskTraining options(settings, context, 5, "nn");
  settings.check_all_known();
  task.learn_labels(data.train);
  return train_task<L2sParser>(
      task, options, data, context, [&](std::vector<HashedRegressor> r) { return make_l2s_parser(task, std::move(r)); },
      "las", [](const AttachmentScore& s) { return s.las.percent(); },
      [](const Sentence& s) { return s.size() > 0 && tree_problem(s).empty(); });
}

}  // namespace espalier
