// A parser that chooses among the candidates of other parsers (HC-search): their lists are pooled, a ranker scores
// whole trees by global features, and all scores, rescaled within the list, are mixed. Everything is in one model file.
// Tested by rank_test.cc and learn/combine/hc_trainer_test.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/features/word_atoms.h"
#include "espalier/parser/combine/pooled_list.h"
#include "espalier/parser/combine/rank_weights.h"
#include "espalier/parser/parser.h"

namespace espalier {

struct RerankModel {
  std::vector<std::unique_ptr<Parser>> parsers;
  int list = 16;              ///< candidates of each parser
  int width = 32;             ///< k that a parser is asked for: its search is so wide, and the best `list` are taken
  std::vector<double> alpha;  ///< of each parser's score; the rest is the ranker's
  RankWeights weights;
  AtomColumns columns;
  std::string head_rules = "english";
  /// Typical differences between the best and the worst score of a list: each parser's, and below the ranker's.
  std::vector<double> parser_ranges;
  double ranker_range = 1;
};

/// Candidates come in the order of the mixture, with scores named "h" ("h1", "h2" if there are several parsers), "c"
/// and "mixed". Their `score` is the mixed one plus a constant of the list, which makes lists of one sentence under
/// different tags comparable.
std::unique_ptr<Parser> make_reranker(RerankModel model);
/// Loads only the ranker of a saved reranker: weights, columns, head rules and range.
void load_ranker(const ModelPart& part, RerankModel& model);
std::unique_ptr<Parser> load_reranker(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
