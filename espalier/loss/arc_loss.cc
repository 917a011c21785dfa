#include "espalier/loss/arc_loss.h"

#include <cmath>

#include "espalier/base/error.h"

namespace espalier {

std::vector<ArcPrice> ArcLoss::prices(const Analysis& gold) const {
  std::vector<ArcPrice> prices(gold.heads.size());
  float total = 0;
  for (size_t m = 1; m < prices.size(); ++m) {
    if (gold.heads[m] == Token::kNoHead) continue;
    prices[m] = price_(static_cast<int>(m), gold.heads[m], gold.deprels[m]);
    if (gold.deprels[m] == "_") prices[m].label = 0;
    total += prices[m].head;
  }
  if (scale_ == LossScale::kShare && total > 0)
    for (ArcPrice& price : prices) price = {price.head / total, price.label / total};
  return prices;
}

std::vector<ArcPrice> ArcLoss::prices_in_words(const Sentence& gold, std::span<const int> heads) const {
  Analysis tree = dependencies_of(gold);
  tree.heads.assign(heads.begin(), heads.end());
  std::vector<ArcPrice> result = prices(tree);
  const auto scaled = [&](float price) {
    return static_cast<float>(std::round(price * in_words(gold.size()) * 256) / 256);
  };
  for (ArcPrice& price : result) price = {scaled(price.head), scaled(price.label)};
  return result;
}

std::vector<double> ArcLoss::costs(const Sentence& gold, std::span<const Analysis* const> analyses) const {
  const Analysis right = dependencies_of(gold);
  const std::vector<ArcPrice> price = prices(right);
  std::vector<double> costs;
  for (const Analysis* found : analyses) {
    if (found->heads.size() != price.size() || found->deprels.size() != price.size())
      throw usage_error("this loss compares heads and relations, which the analyses do not have");
    double cost = 0;
    for (size_t m = 1; m < price.size(); ++m)
      cost += price[m].of(found->heads[m] == right.heads[m], found->deprels[m] == right.deprels[m]);
    costs.push_back(cost);
  }
  return costs;
}

}  // namespace espalier
