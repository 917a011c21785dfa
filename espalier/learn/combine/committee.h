// Trains a committee (parser/combine/committee.h) of trained models (`members=a.esp,b.esp`) or of recipes
// (`member.0.recipe`, `member.0.KEY`, `member.0.seed`; then member 1, ...), and fits the weights of votes on dev.
// Tested by committee_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_committee(SettingsReader& settings);
/// "heads" or "constituents", as the members do; "trees" if they are files.
std::string_view predicts_of_members(const Settings& settings);

}  // namespace espalier
