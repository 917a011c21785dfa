// Brackets of constituent trees, counted as `espalier eval` counts them: `parseval` is 1 - F1, `brackets` the number of
// missed and of invented brackets. Not sums over parts. Tested by loss_test.cc.
#pragma once

#include "espalier/eval/bracket.h"
#include "espalier/loss/loss.h"

namespace espalier {

class BracketLoss final : public Loss {
 public:
  explicit BracketLoss(LossScale scale) : scale_(scale) {}

  LossScale scale() const override { return scale_; }
  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override {
    std::vector<double> costs;
    for (const Analysis* found : analyses) {
      const Overlap shared = overlap_of_brackets(gold, found->constituents);
      const auto all = static_cast<double>(shared.gold + shared.system);
      const double wrong = all - 2 * static_cast<double>(shared.correct);
      costs.push_back(scale_ == LossScale::kCount || wrong == 0 ? wrong : wrong / all);
    }
    return costs;
  }

 private:
  LossScale scale_;
};

template <LossScale kScale>
std::unique_ptr<const Loss> make_bracket_loss(std::string_view) {
  return std::make_unique<BracketLoss>(kScale);
}

}  // namespace espalier
