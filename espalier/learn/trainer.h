// The interface of trainers: `configure` reads the settings, throws for wrong ones, and returns the function that
// trains. learn/registry.cc maps recipe names to trainers.
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
  bool resume = false;     ///< continue from an earlier run's checkpoint; otherwise it is removed
  std::string checkpoint;  ///< file for --resume, and the beginning of other files' names; "" = keep none
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  /// Reports a one-line notice to the user, such as how unusual training data were handled.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  /// Whether the user has asked to stop: keep the state for --resume, and return the best model so far. Called often,
  /// by all threads; once true it must stay true.
  std::function<bool()> stop;
  /// Runs independent parts of the training (folds, labels) elsewhere, such as on other machines; when it returns,
  /// these files must exist. Empty = they run here.
  std::function<void(const std::vector<std::string>& files)> make_parts;
  std::string only_part;  ///< if not empty, only the part with this file is trained (OnlyPartDone)

  bool stopping() const { return stop && stop(); }
};

/// The data of a further objective (learn/objective/objectives.h).
struct ObjectiveData {
  std::vector<Sentence> train, dev;  ///< dev may be empty
};

struct TrainData {
  std::vector<Sentence> train, dev;  ///< dev may be empty
  /// As many as the settings have; empty = not read yet.
  std::vector<ObjectiveData> objectives = {};
};

/// Thrown by a trainer that is asked to stop before it has a complete model.
Error stopped_without_model();

/// Ends a training of one part when the part is done.
struct OnlyPartDone : std::exception {
  const char* what() const noexcept override { return "the part is done"; }
};

using TrainFunction = std::function<Trained(const TrainData& data, const TrainContext& context)>;
/// A recipe's part of `configure`: reads all of its settings, throws a usage Error for a wrong one, and returns the
/// function that trains with them. It takes no time.
using ConfigureFunction = TrainFunction (*)(SettingsReader& settings);

/// A recipe whose settings have been read. May train as often as wanted, by several threads at once.
struct Trainer {
  Settings settings;                                   ///< as they were given
  std::map<std::string, SettingsReader::Known> known;  ///< all that can be set
  bool has_kbest;                                      ///< whether its models have k-best lists (Abilities::kbest)
  std::string_view predicts;                           ///< "heads", "tags" ...: see learn/registry.cc
  TrainFunction train;
};

/// The trainer named by the key `recipe`. Throws a usage Error for an unknown recipe or a wrong setting.
Trainer configure(const Settings& settings);
/// Configures and trains.
Trained train(const Settings& settings, const TrainData& data, const TrainContext& context);
std::vector<std::string> trainer_names();

/// Notes that `count` sentences are not learned from, unless it is 0.
void note_left_out(const TrainContext& context, size_t count, std::string_view why);

}  // namespace espalier
