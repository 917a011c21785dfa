// Fits the weight of a tagger's score beside a parser's, if both choose tags together (parser/joint_tagging.h).
// Tested by pipeline_test.cc.
#pragma once

#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

/// The weight with the best dev score of the parser's columns; dev must not be empty.
double fit_tag_weight(const Parser& tagger, const Parser& parser, const std::vector<Sentence>& dev, int taggings,
                      int threads);

}  // namespace espalier
