// The shift-reduce constituent parser: a bottom-up space, templates, frozen linear weights and a beam. Two models that
// read from opposite ends can be one parser: each proposes trees, and the tree with the best sum of scores wins.
// Tested by learn/shift_reduce/shift_reduce_trainer_test.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/features/constituent_atoms.h"
#include "espalier/parser/parser.h"
#include "espalier/space/action_table.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// Everything that a model file keeps of one direction.
struct ShiftReduceModel {
  int beam = 16;
  Direction direction = Direction::kLeftToRight;
  std::string root = "ROOT";        ///< label of the trees' root
  std::vector<std::string> labels;  ///< of constituents, and chains of them (tree/binarise.h)
  ActionTable actions;
  Linear weights;
};

/// The model of one direction of a shift-reduce parser; null if there is none, or for another parser.
const ShiftReduceModel* shift_reduce_model(const Parser& parser, Direction direction);

std::unique_ptr<Parser> make_shift_reduce_parser(ShiftReduceModel model);
/// Of two parsers, one per direction.
std::unique_ptr<Parser> make_two_way_parser(const Parser& left_to_right, const Parser& right_to_left);
/// What was saved of a direction, without weights and beam: `shared` is what all directions have in common.
ShiftReduceModel load_shift_reduce_model(const ModelPart& part, const nlohmann::json& shared,
                                         const nlohmann::json& own);
std::unique_ptr<Parser> load_shift_reduce_parser(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
