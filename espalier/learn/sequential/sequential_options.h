// The settings of every learner of a sequential space (beam_learner.h).
#pragma once

#include "espalier/learn/update/beam_update.h"
#include "espalier/learn/update/refit.h"
#include "espalier/learn/update/runs.h"

namespace espalier {

struct SequentialOptions : BeamOptions {
  Runs runs;
  Refit refit;
  int least_updates;  ///< features updated less often are dropped,
  float drop;         ///< and this share of the others, those with the smallest weights
  bool patient;       ///< delayed allocation: features get weights at their second update
};

}  // namespace espalier
