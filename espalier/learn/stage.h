// Training of one model among several that will be one file: a stage of a pipeline, a direction of a parser. Tested by
// pipeline_test.cc.
#pragma once

#include <array>
#include <string>

#include "espalier/learn/trainer.h"

namespace espalier {

/// A stage that an earlier run finished, or one trained now; kept for --resume if there is a checkpoint. `stage` is its
/// name in progress and files, one of its own within the context. Always a whole one: throws if it is asked to stop.
Trained train_stage(const std::string& stage, const Trainer& trainer, const TrainData& data,
                    const TrainContext& context);

/// The same recipe for both directions: with setting `key` = l2r, then r2l.
std::array<Trainer, 2> configure_both_ways(const std::string& key, const Settings& settings);
std::array<Trained, 2> train_both_ways(const std::array<Trainer, 2>& trainers, const TrainData& data,
                                       const TrainContext& context);

}  // namespace espalier
