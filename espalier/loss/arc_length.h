// 1 - ALS, the arc-length score of Hall et al. (2011): the share of gold arc length that was missed. Lengths are
// absolute (signed ones, as printed in the paper, would cancel out); a root arc is as long as its word's number.
// Tested by loss_test.cc.
#pragma once

#include <cstdlib>

#include "espalier/loss/arc_loss.h"

namespace espalier {

template <bool kLabelled>
std::unique_ptr<const Loss> make_arc_length_loss(std::string_view) {
  return std::make_unique<ArcLoss>(LossScale::kShare, kLabelled, [](int modifier, int head, std::string_view) {
    const auto length = static_cast<float>(std::abs(modifier - head));
    return ArcPrice{length, kLabelled ? length : 0};
  });
}

}  // namespace espalier
