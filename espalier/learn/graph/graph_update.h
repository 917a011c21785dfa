// Updates of a graph parser's weights by one sentence, in two steps, so that searches can run in parallel and their
// results be applied in order: `find_correction` searches and compares, `apply_correction` changes the weights by
// 1-best MIRA (Crammer & Singer; loss-augmented search, McDonald et al. 2005) or the perceptron.
// Tested by parser/graph/graph_parser_test.cc.
#pragma once

#include <vector>

#include "espalier/learn/graph/graph_examples.h"
#include "espalier/learn/graph/graph_settings.h"
#include "espalier/learn/update/feature_delta.h"
#include "espalier/parser/graph/graph_search.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// The result of a search for one sentence. Reused from sentence to sentence.
struct Correction {
  struct Step {
    FeatureDelta delta;          // table 1: of arcs
    std::vector<uint32_t> rows;  // of the delta's entries; while it is applied
    double loss = 0;
    bool forced = false;  // a standard update without violation; GraphSettings::forced says how far it goes
    void clear() {
      delta.clear();
      loss = 0;
      forced = false;
    }
  };
  std::vector<Step> steps;
  int used = 0;
  Step coarse;  // of the coarse score; empty if its best tree is right
  bool root_violated = false, root_wrong = false;
  int items = 0;  // items of the gold derivation at which to update

  Step& next() {
    if (used == static_cast<int>(steps.size())) steps.emplace_back();
    steps[used].clear();
    return steps[used++];
  }
};

using TrainingSearch = GraphSearch<OnlineLinear>;

/// Parses with the current weights and compares with gold. `kept`: the filter's arcs, to which gold ones are added.
void find_correction(const GraphSettings& settings, const GraphExample& example, const KeptArcs& kept,
                     TrainingSearch& search, Correction& correction);

/// Moves the weights; false if there was nothing to do.
bool apply_correction(const GraphSettings& settings, Correction& correction, OnlineLinear& arcs, OnlineLinear& parts);

}  // namespace espalier
