// Trains any task that annotates sentences (parser/l2s/imperative_parser.h says what such a task has) by learning to
// search: epochs over the treebank, the best epoch on dev kept. Tested by tests/l2s_parser_test.cc.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/rng.h"
#include "espalier/eval/attachment.h"
#include "espalier/learn/l2s/imitate.h"
#include "espalier/learn/l2s/reduction.h"
#include "espalier/learn/trainer.h"

namespace espalier {

/// Everything that --set says about learning a task, apart from the task itself.
struct TaskTraining {
  LearnerOptions learner;
  Reduction::Kind reduction;
  float margin;
  ImitationOptions imitation;
  int epochs;
  int average;  ///< samples per epoch of the averaged weights
  bool shuffle;

  TaskTraining(const Settings& settings, const TrainContext& context, int default_epochs,
               const std::string& default_learner);
  /// After item i of an epoch of `items`: samples the weights when it is time.
  void sample_average(Reduction& learned, size_t i, size_t items) const;
};

/// Parses dev and scores it.
AttachmentScore score_dev(const Parser& parser, const std::vector<Sentence>& dev, int threads);

/// `make` turns the frozen regressors into a parser; `metric` names its score on dev, `score` computes it.
template <class Task>
Trained train_task(const Task& task, const TaskTraining& options, const TrainData& data, const TrainContext& context,
                   const std::function<std::unique_ptr<Parser>(std::vector<HashedRegressor>)>& make,
                   const std::string& metric, double (*score)(const AttachmentScore&),
                   const std::function<bool(const Sentence&)>& usable) {
  std::vector<const Sentence*> order;
  for (const Sentence& sentence : data.train) {
    if (usable(sentence)) order.push_back(&sentence);
  }
  const auto words = std::ranges::count_if(data.train, [](const Sentence& s) { return s.size() > 0; });
  note_left_out(context, static_cast<size_t>(words) - order.size(), "not trees with one root");
  if (order.empty()) throw Error(ErrorKind::kData, "no sentence of the training data can be learned from");

  Reduction reduction(options.learner, options.reduction, task.actions(), options.margin);
  Imitation imitation(options.imitation, reduction, context.seed);
  Rng shuffler(context.seed, "shuffle");
  typename Task::Example example;
  Trained best;
  double best_score = -1;
  for (int epoch = 1; epoch <= options.epochs && !context.stopping(); ++epoch) {
    if (options.shuffle) shuffler.shuffle(order);
    double loss = 0;
    for (size_t i = 0; i < order.size() && !context.stopping(); ++i) {
      task.read(*order[i], example, true);
      imitation.train([&](Search& search) { task.run(search, example); });
      loss += imitation.last_loss();
      options.sample_average(reduction, i, order.size());
      if (i % 256 == 0) context.progress({"train", epoch, options.epochs, i, order.size(), false, {}});
    }
    auto parser = make(reduction.freeze());
    nlohmann::json values = {
        {"loss", loss}, {"examples", imitation.examples()}, {"collision_rate", reduction.collision_rate()}};
    double reached = epoch;  // without dev the last epoch is the best
    if (!data.dev.empty()) {
      reached = score(score_dev(*parser, data.dev, context.threads));
      values["dev_" + metric] = reached;
    }
    if (reached > best_score) {
      best_score = reached;
      best = {std::move(parser), values};
      best.report["epoch"] = epoch;
    }
    context.progress({"train", epoch, options.epochs, order.size(), order.size(), true, values});
  }
  return best;
}

}  // namespace espalier
