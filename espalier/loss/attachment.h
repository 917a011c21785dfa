// Wrong arcs, one by one: `hamming` counts wrong heads, `labelled` wrong heads or labels, `labelled-210` (Chang et al.
// 2015) charges 2 for a wrong head and 1 for a wrong label on the right head. Tested by loss_test.cc.
#pragma once

#include "espalier/loss/arc_loss.h"

namespace espalier {

template <int kHead, int kLabel>
std::unique_ptr<const Loss> make_attachment_loss(std::string_view) {
  return std::make_unique<ArcLoss>(LossScale::kCount, kLabel > 0, [](int, int, std::string_view) {
    return ArcPrice{kHead, kLabel};
  });
}

}  // namespace espalier
