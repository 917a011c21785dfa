// Trains a committee (parser/combine/committee.h) of trained models (`members=a.esp,b.esp`) or of recipes
// (`member.0.recipe`, `member.0.KEY`, `member.0.seed`; then member 1, ...), and fits the weights of votes on dev.
// Tested by committee_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_committee(SettingsReader& settings);

}  // namespace espalier
