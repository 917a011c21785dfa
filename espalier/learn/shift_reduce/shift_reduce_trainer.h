// Trains the shift-reduce constituent parser: trees are simplified and binarised by head rules, and the beam learner of
// the dependency parsers (beam_update.h) does the rest. Tested by shift_reduce_trainer_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_shift_reduce(SettingsReader& settings);

}  // namespace espalier
