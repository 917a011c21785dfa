// What the commands that train have in common: options, progress, Ctrl-C and the summary of the model.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/command.h"
#include "espalier/app/train.h"

namespace espalier::cli {

struct TrainingDisplay {
  std::string log;
  bool quiet = false;
};

/// --dev, --model, --set, --threads and so on; both must live as long as the command's action.
void add_training_options(Command& command, TrainFiles& files, TrainingDisplay& display);

/// Calls `train`, with callbacks in `files` for display and for stopping, and prints what was made.
void run_training(TrainFiles& files, const TrainingDisplay& display, const std::function<nlohmann::json()>& train);

}  // namespace espalier::cli
