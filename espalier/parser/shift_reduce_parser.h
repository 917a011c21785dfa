// The shift-reduce constituent parser: a bottom-up space, templates, frozen linear weights and a beam. Tested by
// learn/shift_reduce_trainer_test.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/parser/parser.h"
#include "espalier/scorer/linear.h"
#include "espalier/space/action_table.h"

namespace espalier {

/// Everything that a model file keeps of it.
struct ShiftReduceModel {
  int beam = 16;
  std::string root = "ROOT";        ///< label of the trees' root
  std::vector<std::string> labels;  ///< of constituents, and chains of them (tree/binarise.h)
  ActionTable actions;
  Linear weights;
};

std::unique_ptr<Parser> make_shift_reduce_parser(ShiftReduceModel model);
std::unique_ptr<Parser> load_shift_reduce_parser(const ModelPart& part, const Settings& overrides);

}  // namespace espalier
