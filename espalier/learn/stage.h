// Training of one of several models of a file: a stage of a pipeline, a direction of a parser. Tested by
// pipeline_test.cc.
#pragma once

#include <array>
#include <string>

#include "espalier/learn/trainer.h"

namespace espalier {

/// Trains a stage, or loads it if an earlier run finished it; saves it for --resume if there is a checkpoint. `stage`
/// is its name in progress and files, unique within the context. Throws if it is asked to stop.
Trained train_stage(const std::string& stage, const Trainer& trainer, const TrainData& data,
                    const TrainContext& context);

/// The same recipe for both directions: with setting `key` = l2r, then r2l.
std::array<Trainer, 2> configure_both_ways(const std::string& key, const Settings& settings);
std::array<Trained, 2> train_both_ways(const std::array<Trainer, 2>& trainers, const TrainData& data,
                                       const TrainContext& context);

}  // namespace espalier
