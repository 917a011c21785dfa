// A recipe with changes, ready to train, for callers that do not write a model file, or not yet.
#pragma once

#include <string>
#include <vector>

#include "espalier/app/train.h"
#include "espalier/learn/trainer.h"

namespace espalier {

Trainer configured_trainer(const std::string& recipe, const std::vector<std::string>& settings);

/// Throws now what `train_files` would throw later: wrong settings, files that cannot be read or written.
void check_training(const TrainFiles& request);

}  // namespace espalier
