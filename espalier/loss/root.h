// Root loss (Hall et al. 2011): 0 if the words with head 0 are exactly the annotated ones, else 1. Only these need to
// be annotated; a sentence in which none is costs nothing. For trees with one root, as searches build them, it is a sum
// over words in which only the root word has a price. Tested by loss_test.cc.
#pragma once

#include <algorithm>

#include "espalier/loss/arc_loss.h"

namespace espalier {

class RootLoss final : public ArcLoss {
 public:
  RootLoss()
      : ArcLoss(LossScale::kCount, false, [](int, int head, std::string_view) {
          return ArcPrice{head == 0 ? 1.f : 0.f, 0};
        }) {}

  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override {
    std::vector<double> costs = ArcLoss::costs(gold, analyses);
    const auto roots = std::ranges::count(gold.tokens, 0, &Token::head);
    for (size_t i = 0; i < costs.size() && roots > 0; ++i)
      costs[i] =
          costs[i] > 0 || std::ranges::count(analyses[i]->heads.begin() + 1, analyses[i]->heads.end(), 0) != roots;
    return costs;
  }
};

inline std::unique_ptr<const Loss> make_root_loss(std::string_view) { return std::make_unique<RootLoss>(); }

}  // namespace espalier
