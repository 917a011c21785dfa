// The transition parser: a stack-based space, a template table, frozen linear weights, and greedy or beam search.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/features/word_atoms.h"
#include "espalier/features/word_clusters.h"
#include "espalier/parser/parser.h"
#include "espalier/space/action_table.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// The model of a transition parser; available through inspect.h.
struct TransitionModel {
  std::string system = "arc-standard";
  std::string features = "rich";
  int beam = 8;  ///< 1 = greedy
  bool single_root = true;
  bool pseudo_projective = false;  ///< labels carry the `head` encoding
  Direction direction = Direction::kLeftToRight;
  AtomColumns columns;
  std::shared_ptr<const WordClusters> clusters;  ///< null: none
  std::vector<std::string> labels;
  ActionTable actions;
  Linear weights;
};

std::unique_ptr<Parser> make_transition_parser(TransitionModel model);
std::unique_ptr<Parser> load_transition_parser(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
