#include "espalier/learn/graph/graph_settings.h"

#include <string>

#include "espalier/base/error.h"
#include "espalier/learn/warm_start.h"

namespace espalier {
namespace {

const char* name_of(ArcFilter::Rule rule) { return rule == ArcFilter::Rule::kPosterior ? "posterior" : "max-marginal"; }

/// Checks that parts and features are those of the warm start's model, so that keys are the same.
void read_init(const std::string& file, bool projective, GraphSettings& g) {
  if (file.empty()) return;
  g.init = warm_start_model(file, projective ? "cube" : "mst", [&](const Parser& parser) -> const GraphParser* {
    const auto* graph = model_of<GraphParser>(parser);
    return graph && graph->model().projective == projective ? graph : nullptr;
  });
  const GraphModel& model = g.init->model();
  check_same(file, "features", g.hall ? "hall" : "rich", model.hall ? "hall" : "rich");
  check_same(file, "order", std::to_string(g.order), std::to_string(model.order));
  check_same(file, "parts", g.parts, model.parts);
  check_same(file, "filter", name_of(g.filter.rule), name_of(model.filter.rule));
  g.pseudo_projective = model.pseudo_projective;
  g.filter.init = &model.filter;
}

GraphSettings read_settings(SettingsReader& s, bool projective) {
  GraphSettings g;
  g.runs = Runs::from(s, 10);
  g.batch = s.integer("batch", 4, 1, 1024,
                      "sentences searched with the same weights (in parallel); updates are applied in order");
  g.pruning.least_updates = s.integer("min_updates", 2, 1, 255, "features updated less often are dropped");
  g.pruning.drop =
      s.real("drop", 0.6, 0, 0.99, "share of the remaining features that is dropped, smallest weights first");
  g.pruning.largest = 508;  // sums of sixty-four times the largest weight still fit 16 bits
  g.mira = s.choice("learner", "mira", {"mira", "perceptron"}, "how far an update goes") == "mira";
  g.loss = make_arc_loss(
      s.text("loss", "labelled", "what MIRA's margin and its search count as wrong (docs/objectives.md)"));
  g.aggressiveness = s.real("aggressiveness", 1e9, 0, 1e9, "largest step of MIRA");
  g.hall =
      s.choice("features", "rich", {"rich", "hall"}, "templates of arcs; hall: those of Hall et al. (2011)") == "hall";
  g.lemma = s.flag("lemma", false, "use the LEMMA column in features");
  g.order =
      projective ? s.integer("order", 3, 1, 3, "1: arcs (exact search); 2: + siblings, grandchildren; 3: all") : 1;
  g.root = read_root_rule(s);
  g.parts = projective ? s.text("parts", "all",
                                "parts scored beside arcs: all, or some of sibling,grandchild,stop,tri-sibling,"
                                "grand-sibling,extreme,frame")
                       : "all";
  for (const PartKind kind : part_kinds(g.parts))
    if (g.parts != "all" && kind > (g.order == 1 ? kArcPart : g.order == 2 ? kStopPart : kFramePart))
      throw usage_error("parts={}: order={} has no {}", g.parts, g.order, kPartNames[kind - kSiblingPart]);
  // Where arcs alone decide, the best label is known; others are for lists of trees.
  g.candidates = s.integer("labels_per_arc", g.mira && g.order > 1 ? 8 : 2, 1, GraphModel::kMaxCandidates,
                           "labels tried per arc, at most");
  g.labels_by_tags = s.flag("labels_by_tags", true, "try only labels seen with the tags of head and modifier");
  FilterOptions& f = g.filter;
  f.projective = projective;
  const std::string rule =
      projective ? s.choice("filter", "posterior", {"posterior", "max-marginal"}, "rule of the arc filter")
                 : "posterior";
  f.rule = rule == "posterior" ? ArcFilter::Rule::kPosterior : ArcFilter::Rule::kMaxMarginal;
  f.epochs = s.integer("filter_epochs", rule == "posterior" ? 3 : 6, 1, 100, "passes of the filter's learner");
  f.folds = s.integer("filter_folds", 4, 1, 100, "folds by which training sentences are filtered");
  f.bits = s.integer("filter_bits", ArcFilter::kUsualBits, ArcFilter::kLeastBits, ArcFilter::kMostBits,
                     "2^bits weights for the filter's features (20: 6 MB); with --init those of its filter");
  f.oracle = s.real("filter_oracle", 99.44, 50, 100, "percent of held-out gold arcs that the filter must keep");
  f.threshold = s.real<float>("filter_threshold", -1, -1, 100,
                              "theta (posterior) or alpha (max-marginal); -1 = chosen for filter_oracle");
  if (rule == "max-marginal" && f.threshold > 1)
    throw usage_error("filter_threshold: alpha of filter=max-marginal is at most 1, where the best tree alone is left");
  g.update = ViolationUpdate::kSkip;
  g.separate_steps = g.plain_violations = false;
  g.forced = GraphSettings::Forced::kLoss;
  g.pseudo_projective = false;
  g.arc_gap = g.train_arc_gap = g.label_gap = g.train_label_gap = 0;
  g.coarse = false;
  g.part_morphology = "false";
  if (!projective) return g;
  f.alpha = s.real<float>("filter_alpha", rule == "max-marginal" && f.threshold >= 0 ? f.threshold : 0.5, 0, 1,
                          "alpha of the loss by which filter=max-marginal learns");
  g.pseudo_projective = s.choice("projectivity", "lift", {"lift", "pseudo"},
                                 "crossing arcs: lifted for training, or lifted and encoded in labels") == "pseudo";
  g.update =
      s.choice("update", ViolationUpdate::kParallelMax, violation_updates(), "where an inexact search is corrected");
  g.separate_steps = s.choice("pmax_steps", "joint", {"joint", "separate"},
                              "p-max: one step for all items, or one each") == "separate";
  g.plain_violations =
      s.choice("violation", "augmented", {"augmented", "plain"},
               "mira: scores by which an error is a violation: the search's own, or the model's alone") == "plain";
  g.forced = s.choice("forced_step", GraphSettings::Forced::kLoss, {"loss", "signed", "none"},
                      "mira: the step of update=standard where there is no violation: as if the margin were zero, by "
                      "the margin even if that is backwards, or none");
  CubeOptions& t = g.training;
  t.beam = s.integer("beam", 6, 1, 30000, "hypotheses per item");
  t.slack = t.beam;
  t.full_signature =
      s.choice("sig", "short", {"short", "full"}, "which hypotheses of an item count as equal") == "full";
  t.seed_gap = s.real<float>("train_seed_gap", 4, 0, CubeOptions::kNoGap,
                             "in training: pairs of items this far below the best are not tried");
  t.labelings =
      s.integer("labelings", 0, 0, 30000, "hypotheses of an item that differ in labels alone, at most; 0 = any number");
  g.parsing = t;
  g.parsing.beam = s.integer("parse_beam", t.beam, 1, 30000, "hypotheses per item when parsing");
  g.parsing.slack = g.parsing.beam;
  g.parsing.seed_gap = s.real<float>("seed_gap", 3, 0, CubeOptions::kNoGap,
                                     "when parsing: pairs of items this far below the best are not tried");
  g.parsing.beam_gap = s.real<float>("beam_gap", g.mira ? 2 : CubeOptions::kNoGap, 0, CubeOptions::kNoGap,
                                     "when parsing: hypotheses this far below the best are dropped");
  g.arc_gap = s.real<float>(
      "arc_gap", 4, 0, GraphModel::kLargestGap,
      "when parsing: arcs whose best tree is this far below the best are dropped before parts are scored; 0 = none");
  g.label_gap = s.real<float>("label_gap", g.mira ? 0.8 : 0, 0, GraphModel::kLargestGap,
                              "labels this far below their arc's best are not tried; 0 = no gap");
  // In training MIRA adds the price of wrong labels to their scores.
  g.train_label_gap = g.label_gap > 0 ? g.label_gap + 1 : 0;
  g.train_arc_gap =
      s.real<float>("train_arc_gap", 0, 0, GraphModel::kLargestGap, "arc_gap in training; gold arcs stay; 0 = none");
  g.part_morphology = s.choice("part_morphology", "auto", {"auto", "true", "false"},
                               "FEATS and suffixes in siblings and grandchildren; auto: if the treebank is small");
  g.coarse = s.flag("coarse", true, "arcs have a separate first-order score, by which gaps drop them");
  return g;
}

}  // namespace

GraphSettings read_graph_settings(SettingsReader& settings, bool projective) {
  GraphSettings all = read_settings(settings, projective);
  read_init(init_file(settings), projective, all);
  return all;
}

}  // namespace espalier
