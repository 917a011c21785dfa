// Cross-validation: every part of a treebank is parsed by a model that was trained on the others; and learning curves,
// the same with shares of the training data. Tested by train_crossval_test.cc.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "espalier/app/files.h"
#include "espalier/base/export.h"
#include "espalier/learn/progress.h"

namespace espalier {

struct CrossvalFiles {
  std::string recipe;                 ///< a name or FILE.toml
  std::vector<std::string> settings;  ///< "key=value", over the recipe's
  std::vector<std::string> train;     ///< treebanks
  std::string format;                 ///< of the treebanks, if their names do not tell
  int folds = 5;
  /// Shares of the training sentences, each > 0 and at most 1, ascending: a model for each and for each fold.
  std::vector<double> curve = {1};
  std::string output;  ///< file for all sentences in their own order, as the folds' models parse them; "" = none
  int threads = 1;     ///< 0 = one per core; the result does not depend on it
  uint64_t seed = 1;
  std::function<void(const Progress&)> progress;
  Message message;
  const std::atomic<bool>* stop = nullptr;  ///< once true: throws
};

/// {"folds", "sentences", "metrics": ["uas", ...], "curve": [{"share", "sentences", "scores": {"las": {"folds": [...],
/// "mean", "deviation"}}}]}. Scores are in percent; `deviation` is the sample's.
ESPALIER_API nlohmann::ordered_json crossvalidate(const CrossvalFiles& request);

ESPALIER_API std::string crossval_table(const nlohmann::ordered_json& report);
/// The first metric's curve, with bars of one deviation.
ESPALIER_API std::string learning_curve_svg(const nlohmann::ordered_json& report);

}  // namespace espalier
