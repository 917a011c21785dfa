// Further objectives of a training run, the [[objective]] tables of a recipe: data, a loss, and how often the parser
// is corrected by it (Hall et al. 2011). Tested by learn/objective/augmented_test.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/learn/trainer.h"
#include "espalier/loss/loss.h"

namespace espalier {

struct Objective {
  std::string data, dev;  ///< files
  std::shared_ptr<const Loss> loss;
  double weight = 1;  ///< instances per instance of the treebank
  int k = 8;          ///< the list's length
  bool grow = false;  ///< lists of 2, 4, 8 ... up to k, instead of k at once
  bool own_step = false;
  bool labels = false;  ///< trees that differ in labels alone compete in the lists
  double explored = 1;  ///< of roll-outs: share of the decisions at which up to k actions are tried
  /// Prefers the best tree with all that the loss (an ArcLoss) looks at, instead of the best of the list.
  bool forced = false;
};

/// How objectives teach, which decides what settings they have.
enum class Teaching {
  kLists,
  kListsWithLabels,  ///< labels always compete in lists
  kRollOuts,
  kExamples,  ///< the best tree of a list and the first become examples, once
};

struct Objectives {
  std::vector<Objective> all;
  int select = -1;  ///< the objective whose dev score chooses the epoch; -1 = the parser's own

  /// Reads `select` of a learner with these ways to choose the epoch; returns the first if an objective chooses.
  static std::string own_select(SettingsReader& settings, const std::vector<std::string>& ways);
  /// Reads `objective.0.data` and so on; throws for whatever is wrong with them.
  static Objectives from(SettingsReader& settings, Teaching teaching = Teaching::kLists);
};

/// Reads the objectives' files. Missing annotation is allowed, since some losses need little. Notes columns that the
/// treebank fills and these files lack, since their features would be unknown to the parser.
std::vector<ObjectiveData> load_objectives(const Settings& settings, const TrainData& data,
                                           const TrainContext& context);

}  // namespace espalier
