// What every trainer gets and gives: it reads its settings (`configure`, where all that is wrong with them is told),
// and then it trains. learn/registry.cc maps recipe names to trainers.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/settings.h"
#include "espalier/parser/parser.h"
#include "espalier/tree/sentence.h"

namespace espalier {

struct Progress;  // learn/progress.h
struct Trained;   // learn/trained.h

struct TrainContext {
  int threads = 1;
  uint64_t seed = 1;
  bool resume = false;     ///< take up what an earlier run has kept; without it, that is removed
  std::string checkpoint;  ///< file for --resume, and the beginning of other files' names; "" = keep none
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  /// One line for the user that is not progress: what the trainer does with odd data.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  /// Whether the user has asked to stop: keep everything for --resume, and return the best model so far. Asked often,
  /// by all threads; once it says yes it must go on to.
  std::function<bool()> stop;
  /// Makes parts of the run that know nothing of each other (folds, labels) elsewhere, say on other machines: the files
  /// that are to be there when it returns. Empty = they are made here.
  std::function<void(const std::vector<std::string>& files)> make_parts;
  std::string only_part;  ///< such a file: nothing else is to be trained (PartMade)

  bool stopping() const { return stop && stop(); }
};

/// What another objective learns from beside the treebank (learn/objective/objectives.h).
struct ObjectiveData {
  std::vector<Sentence> train, dev;  ///< dev may be empty
};

struct TrainData {
  std::vector<Sentence> train, dev;  ///< dev may be empty
  /// As many as the settings have; empty = not read yet.
  std::vector<ObjectiveData> objectives = {};
};

/// What a trainer throws that was asked to stop when it had no whole model.
Error stopped_without_model();

/// What ends a training that was to make one part only, when that is there.
struct PartMade : std::exception {
  const char* what() const noexcept override { return "the part is made"; }
};

using TrainFunction = std::function<Trained(const TrainData& data, const TrainContext& context)>;
/// A recipe's part of `configure`: reads all of its settings, throws a usage Error for a wrong one, and gives what
/// trains with them. It takes no time.
using ConfigureFunction = TrainFunction (*)(SettingsReader& settings);

/// A recipe whose settings have been read. May train as often as wanted, by several threads at once.
struct Trainer {
  Settings settings;                                   ///< as they were given
  std::map<std::string, SettingsReader::Known> known;  ///< all that can be set
  bool has_kbest;                                      ///< whether its models have (Abilities::kbest)
  TrainFunction train;
};

/// The trainer that settings' key `recipe` names. Throws a usage Error for an unknown recipe or a wrong setting.
Trainer configure(const Settings& settings);
/// Both at once.
Trained train(const Settings& settings, const TrainData& data, const TrainContext& context);
std::vector<std::string> trainer_names();

/// Tells the user that `count` sentences are not learned from, unless that is none.
void note_left_out(const TrainContext& context, size_t count, std::string_view why);

}  // namespace espalier
