#include "espalier/learn/l2s/train_task.h"

#include <cmath>

#include "espalier/base/error.h"
#include "espalier/base/parallel.h"

namespace espalier {

TaskTraining::TaskTraining(const Settings& settings, const TrainContext& context, int default_epochs,
                           const std::string& default_learner)
    : learner(LearnerOptions::from(settings, default_learner, context.seed)),
      imitation(ImitationOptions::from(settings)) {
  const bool perceptron = learner.name == "perceptron";
  const std::string name = settings.choice("reduction", perceptron ? "weighted" : "csoaa", {"csoaa", "weighted"},
                                           "how costs become examples of the base learner");
  if (perceptron && name == "csoaa") throw usage_error("learner=perceptron needs reduction=weighted");
  reduction = name == "csoaa" ? Reduction::Kind::kOneAgainstAll : Reduction::Kind::kWeighted;
  margin =
      static_cast<float>(settings.real("margin", 0, 0, 1000, "weighted: by how much a wrong action must look dearer"));
  epochs = static_cast<int>(settings.integer("epochs", default_epochs, 1, 1000, "passes over the training data"));
  average = static_cast<int>(
      settings.integer("average", 4, 0, 1000, "weights are averaged over so many samples per epoch; 0: not at all"));
  shuffle = settings.flag("shuffle", true, "shuffle the sentences before every epoch");
}

void TaskTraining::sample_average(Reduction& learned, size_t i, size_t items) const {
  const size_t samples = static_cast<size_t>(average);
  // The mean reaches back about two epochs: the beginning, when little was known, must fade.
  if (i * samples / items != (i + 1) * samples / items) learned.sample_average(2 * average);
}

AttachmentScore score_dev(const Parser& parser, const std::vector<Sentence>& dev, int threads) {
  std::vector<std::unique_ptr<Workspace>> spaces;
  for (int i = 0; i < std::max(threads, 1); ++i) spaces.push_back(parser.make_workspace());
  std::vector<AttachmentScore> scores(dev.size());
  parallel_for(dev.size(), threads, [&](int worker, size_t i) {
    Sentence parsed = dev[i];
    parser.parse(parsed, *spaces[static_cast<size_t>(worker)]);
    scores[i] = score_attachment(dev[i], parsed);
  });
  AttachmentScore sum;
  for (const AttachmentScore& score : scores) sum += score;
  return sum;
}

}  // namespace espalier
