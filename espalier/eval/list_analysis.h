// The loss decomposition of HC-search for k-best lists (HC-search for Incremental Parsing, Eq. 1). The best tree of a
// list bounds every ranker: its errors are the heuristic's (eps_H). The rest is the ranker's: the difference of losses
// (eps_C_diff), or, as in the paper's Table 2, the distance of the chosen tree to the best ones (eps_C_dist). Tested by
// eval/list_analysis_test.cc.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "espalier/eval/punctuation.h"
#include "espalier/tree/analysis.h"

namespace espalier {

/// Counts of one group of sentences. The unit is a scored word, or a bracket (gold's and the system's) for
/// constituents.
struct ListCounts {
  long sentences = 0, candidates = 0;
  double units = 0;         ///< denominator of error rates; brackets: those of gold and of the first trees
  double first_errors = 0;  ///< errors of the lists' first trees
  double best_errors = 0;   ///< errors of the best trees in the lists
  double distance = 0;      ///< from the first tree to the best ones, mean over the best ones
  double first_labelled = 0, best_labelled = 0;  ///< dependencies: with labels, over all words
  double words = 0;
  double best_units = 0;  ///< brackets: of the best trees
  long gold_in_list = 0, gold_not_first = 0;

  ListCounts& operator+=(const ListCounts& other);
};

struct ListAnalysis {
  bool brackets = false;
  ListCounts all;
  static constexpr int kLengths = 6;
  static const char* const kLengthNames[kLengths];  ///< 1-10 11-20 ... 51+
  ListCounts by_length[kLengths];
  std::map<int, ListCounts> by_size;  ///< lists cut to 1, 2, 4, ... trees

  /// `list` is best first and not empty.
  void add(const Sentence& gold, std::span<const Analysis> list, Punctuation punctuation);
};

nlohmann::ordered_json to_json(const ListAnalysis& analysis);
std::string to_table(const ListAnalysis& analysis);
/// Oracle and first-best accuracy by size of the list.
std::string to_svg(const ListAnalysis& analysis);

}  // namespace espalier
