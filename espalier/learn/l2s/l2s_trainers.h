// The recipes of learning to search; the tasks that they train are the examples.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

/// `l2s`: a labelled dependency parser.
Trained train_l2s(const Settings& settings, const TrainData& data, const TrainContext& context);
/// `l2s-tagger`: universal part-of-speech tags.
Trained train_l2s_tagger(const Settings& settings, const TrainData& data, const TrainContext& context);

}  // namespace espalier
