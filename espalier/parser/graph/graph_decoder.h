// What searches of a graph parser and its training share.
#pragma once

#include <algorithm>
#include <vector>

#include "espalier/parser/graph/graph_model.h"
#include "espalier/parser/graph/graph_scores.h"
#include "espalier/search/chu_liu_edmonds.h"
#include "espalier/search/coarse_chart.h"
#include "espalier/search/cube.h"
#include "espalier/search/eisner.h"
#include "espalier/search/max_marginals.h"
#include "espalier/tree/dependency_tree.h"

namespace espalier {

/// Everything that one thread needs to parse with a model and a kind of table; training uses it too.
template <class Table>
struct GraphDecoder {
  GraphDecoder(const GraphModel& model, const Table& arcs, const Table& parts)
      : model(&model), scores(model, arcs, parts) {}

  const GraphModel* model;
  GraphScores<Table> scores;
  ArcFilter::Workspace filter;
  CubeSearch<GraphScores<Table>> cube;
  EisnerChart chart;
  ChuLiuEdmonds spanning;
  CoarseChart coarse;
  MaxMarginals max_marginals;
  ArcMatrix matrix, marginals;
  std::vector<int> heads;
  DependencyTree tree;

  /// Reads the sentence and filters its arcs; words with given heads (if there are any, by word) have no other.
  void prepare(const Sentence& sentence, std::span<const int> given = {}) {
    scores.encode(sentence);
    model->filter.filter(scores.sentence(), model->projective, filter, scores.mutable_arcs(), given);
    scores.mutable_arcs().number();
  }
  /// Drops scored arcs without which the best tree, by arcs alone, scores at least `gap` more than the best one with
  /// them: what the parts can add hardly ever makes up for that. The best tree's own arcs stay, and those of `gold`
  /// (heads from 1), if there are any. Returns what it knows of items, or nothing if the sentence is too long to tell.
  const CoarseChart* drop_arcs(float gap, std::span<const int> gold = {}) {
    constexpr int kMostWords = 1000;    // a dozen charts of n^2 floats
    constexpr float kLeastGap = 0.01f;  // so that rounding costs no arc of the best tree
    if (scores.arcs().words() > kMostWords) return nullptr;
    fill_coarse_matrix();
    coarse.fill(scores.arcs(), matrix, std::max(gap, kLeastGap));
    scores.keep_arcs([&](int head, int modifier) {
      return coarse.keeps_arc(head, modifier) || (!gold.empty() && gold[static_cast<size_t>(modifier)] == head);
    });
    return &coarse;
  }
  bool exact() const { return model->order == 1 || !model->projective; }
  /// The best tree under arc scores alone: labels are ranks 0. Arcs must have been scored.
  double solve_exactly(DependencyTree& tree) {
    const ArcSet& arcs = scores.arcs();
    fill_matrix();
    double score;
    if (model->projective) {
      score = chart.fill(matrix);
      chart.best_heads(tree.head);
    } else {
      score = spanning.solve(matrix, tree.head);
    }
    for (int m = 1; m <= arcs.words(); ++m) tree.label[m] = scores.label(arcs.find(tree.head[m], m), 0);
    return score;
  }
  /// Every arc with the score by which arcs are dropped.
  void fill_coarse_matrix() {
    const ArcSet& arcs = scores.arcs();
    matrix.reset(arcs.words());
    for (int a = 0; a < arcs.size(); ++a) matrix(arcs.head(a), arcs.modifier(a)) = scores.coarse(a);
  }
  /// Every arc with its best label.
  void fill_matrix() {
    const ArcSet& arcs = scores.arcs();
    matrix.reset(arcs.words());
    for (int a = 0; a < arcs.size(); ++a) matrix(arcs.head(a), arcs.modifier(a)) = scores.arc(a, 0);
  }
  void read_tree(int hypothesis, DependencyTree& tree) const {
    const ArcSet& arcs = scores.arcs();
    cube.for_each_arc(hypothesis, [&](int a, int l) {
      tree.head[arcs.modifier(a)] = arcs.head(a);
      tree.label[arcs.modifier(a)] = scores.label(a, l);
    });
  }
};

}  // namespace espalier
