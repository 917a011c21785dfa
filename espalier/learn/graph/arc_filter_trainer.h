// Trains arc filters. Posterior rule: a softmax over the heads of each word, AdaGrad. Max-marginal rule: the filter
// loss of Rush & Petrov (2012), which asks the gold tree to score above the threshold, not above all other trees.
// Training sentences are filtered by models that have not seen them (K folds), and the threshold is chosen on these
// held-out arcs. Tested by parser/graph/graph_parser_test.cc.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "espalier/learn/trainer.h"
#include "espalier/parser/graph/graph_model.h"

namespace espalier {

struct FilterOptions {
  ArcFilter::Rule rule = ArcFilter::Rule::kPosterior;
  int epochs = 3;
  int folds = 4;
  double oracle = 99.44;  ///< percent of held-out gold arcs that must be kept
  float alpha = 0.5f;     ///< of the loss for max-marginals
  float threshold = -1;   ///< theta or alpha; negative = chosen for `oracle`
  int bits = ArcFilter::kUsualBits;
  bool projective = true;
  const ArcFilter* init = nullptr;  ///< warm start; null: weights begin with 0
};

/// One sentence to filter and its gold heads (projectivised if the parser is projective).
struct FilterExample {
  const Sentence* sentence;
  std::span<const int> heads;
};

using KeptArcs = std::vector<std::pair<uint16_t, uint16_t>>;  ///< (head, modifier)

struct LearnedFilter {
  ArcFilter filter;
  std::vector<KeptArcs> held_out;  ///< per training sentence, by a model that has not seen it
};

/// For a model that knows its tags and columns. `identity`: of the run that this is part of.
LearnedFilter learn_filter(const GraphModel& model, std::span<const FilterExample> examples,
                           const FilterOptions& options, const std::string& identity, const TrainContext& context);

/// Measures a filter on a corpus: percent of the n^2 arcs pruned, arcs per word left, percent of gold arcs kept (of
/// the given heads and of the sentences' own), percent of sentences with all of them.
nlohmann::json filter_report(const GraphModel& model, std::span<const FilterExample> examples);

}  // namespace espalier
