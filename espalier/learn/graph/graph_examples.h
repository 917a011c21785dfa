// The training examples of graph parsers: gold heads (projectivised if the parser is projective) and labels; and the
// data of the model: labels, tags, columns in use, which labels occur with which tags. Tested by
// parser/graph/graph_parser_test.cc.
#pragma once

#include <span>
#include <vector>

#include "espalier/learn/graph/arc_filter_trainer.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/parser/graph/graph_model.h"
#include "espalier/tree/sentence.h"

namespace espalier {

struct GraphExample {
  const Sentence* sentence;
  std::vector<int> heads, labels;  // by word, from 1
  std::vector<ArcPrice> prices;    // of wrong arcs in the search, in words

  float cost(int modifier, int head, int label) const {
    return prices[modifier].of(head == heads[modifier], label == labels[modifier]);
  }
};

/// The sentences that are trees. Fills the model's vocabularies, columns and allowed labels, from partial trees, too;
/// keeps the entries of a warm start.
std::vector<GraphExample> collect_examples(std::span<const Sentence> sentences, bool lemma, const ArcLoss& loss,
                                           const TrainContext& context, GraphModel& model);

/// The 99th percentile of the prices of wrong heads, without zeros. Margins, and so differences of scores, are as large
/// as prices, so gaps, which prune by differences of scores, are scaled by it.
float high_price(std::span<const GraphExample> examples);

/// Gold heads of sentences that need not be training data. `heads` keeps what the result refers to.
std::vector<FilterExample> filter_examples(std::span<const Sentence> sentences, const GraphModel& model,
                                           std::vector<std::vector<int>>& heads);

}  // namespace espalier
