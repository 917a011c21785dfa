// The score of a parser on held-out sentences: the number that selects an epoch, and details for the log.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

struct DevScore {
  double value = 0;  ///< LAS for heads, F1 for constituents, mean tagging accuracy for tags; percent
  std::map<std::string, double> details;  ///< "las", "uas", "upos", ...
};

/// Scores parsed sentences on the columns that the parser predicts.
DevScore score_parsed(const Parser& parser, const std::vector<Sentence>& dev, const std::vector<Sentence>& parsed);

/// Parses copies of the sentences in parallel and compares them with the originals.
DevScore score_on_dev(const Parser& parser, const std::vector<Sentence>& dev, int threads);

}  // namespace espalier
