// Every setting of the graph parsers' trainers: recipes `cube` and `mst`. docs/graph-parsers.md lists them.
#pragma once

#include <algorithm>
#include <string>

#include "espalier/base/settings.h"
#include "espalier/learn/graph/arc_filter_trainer.h"
#include "espalier/learn/root_rule.h"
#include "espalier/learn/update/runs.h"
#include "espalier/learn/update/violation.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/parser/graph/graph_parser.h"
#include "espalier/search/cube.h"
#include "espalier/weights/linear.h"

namespace espalier {

struct GraphSettings {
  Runs runs;
  int batch;
  OnlineLinear::Freeze pruning;
  bool mira, separate_steps;
  bool plain_violations;  ///< a violation is one of the model's scores, without what MIRA's search adds for errors
  enum class Forced { kLoss, kSigned, kNone } forced;  ///< steps of `standard` without violation
  double aggressiveness;
  std::shared_ptr<const ArcLoss> loss;
  ViolationUpdate update;
  CubeOptions training, parsing;
  FilterOptions filter;
  bool pseudo_projective, lemma, hall, labels_by_tags;
  int order, candidates;
  std::string parts;
  RootRule root;
  float arc_gap, train_arc_gap, label_gap, train_label_gap;
  bool coarse;
  std::string part_morphology;              ///< true, false, or auto
  std::shared_ptr<const GraphParser> init;  ///< warm start; null: weights begin with 0

  /// Converts gaps from numbers of wrong arcs to scores, up to the largest value of a model.
  void scale_gaps(float price) {
    for (float* gap : {&arc_gap, &train_arc_gap, &label_gap, &train_label_gap})
      *gap = std::min(*gap * price, GraphModel::kLargestGap);
    for (float* gap : {&training.seed_gap, &parsing.seed_gap, &parsing.beam_gap})
      *gap = std::min(*gap * price, CubeOptions::kNoGap);
  }
};

/// `projective`: of `cube`; otherwise of `mst`.
GraphSettings read_graph_settings(SettingsReader& settings, bool projective);

}  // namespace espalier
