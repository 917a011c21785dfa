// "reorder:en-ja": 1 - reorder_score (tools/reorder.h) of the words, put into another language's order by rules over
// the tree, against the order given as Order= in MISC (Hall et al. 2011). Tested by loss_test.cc.
#pragma once

#include "espalier/base/error.h"
#include "espalier/loss/loss.h"
#include "espalier/tools/reorder.h"

namespace espalier {

class ReorderLoss final : public Loss {
 public:
  explicit ReorderLoss(const std::string& rules) : rules_(reorder_rules_text(rules), rules) {}

  LossScale scale() const override { return LossScale::kShare; }
  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override {
    const std::vector<int> reference = reference_order(gold);
    std::vector<double> costs;
    for (const Analysis* analysis : analyses)
      costs.push_back(1 - reorder_score(rules_.order(gold, *analysis), reference));
    return costs;
  }

 private:
  ReorderRules rules_;
};

inline std::unique_ptr<const Loss> make_reorder_loss(std::string_view argument) {
  if (argument.empty()) throw usage_error("loss 'reorder' needs rules, such as 'reorder:en-ja' or 'reorder:my.rules'");
  return std::make_unique<ReorderLoss>(std::string(argument));
}

}  // namespace espalier
