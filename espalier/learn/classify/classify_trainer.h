// Recipe `classify`: constituent parsing by classification (parser/classify/classify_parser.h), trained by boosting.
// Simplified trees become examples, one booster per label (and per seed, whose margins are averaged) learns from them,
// then the penalty lambda of the whole parser is chosen by F1 on held-out sentences. Labels train in parallel; finished
// ones are kept in the checkpoint, so that --resume continues with the others. Tested by tests/classify_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_classify(SettingsReader& settings);

}  // namespace espalier
