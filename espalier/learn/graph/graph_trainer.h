// Trains graph-based parsers: recipes `cube` and `mst`. Online learning (1-best MIRA or perceptron, averaged) with
// loss-augmented search; for cube pruning with violation-fixing updates (learn/update/violation.h).
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_cube(SettingsReader& settings);
TrainFunction configure_mst(SettingsReader& settings);

}  // namespace espalier
