// What can be set about every learner of a sequential space (beam_learner.h).
#pragma once

#include "espalier/learn/update/beam_update.h"
#include "espalier/learn/update/runs.h"

namespace espalier {

struct SequentialOptions : BeamOptions {
  Runs runs;
  int least_updates;  ///< features updated less often are dropped,
  float drop;         ///< and this share of the others, those with the smallest weights
  bool patient;       ///< features get weights when they are wanted for the second time
};

}  // namespace espalier
