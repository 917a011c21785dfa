// Losses that are sums over words, each of which costs something if its head is wrong and something (else) if only its
// label is: Hamming, arc length and the like. So a search can add them to the scores of arcs. Tested by loss_test.cc.
#pragma once

#include <functional>
#include <utility>

#include "espalier/loss/loss.h"

namespace espalier {

/// What a word costs with a wrong head, and with a wrong label on the right head.
struct ArcPrice {
  float head = 0, label = 0;

  float of(bool right_head, bool right_label) const { return !right_head ? head : !right_label ? label : 0; }
  friend bool operator==(const ArcPrice&, const ArcPrice&) = default;
};

class ArcLoss : public Loss {
 public:
  using Price = ArcPrice(int modifier, int head, std::string_view label);

  /// `price` looks at the gold arc; `labelled`: a wrong label can cost something. Of a share, each word's price is
  /// divided by the heads' prices of all.
  ArcLoss(LossScale scale, bool labelled, std::function<Price> price)
      : scale_(scale), labelled_(labelled), price_(std::move(price)) {}

  LossScale scale() const override { return scale_; }
  LooksAtLabels looks_at_labels() const override { return labelled_ ? LooksAtLabels::kYes : LooksAtLabels::kNo; }
  const ArcLoss* over_arcs() const override { return this; }
  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override;
  /// The prices of the words 1..n (entry 0 is unused) of a gold tree, which has heads and relations.
  virtual std::vector<ArcPrice> prices(const Analysis& gold) const;
  /// The same for margins: in words, whatever the scale. `heads` (from 1) are the sentence's, or projective ones in
  /// their place. Whole 256ths, so that sums are the same in any order.
  std::vector<ArcPrice> prices_in_words(const Sentence& gold, std::span<const int> heads) const;

 private:
  LossScale scale_;
  bool labelled_;
  std::function<Price> price_;
};

/// As make_loss; refuses losses that are no sums over words.
std::unique_ptr<const ArcLoss> make_arc_loss(std::string_view name);

}  // namespace espalier
