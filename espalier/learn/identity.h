// Names a run by everything that its result depends on, so that --resume uses only its own files: a checkpoint or a
// finished stage of other settings, another seed or other data has another name.
// Tested by learn/pipeline/jackknife_test.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/learn/trainer.h"

namespace espalier {

std::string run_identity(const Settings& settings, const TrainData& data, uint64_t seed);

}  // namespace espalier
