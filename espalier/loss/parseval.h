// Brackets of constituent trees, counted as `espalier eval` counts them: `parseval` is 1 - F1, `brackets` the number of
// missed and of invented brackets; of `brackets:NP+PP` only those with these labels. Not sums over parts. Tested by
// loss_test.cc.
#pragma once

#include "espalier/eval/bracket.h"
#include "espalier/loss/chosen_names.h"
#include "espalier/loss/loss.h"

namespace espalier {

class BracketLoss final : public Loss {
 public:
  /// `labels`: the labels that count; empty = all.
  BracketLoss(LossScale scale, ChosenNames labels) : scale_(scale), labels_(std::move(labels)) {}

  LossScale scale() const override { return scale_; }
  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override {
    std::vector<double> costs;
    for (const Analysis* found : analyses) {
      const Overlap shared = shared_brackets(gold, found->constituents);
      const auto all = static_cast<double>(shared.gold + shared.system);
      const double wrong = all - 2 * static_cast<double>(shared.correct);
      costs.push_back(scale_ == LossScale::kCount || wrong == 0 ? wrong : wrong / all);
    }
    return costs;
  }

 private:
  Overlap shared_brackets(const Sentence& gold, const ConstituentTree& found) const {
    if (labels_.empty()) return overlap_of_brackets(gold, found);
    BracketsByLabel by_label;
    overlap_of_brackets(gold, found, &by_label);
    Overlap shared;
    for (const auto& [label, overlap] : by_label)
      if (labels_.contains(label)) shared += overlap;
    return shared;
  }

  LossScale scale_;
  ChosenNames labels_;
};

template <LossScale kScale>
std::unique_ptr<const Loss> make_bracket_loss(std::string_view labels) {
  return std::make_unique<BracketLoss>(kScale, chosen_names(labels));
}

}  // namespace espalier
