// Trains a pipeline: tokenizer, tagger, lemmatizer, parser, each by its own recipe. The parser gets jackknifed tags.
// Settings: STAGE.recipe names a stage's recipe ("" = no such stage), STAGE.key changes it; keys without a stage are
// the parser's. Tested by pipeline_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_pipeline(SettingsReader& settings);

}  // namespace espalier
