// Calibrates a model's confidence (confidence.h) and measures how well it holds. Tested by confidence_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "espalier/app/files.h"
#include "espalier/base/export.h"

namespace espalier {

struct CalibrateModel {
  std::string model;   ///< file; gets the calibration
  std::string output;  ///< file to write; "" = the model's own
  std::string dev;     ///< treebank that the model was not trained on; "" = measure only, with the model's calibration
  std::string test;    ///< treebank to measure on; "" = dev, each fifth calibrated on the others
  std::string format;  ///< of the treebanks, if their names do not tell
  int kbest = 16;      ///< size of the lists, which determines the time that confidence takes
  int threads = 1;     ///< 0 = one per core
  /// key=value: settings of the model to change, on which its confidence depends; the file written keeps them.
  std::vector<std::string> settings;
  Message message;
};
/// The report: for "arcs" (of constituents "brackets") and "trees" "count", "error" (expected calibration error),
/// "error_by_chance" (about the error that true probabilities would show on so few), "brier", "bins".
ESPALIER_API nlohmann::ordered_json calibrate_model(const CalibrateModel& request);
/// The report as a table.
ESPALIER_API std::string reliability_table(const nlohmann::ordered_json& report);

}  // namespace espalier
