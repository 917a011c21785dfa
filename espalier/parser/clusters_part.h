// The classes of words of a part of a model file (features/word_clusters.h).
// Tested by learn/tag/tagger_trainer_test.cc.
#pragma once

#include <memory>
#include <string>

#include "espalier/features/word_clusters.h"
#include "espalier/parser/model_file.h"

namespace espalier {

void save_clusters(const WordClusters& clusters, ModelWriter& writer, const std::string& prefix);
/// Null if the part has none; throws a data Error if they are damaged.
std::shared_ptr<const WordClusters> load_clusters(const ModelPart& part);

}  // namespace espalier
