// Trains graph-based parsers: recipes `cube` and `mst`. Online learning (1-best MIRA or perceptron, averaged) with
// loss-augmented search; for cube pruning with violation-fixing updates (learn/update/violation.h).
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

Trained train_cube(const Settings& settings, const TrainData& data, const TrainContext& context);
Trained train_mst(const Settings& settings, const TrainData& data, const TrainContext& context);

}  // namespace espalier
