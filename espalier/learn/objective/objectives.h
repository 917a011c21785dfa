// Further objectives of a training run, the [[objective]] tables of a recipe: data of another kind, a loss, and how
// often the parser is corrected by it (Hall et al. 2011). Tested by learn/objective/augmented_test.cc.
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
  /// Towards the best tree that has all that the loss looks at (an ArcLoss), instead of the best of the list.
  bool forced = false;
};

/// What objectives teach by, which decides what can be set about them.
enum class Teaching { kLists, kListsWithLabels, kRollOuts };  // labels are told apart in these lists at no cost

struct Objectives {
  std::vector<Objective> all;
  int select = -1;  ///< the objective whose dev score chooses the epoch; -1 = the parser's own does

  /// Setting `select`, of a learner that can choose its epochs in these ways; the first, if an objective chooses.
  static std::string own_select(SettingsReader& settings, const std::vector<std::string>& ways);
  /// Reads `objective.0.data` and so on; throws for whatever is wrong with them.
  static Objectives from(SettingsReader& settings, Teaching teaching = Teaching::kLists);
};

/// Reads the objectives' files. What is not annotated stays so: partial trees are what some losses are for. Tells about
/// columns that the treebank fills and they lack, since features of these would be unknown words to the parser.
std::vector<ObjectiveData> load_objectives(const Settings& settings, const TrainData& data,
                                           const TrainContext& context);

}  // namespace espalier
