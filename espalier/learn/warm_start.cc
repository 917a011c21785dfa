#include "espalier/learn/warm_start.h"

namespace espalier {

std::string init_file(SettingsReader& settings) {
  return settings.text("init", "", "model file whose weights training begins with (train --init)");
}

void check_same(const std::string& file, std::string_view setting, std::string_view own, std::string_view theirs) {
  if (own != theirs)
    throw usage_error("init={0}: its {1} is {2}, and that of the recipe is {3}: use --set {1}={2}", file, setting,
                      theirs, own);
}

std::vector<int> columns_of_actions(const ActionTable& own, const ActionFactors& own_factors, const ActionTable& theirs,
                                    const ActionFactors& their_factors) {
  std::vector<int> from(own_factors.columns(), -1);
  for (int action = 0; action < theirs.columns(); ++action) {
    const auto& [move, label] = theirs.action(action);
    const auto to = own_factors.of(own.column(move, label)), of = their_factors.of(action);
    for (size_t i = 0; i < of.size(); ++i)  // moves of plain ones are factors without a column
      if (to[i] < own_factors.columns()) from[to[i]] = of[i];
  }
  return from;
}

std::vector<int> columns_of_actions(const ActionTable& own, const ActionTable& theirs) {
  return columns_of_actions(own, ActionFactors(own), theirs, ActionFactors(theirs));
}

}  // namespace espalier
