// The setting `clusters` of recipes whose features see classes of words (features/word_clusters.h).
#pragma once

#include <memory>

#include "espalier/base/settings.h"
#include "espalier/features/word_clusters.h"

namespace espalier {

/// Null: none. `init` are those of the model of a warm start, which are kept; others throw a usage Error.
std::shared_ptr<const WordClusters> clusters_of(SettingsReader& settings,
                                                std::shared_ptr<const WordClusters> init = nullptr);

}  // namespace espalier
