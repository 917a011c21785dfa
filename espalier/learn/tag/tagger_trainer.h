// Training of taggers: one decision per word, corrected where it is made, with the tags before it as the tagger itself
// chose them; then one decision among the readings of the right class.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

/// Recipe `tagger`.
TrainFunction configure_tagger(SettingsReader& settings);

}  // namespace espalier
