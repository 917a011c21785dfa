// Training of transition parsers: greedy with a dynamic oracle, or by beam search with violation-fixing updates.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

/// Recipes `greedy` and `beam`, which differ in their defaults only.
TrainFunction configure_transition(SettingsReader& settings);

}  // namespace espalier
