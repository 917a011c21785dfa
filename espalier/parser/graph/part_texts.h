// Readable names of the features of a part: "arc sees→dog: h.form=sees m.upos=NOUN distance=2". Tested by
// tests/explain_test.cc.
#pragma once

#include <string>
#include <vector>

#include "espalier/parser/graph/graph_features.h"

namespace espalier {

/// In the order of GraphFeatures::keys; `features` has the sentence.
std::vector<std::string> part_feature_texts(const GraphFeatures& features, const GraphPart& part,
                                            const Sentence& sentence);

}  // namespace espalier
