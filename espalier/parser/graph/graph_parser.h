// Graph-based dependency parser: arc filter, hashed features, and one of three searches: cube pruning with parts of
// second and third order, Eisner's algorithm (order 1), or spanning trees (not projective).
// Trained by learn/graph/graph_trainer.cc; docs/cube.md and docs/mst.md. Tested by graph_parser_test.cc.
#pragma once

#include <algorithm>
#include <memory>

#include "espalier/parser/graph/graph_model.h"
#include "espalier/parser/parser.h"
#include "espalier/scorer/graph_scores.h"
#include "espalier/search/chu_liu_edmonds.h"
#include "espalier/search/cube.h"
#include "espalier/search/eisner.h"
#include "espalier/search/max_marginals.h"
#include "espalier/weights/feature_tables.h"

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
  MaxMarginals max_marginals;
  ArcMatrix matrix, marginals;
  std::vector<int> heads;
  DependencyTree tree;
  Analysis analysis;

  /// Reads the sentence and filters its arcs.
  void prepare(const Sentence& sentence) {
    scores.encode(sentence);
    model->filter.filter(scores.sentence(), model->projective, filter, scores.mutable_arcs());
    scores.mutable_arcs().number();
  }
  /// Drops scored arcs without which the best tree, by arcs alone, scores at least `gap` more than the best one with
  /// them: what the parts can add hardly ever makes up for that. The best tree's own arcs stay.
  void drop_arcs(float gap) {
    constexpr int kMostWords = 1000;    // a chart of 4 * n^2 records
    constexpr float kLeastGap = 0.01f;  // so that rounding costs no arc of the best tree
    if (scores.arcs().words() > kMostWords) return;
    fill_matrix();
    const float least = max_marginals.compute(matrix, marginals) - std::max(gap, kLeastGap);
    scores.keep_arcs([&](int head, int modifier) { return marginals(head, modifier) >= least; });
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

class GraphParser : public Parser {
 public:
  GraphParser(GraphModel model, FrozenTable arcs, FrozenTable parts, CubeOptions options,
              std::shared_ptr<const ModelFile> file = nullptr);

  std::unique_ptr<Workspace> make_workspace() const override;
  void parse(Sentence& sentence, Workspace& workspace) const override;
  bool has_kbest() const override { return true; }
  std::vector<Candidate> kbest(const Sentence& sentence, int k, Workspace& workspace) const override;
  bool has_features() const override { return true; }
  FeatureVector features(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override;
  std::string kind() const override { return "graph"; }
  std::vector<std::string> predicts() const override { return {"heads"}; }
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;

  const GraphModel& model() const { return model_; }
  const CubeOptions& options() const { return options_; }

 private:
  using Decoder = GraphDecoder<FrozenTable>;
  /// The best tree into decoder.tree; returns its score.
  double best(const Sentence& sentence, float arc_gap, Decoder& decoder) const;
  void spanning_trees(int k, Decoder& decoder, std::vector<Candidate>& list) const;
  /// The tree as it is written.
  void name(const DependencyTree& tree, Analysis& analysis) const;
  /// Adds a tree to a list, unless one that is written alike is there. The derivation is its heads, then its labels.
  void add(double score, const DependencyTree& tree, std::vector<Candidate>& list) const;

  GraphModel model_;
  FrozenTable arcs_, parts_;
  CubeOptions options_;
  std::shared_ptr<const ModelFile> file_;  // keeps mapped weights alive
};

std::unique_ptr<Parser> load_graph_parser(const ModelPart& part, const Settings& overrides);

}  // namespace espalier
