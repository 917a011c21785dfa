// A recipe with changes, ready to train, for whoever does not write a model file.
#pragma once

#include <string>
#include <vector>

#include "espalier/learn/trainer.h"

namespace espalier {

Trainer trainer_of(const std::string& recipe, const std::vector<std::string>& settings);

}  // namespace espalier
