#include "espalier/learn/l2s/l2s_trainers.h"

#include "espalier/learn/identity.h"
#include "espalier/learn/l2s/train_task.h"
#include "espalier/parser/l2s/l2s.h"

namespace espalier {

TrainFunction configure_l2s(SettingsReader& reader) {
  L2sParser untrained;
  untrained.configure(reader);
  const TaskTraining options(
      reader,
      {.epochs = 9, .learner = "pa", .imitation = {.rollin = Policy::kLearned, .highest_cost = 1}, .average = 0});
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    L2sParser task = untrained;
    if (task.options.features == PaperTemplates::kRich) {
      // What an empty column stands for is another column's business.
      const AtomColumns filled = AtomColumns::of(data.train);
      task.options.xpos = task.options.xpos && filled.xpos;
      task.options.feats = task.options.feats && filled.feats;
    }
    task.learn_labels(data.train);
    const TaskRecipe<L2sParser> recipe{
        task, [&](std::vector<HashedRegressor> r) { return make_l2s_parser(task, std::move(r)); },
        [](const Sentence& s) { return s.size() > 0 && tree_problem(s).empty(); }};
    return train_task(recipe, options, run_identity(settings, data, context.seed), data, context);
  };
}

TrainFunction configure_l2s_tagger(SettingsReader& reader) {
  const TaskTraining options(reader, TaskTraining::Defaults::of_right_actions());
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    L2sTagger task;
    task.learn_labels(data.train);
    const TaskRecipe<L2sTagger> recipe{
        task, [&](std::vector<HashedRegressor> r) { return make_l2s_tagger(task, std::move(r)); },
        [](const Sentence& s) { return s.size() > 0; },
        [](const Parser& parser, const std::vector<Sentence>& dev, int threads) {
          // Of all tags it knows this one only.
          const double upos = score_on_dev(parser, dev, threads).details["upos"];
          return DevScore{upos, {{"upos", upos}}};
        }};
    return train_task(recipe, options, run_identity(settings, data, context.seed), data, context);
  };
}

}  // namespace espalier
