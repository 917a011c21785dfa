// Losses that are sums over words, with one price for a wrong head and one for a wrong label on the right head:
// Hamming, arc length and the like. A search can add these prices to the scores of arcs. Tested by loss_test.cc.
#pragma once

#include <functional>
#include <utility>

#include "espalier/loss/loss.h"

namespace espalier {

/// The price of a word with a wrong head, and with a wrong label on the right head.
struct ArcPrice {
  float head = 0, label = 0;

  float of(bool right_head, bool right_label) const { return !right_head ? head : !right_label ? label : 0; }
  friend bool operator==(const ArcPrice&, const ArcPrice&) = default;
};

class ArcLoss : public Loss {
 public:
  using Price = ArcPrice(int modifier, int head, std::string_view label);

  /// `price` gets the gold arc; `labelled`: a wrong label can cost something. For LossScale::kShare prices are divided
  /// by the sum of the head prices of all words.
  ArcLoss(LossScale scale, bool labelled, std::function<Price> price)
      : scale_(scale), labelled_(labelled), price_(std::move(price)) {}

  LossScale scale() const override { return scale_; }
  LooksAtLabels looks_at_labels() const override { return labelled_ ? LooksAtLabels::kYes : LooksAtLabels::kNo; }
  const ArcLoss* over_arcs() const override { return this; }
  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override;
  /// The prices of the words 1..n (entry 0 is unused) of a gold tree, which has heads and relations.
  virtual std::vector<ArcPrice> prices(const Analysis& gold) const;
  /// Prices for margins: in words, whatever the scale. `heads` (from 1) are the sentence's heads, or projective ones
  /// instead. Multiples of 1/256, so that sums do not depend on their order.
  std::vector<ArcPrice> prices_in_words(const Sentence& gold, std::span<const int> heads) const;

 private:
  LossScale scale_;
  bool labelled_;
  std::function<Price> price_;
};

/// As make_loss; throws a usage Error for losses that are not sums over words.
std::unique_ptr<const ArcLoss> make_arc_loss(std::string_view name);

}  // namespace espalier
