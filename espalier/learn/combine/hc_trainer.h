// HC-search: a parser proposes trees, a ranker of whole trees chooses, their scores are mixed. Stages of training: each
// base parser on all data; the same in folds, for lists of the training data; the ranker on these lists; the mixture on
// dev. Tested by hc_trainer_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_hc(SettingsReader& settings);

}  // namespace espalier
