// Makes a trained model smaller: only the rows with the largest weights of each linear part are kept, and rounded
// (weights/prune.h).
// Tested by tests/prune_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "espalier/base/export.h"

namespace espalier {

struct PruneModel {
  std::string model, output;
  /// The share of rows to drop: "0.9" of all parts, or "parser=0.9" of those whose sections begin with that name.
  std::vector<std::string> drop;
  /// If positive: the largest size of the file in bytes; the same share is dropped of all other parts to reach it.
  double bytes = 0;
};

/// Writes a packed model file. The report has the bytes and the rows before and after. Confidence has to be calibrated
/// again, since it was fitted to the larger model.
ESPALIER_API nlohmann::json prune_model(const PruneModel& request);

}  // namespace espalier
