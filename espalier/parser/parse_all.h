// Many sentences at once.
#pragma once

#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

/// Parses every sentence in place, on so many threads. Tested by learn/jackknife_test.cc.
void parse_all(const Parser& parser, std::vector<Sentence>& sentences, int threads);

}  // namespace espalier
