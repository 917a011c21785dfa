// How much a tagger's score weighs beside a parser's, where both choose the tags together (parser/joint_tagging.h).
// Tested by pipeline_test.cc.
#pragma once

#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

/// The weight with which the parser's columns come out best on held-out sentences (not empty).
double fit_tag_weight(const Parser& tagger, const Parser& parser, const std::vector<Sentence>& dev, int taggings,
                      int threads);

}  // namespace espalier
