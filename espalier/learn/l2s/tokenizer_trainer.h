// Recipe `tokenizer`: learns tokens, sentences and multiword tokens from a treebank's text.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_tokenizer(SettingsReader& settings);

}  // namespace espalier
