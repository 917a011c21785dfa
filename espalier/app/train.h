// From treebank files to a model file. Tested by tests/app_test.cc.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "espalier/app/files.h"
#include "espalier/base/export.h"
#include "espalier/learn/progress.h"

namespace espalier {

/// The costs of these analyses of a sentence: never negative, 0 if nothing is wrong.
using LossFunction =
    std::function<std::vector<double>(const Sentence& gold, std::span<const Analysis* const> analyses)>;

struct TrainFiles {
  std::string recipe;                 ///< a name (see `recipes`) or FILE.toml
  std::vector<std::string> settings;  ///< "key=value", over the recipe's
  std::vector<std::string> train;     ///< treebanks to learn from: FILE, or FILE:0.3 for three sentences in ten
  std::string dev;                    ///< treebank to measure on; "" = none
  std::string model;                  ///< file to write
  std::string format;                 ///< of the treebanks, if their names do not tell
  std::string init;                   ///< warm start: model file to begin with; "" = none
  std::string licence;                ///< note to keep in the model; "" = what the settings say
  int threads = 1;                    ///< 0 = one per core; the model does not depend on it
  uint64_t seed = 1;
  bool resume = false;  ///< continue after an interruption; finished work is in MODEL.checkpoint and .checkpoint.parts
  std::function<void(const Progress&)> progress;  ///< called often, from any thread; may be empty
  Message message;                                ///< receives warnings about data and settings
  /// Functions that settings may name: loss=callable:NAME. They may be called from any thread.
  std::map<std::string, LossFunction> losses;
  const std::atomic<bool>* stop = nullptr;  ///< once true: the best model so far is saved
  /// Trains independent parts of the run (folds of jackknifing and of hc, labels of classify) elsewhere: gets names of
  /// files in MODEL.checkpoint.parts that must exist when it returns. Each is made by a training with the same files
  /// and settings and the name as `only_part`; with `resume` and the parts that exist it skips earlier work. The
  /// model's bytes are the same.
  std::function<void(const std::vector<std::string>& parts)> make_parts;
  std::string only_part;  ///< makes only this part, no model: the result is {"part": its file}
};

/// Trains and saves. The result: "model" (the file), "bytes" (its size), "report" (dev scores, counts),
/// "stopped" (by `stop`; continue with `resume`). Wrong settings throw at once, and so does a second training of
/// the same model at the same time; a run that is stopped before it has a model throws and leaves the file
/// unchanged.
ESPALIER_API nlohmann::json train_files(const TrainFiles& request);

/// [{"name", "description"}]
ESPALIER_API nlohmann::json recipes();
/// The recipe as written, TOML with comments.
ESPALIER_API std::string recipe_source(const std::string& name_or_file);
/// [{"key", "value", "default", "help", "choices"}]: all settings of a recipe, with `settings` applied; choices are all
/// values, or the least and the greatest number, or nothing.
ESPALIER_API nlohmann::json recipe_settings(const std::string& name_or_file,
                                            const std::vector<std::string>& settings = {});

}  // namespace espalier
