// The settings of training a transition parser.
#pragma once

#include <memory>
#include <string>

#include "espalier/base/settings.h"
#include "espalier/learn/clusters_setting.h"
#include "espalier/learn/objective/objectives.h"
#include "espalier/learn/root_rule.h"
#include "espalier/learn/sequential/sequential_options.h"
#include "espalier/learn/warm_start.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/parser/transition/transition_parser.h"
#include "espalier/parser/transition/transition_systems.h"

namespace espalier {

struct TransitionOptions : SequentialOptions {
  enum class Crossing { kLift, kPseudo, kNone };  // arcs: lifted, encoded in labels, or left out with their sentences
  enum class Oracle { kEager, kLate };

  std::string system, features;
  Crossing projectivity;
  Oracle oracle;
  RootRule root;
  Direction direction;
  bool select_lists;  ///< the epoch is chosen by gold trees in the beam, not by LAS
  int columns;
  std::shared_ptr<const ArcLoss> loss;           ///< what the beam's margin counts; nothing: actions
  std::shared_ptr<const WordClusters> clusters;  ///< null: none
  std::shared_ptr<const TransitionModel> init;   ///< warm start; null: weights begin with 0

  /// Reads all settings; the recipes `greedy` and `beam` have different defaults.
  static TransitionOptions from(SettingsReader& s) {
    const bool greedy = s.text("recipe", "beam", "which part trains the model") == "greedy";
    TransitionOptions o;
    o.beam = s.integer("beam", greedy ? 1 : 8, 1, 4096, "states kept per step, in training and parsing; 1 = greedy");
    o.system = s.choice("system", greedy ? "arc-hybrid" : "arc-eager", kTransitionSystems, "transition system");
    o.features = s.choice("features", "rich", kTemplateSets,
                          "template set; zn11: Zhang & Nivre (2011); hall: Hall et al. (2011), for arc-eager");
    o.runs = Runs::from(s, greedy ? 9 : 10);
    o.refit = Refit::from(s, o.runs.all_epochs());
    o.update = s.choice("update", BeamUpdateAt::kMaxViolation, beam_updates(), "which prefix a beam update corrects");
    o.all_labels = s.choice("labels", o.update == BeamUpdateAt::kHcWorst ? "all" : "best", {"best", "all"},
                            "which labels of a move compete in the beam while training") == "all";
    o.learner = s.choice("learner", greedy ? StepRule::kPassiveAggressive : StepRule::kPerceptron, step_rules(),
                         "averaged perceptron, or passive-aggressive steps");
    o.aggressiveness = s.real<float>("aggressiveness", 0.01, 1e-6, 1e6, "largest passive-aggressive step (C)");
    o.margin = s.real<float>("margin", greedy || o.passive_aggressive() ? 1 : 100, 0, 1e6,
                             "how far the right action must be ahead");
    const std::string loss = s.text("loss", o.beam == 1 ? "actions" : "labelled",
                                    "what a beam's margin counts: a loss over arcs (docs/objectives.md), or actions");
    if (loss != "actions") o.loss = make_arc_loss(loss);
    if (o.loss && o.beam == 1) throw usage_error("loss={}: greedy training has a margin for actions only", loss);
    o.projectivity =
        s.choice("projectivity", Crossing::kLift, {"lift", "pseudo", "none"},
                 "crossing arcs: lifted for training, lifted and encoded in labels, or such sentences left out");
    o.oracle = s.choice("oracle", Oracle::kEager, {"eager", "late"},
                        "static oracle: attaches left dependents (arc-eager: reduces) early or late");
    o.root = read_root_rule(s);
    o.direction = s.choice("direction", Direction::kLeftToRight, kDirectionNames, "from which end sentences are read");
    o.select_lists = Objectives::own_select(s, {"las", "gold-in-beam"}) == "gold-in-beam";
    o.columns = s.integer("columns", 64, 16, 1024, "number of actions, at most; rarer labels are folded into others");
    o.least_updates = s.integer("min_updates", greedy ? 5 : 2, 1, 1000000, "features updated less often are dropped");
    o.patient = s.flag("patient", !greedy, "delayed allocation: features get weights at their second update");
    o.drop = s.real<float>("drop", greedy ? 0.65 : 0.5, 0, 0.99,
                           "share of the remaining features that is dropped, smallest weights first");
    o.read_init(init_file(s));
    o.clusters = clusters_of(s, o.init ? o.init->clusters : nullptr);
    transition_templates(o.system, o.features, o.clusters != nullptr);  // throws if the system has none of that name
    return o;
  }

 private:
  /// Loads a warm start's model and checks that system and features are the same, so that keys are.
  void read_init(const std::string& file);
};

}  // namespace espalier
