// The recipes of learning to search.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

/// `l2s`: a labelled dependency parser.
TrainFunction configure_l2s(SettingsReader& settings);
/// `l2s-constituents`: a shift-reduce constituent parser.
TrainFunction configure_l2s_constituents(SettingsReader& settings);
/// `l2s-tagger`: universal part-of-speech tags.
TrainFunction configure_l2s_tagger(SettingsReader& settings);

}  // namespace espalier
