// Recipe `tokenizer`: learns tokens, sentences and multiword tokens from a treebank's surface.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

Trained train_tokenizer(const Settings& settings, const TrainData& data, const TrainContext& context);

}  // namespace espalier
