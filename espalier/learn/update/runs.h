// Several trainings in one (setting `runs`): after each, the weights are reset to zero and the same sentences come in
// another order, while averaging continues. So the model is the mean of one model per run: it scores like all of them
// together, and as fast as one. The feature index survives between runs, so delayed row allocation (weights/linear.h)
// applies only to the first. Tested by weights/linear_test.cc and learn/transition/transition_trainer_test.cc.
#pragma once

#include "espalier/base/error.h"
#include "espalier/base/settings.h"

namespace espalier {

struct Runs {
  int epochs = 1, runs = 1;

  static Runs from(SettingsReader& settings, int epochs) {
    Runs read;
    read.epochs = settings.integer("epochs", epochs, 1, 1000, "passes over the training data");
    read.runs =
        settings.integer("runs", 1, 1, 100, "number of trainings, in different orders, whose weights are averaged");
    if (read.runs > 1 && !settings.values().get("init").empty())
      throw usage_error("runs={}: every run begins with zero weights, so that a warm start (--init) has no effect",
                        read.runs);
    return read;
  }

  int all_epochs() const { return epochs * runs; }
  /// Whether an epoch (from 1 on) is the first of a later run.
  bool begins_anew(int epoch) const { return epoch > 1 && epoch_of_run(epoch) == 1; }
  int epoch_of_run(int epoch) const { return (epoch - 1) % epochs + 1; }
};

}  // namespace espalier
