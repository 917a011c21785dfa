// Trains the lemmatizer (parser/tag/lemmatizer.h): counts the dictionary, then learns edits and casings online, from
// every different word. Tested by lemmatizer_trainer_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_lemmatizer(SettingsReader& settings);

}  // namespace espalier
