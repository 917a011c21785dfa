// A recipe with changes, ready to train, for callers that do not write a model file.
#pragma once

#include <string>
#include <vector>

#include "espalier/learn/trainer.h"

namespace espalier {

Trainer configured_trainer(const std::string& recipe, const std::vector<std::string>& settings);

}  // namespace espalier
