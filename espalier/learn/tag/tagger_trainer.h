// Training of taggers: one decision per word, updated at once, with the tagger's own choices as previous tags; then one
// decision among the readings of the right class.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

/// Recipe `tagger`.
TrainFunction configure_tagger(SettingsReader& settings);

}  // namespace espalier
