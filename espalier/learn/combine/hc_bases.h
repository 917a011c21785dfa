// Reads from the settings which parsers' lists are reranked. Tested by hc_trainer_test.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/learn/trainer.h"

namespace espalier {

struct HcBase {
  std::string name;                    ///< of the stage: "base", or "base-0", "base-1" where there are several
  std::optional<Trainer> whole, fold;  ///< on all data; on the data without a block
  std::string file;                    ///< instead: a trained one
};

/// From `bases=beam+cube` or `base.recipe`, `base.0.recipe`, `base.1.recipe`, ...; keys under "base." change all of
/// them, those under "base.1." one, and those under "fold." the trainings of folds. All parsers learn from the
/// objectives, in folds, too. Throws a usage Error for a recipe whose models have no k-best lists.
/// `models=a.esp,b.esp` names trained parsers instead.
std::vector<HcBase> hc_bases(SettingsReader& settings);
/// "heads" or "constituents", as the bases do; "trees" if they are files.
std::string_view predicts_of_bases(const Settings& settings);

}  // namespace espalier
