// "labels:nsubj+obj": wrong arcs among those whose gold label is one of these. Tested by loss_test.cc.
#pragma once

#include "espalier/base/error.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/loss/chosen_names.h"

namespace espalier {

inline std::unique_ptr<const Loss> make_label_loss(std::string_view argument) {
  const ChosenNames chosen = chosen_names(argument);
  if (chosen.empty()) throw usage_error("loss 'labels' needs relations, such as 'labels:nsubj+obj'");
  return std::make_unique<ArcLoss>(LossScale::kCount, true, [chosen](int, int, std::string_view label) {
    return chosen.contains(label) ? ArcPrice{1, 1} : ArcPrice{};
  });
}

}  // namespace espalier
