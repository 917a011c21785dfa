// Trains a pipeline: tokenizer (if asked for), tagger, parser, each by its own recipe. The parser sees jackknifed tags.
// Settings: STAGE.recipe names a stage's recipe ("" = no such stage), STAGE.key changes it; keys without a stage are
// the parser's. Tested by pipeline_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_pipeline(SettingsReader& settings);

}  // namespace espalier
