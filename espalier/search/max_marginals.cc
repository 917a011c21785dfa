#include "espalier/search/max_marginals.h"

#include "espalier/base/stop_point.h"

namespace espalier {

inline float MaxMarginals::inside(Kind kind, int i, int j) const {
  switch (kind) {
    case kRight:
      return chart_.complete_right(i, j);
    case kLeft:
      return chart_.complete_left(i, j);
    case kLinkRight:
      return chart_.incomplete_right(i, j);
    default:
      return chart_.incomplete_left(i, j);
  }
}

inline void MaxMarginals::raise(Kind kind, int i, int j, float score, const Outside& from) {
  Outside& item = out(kind, i, j);
  if (item.score < score) {
    item = from;
    item.score = score;
  }
}

float MaxMarginals::compute(const ArcMatrix& scores, ArcMatrix& marginals) {
  scores_ = &scores;
  const float best = chart_.fill(scores, /*single_root=*/true);
  const int n = words_ = scores.words();
  stride_ = static_cast<size_t>(n) + 1;
  outside_.assign(kKinds * stride_ * stride_, {});
  marginals.reset(n);
  for (int r = 1; r <= n; ++r) {
    const float arc = scores(0, r), left = inside(kLeft, 1, r), right = inside(kRight, r, n);
    marginals(0, r) = left + arc + right;
    raise(kLeft, 1, r, arc + right, {.parent = kKinds, .i = r, .sibling = kRight, .sibling_i = r, .sibling_j = n});
    raise(kRight, r, n, arc + left, {.parent = kKinds, .i = r, .sibling = kLeft, .sibling_i = 1, .sibling_j = r});
  }
  for (int length = n - 1; length >= 1; --length) {
    stop_point();
    for (int i = 1, j = i + length; j <= n; ++i, ++j) {
      if (const float above = out(kRight, i, j).score; above != kNoArc)
        for (int k = i + 1; k <= j; ++k) {
          raise(kLinkRight, i, k, above + inside(kRight, k, j), {0, kRight, i, j, kRight, k, j});
          raise(kRight, k, j, above + inside(kLinkRight, i, k), {0, kRight, i, j, kLinkRight, i, k});
        }
      if (const float above = out(kLeft, i, j).score; above != kNoArc)
        for (int k = i; k < j; ++k) {
          raise(kLinkLeft, k, j, above + inside(kLeft, i, k), {0, kLeft, i, j, kLeft, i, k});
          raise(kLeft, i, k, above + inside(kLinkLeft, k, j), {0, kLeft, i, j, kLinkLeft, k, j});
        }
      const float over_right = out(kLinkRight, i, j).score + scores(i, j);
      const float over_left = out(kLinkLeft, i, j).score + scores(j, i);
      const Kind kind = over_right >= over_left ? kLinkRight : kLinkLeft;
      const float above = over_right >= over_left ? over_right : over_left;
      if (above != kNoArc)
        for (int k = i; k < j; ++k) {
          raise(kRight, i, k, above + inside(kLeft, k + 1, j), {0, kind, i, j, kLeft, k + 1, j});
          raise(kLeft, k + 1, j, above + inside(kRight, i, k), {0, kind, i, j, kRight, i, k});
        }
      marginals(i, j) = inside(kLinkRight, i, j) + out(kLinkRight, i, j).score;
      marginals(j, i) = inside(kLinkLeft, i, j) + out(kLinkLeft, i, j).score;
    }
  }
  return best;
}

void MaxMarginals::best_join(int i, int j, int& split) const {
  for (split = i; split < j - 1; ++split)
    if (inside(kRight, i, split) + inside(kLeft, split + 1, j) == chart_.joined(i, j)) return;
}

void MaxMarginals::send_down(Kind kind, int i, int j, double units) {
  inside_units_[(static_cast<size_t>(kind) * stride_ + static_cast<size_t>(i)) * stride_ + static_cast<size_t>(j)] +=
      units;
}

int MaxMarginals::count_arcs(ArcMatrix& counts) {
  const int n = words_;
  const auto at = [&](Kind kind, int i, int j) {
    return (static_cast<size_t>(kind) * stride_ + static_cast<size_t>(i)) * stride_ + static_cast<size_t>(j);
  };
  outside_units_.assign(outside_.size(), 0);
  inside_units_.assign(outside_.size(), 0);
  root_units_.assign(stride_, 0);
  int trees = 0;
  // Counts by flow: every arc that occurs in a tree puts one unit into its item, which flows outwards.
  for (int length = 1; length < n; ++length)
    for (int i = 1, j = i + length; j <= n; ++i, ++j)
      for (const Kind kind : {kLinkRight, kLinkLeft})
        if (inside(kind, i, j) + out(kind, i, j).score != kNoArc) {
          ++trees;
          inside_units_[at(kind, i, j)] += 1;
          outside_units_[at(kind, i, j)] += 1;
        }
  for (int r = 1; r <= n; ++r)
    if (inside(kLeft, 1, r) + (*scores_)(0, r) + inside(kRight, r, n) != kNoArc) {
      ++trees;
      root_units_[r] += 1;
      send_down(kLeft, 1, r, 1);
      send_down(kRight, r, n, 1);
    }
  const auto passed = [&](Kind kind, int i, int j) -> double& { return outside_units_[at(kind, i, j)]; };
  // Outwards, small spans first: the flow goes on to the parent item, and the sibling item gets as many inside units.
  // Links come before complete items of the same span, since a complete item may consist of one.
  for (int length = 0; length < n; ++length)
    for (int i = 1, j = i + length; j <= n; ++i, ++j)
      for (const Kind kind : {kLinkRight, kLinkLeft, kRight, kLeft}) {
        const double units = passed(kind, i, j);
        if (units == 0) continue;
        const Outside& item = out(kind, i, j);
        if (item.parent == kKinds) {
          root_units_[item.i] += units;
        } else {
          passed(item.parent, item.i, item.j) += units;
        }
        send_down(item.sibling, item.sibling_i, item.sibling_j, units);
      }
  counts.reset(n);
  for (int h = 0; h <= n; ++h)
    for (int m = 1; m <= n; ++m) counts(h, m) = 0;
  for (int r = 1; r <= n; ++r) counts(0, r) += static_cast<float>(root_units_[r]);
  // Downwards, large spans first, complete items before links of the same span.
  for (int length = n - 1; length >= 1; --length) {
    stop_point();
    for (int i = 1, j = i + length; j <= n; ++i, ++j) {
      if (const double units = inside_units_[at(kRight, i, j)]; units > 0) {
        int k = i + 1;
        while (k < j && inside(kLinkRight, i, k) + inside(kRight, k, j) != inside(kRight, i, j)) ++k;
        send_down(kLinkRight, i, k, units);
        send_down(kRight, k, j, units);
      }
      if (const double units = inside_units_[at(kLeft, i, j)]; units > 0) {
        int k = i;
        while (k + 1 < j && inside(kLeft, i, k) + inside(kLinkLeft, k, j) != inside(kLeft, i, j)) ++k;
        send_down(kLeft, i, k, units);
        send_down(kLinkLeft, k, j, units);
      }
      for (const Kind kind : {kLinkRight, kLinkLeft}) {
        const double down = inside_units_[at(kind, i, j)];
        // The item's own units and those from above go down to its parts. Units that flowed outwards through the item
        // came from one of its parts, whose sibling has received them already.
        const double own = inside(kind, i, j) + out(kind, i, j).score != kNoArc ? 1 : 0;
        const double through = passed(kind, i, j) - own;
        if (down > 0) {
          int split;
          best_join(i, j, split);
          send_down(kRight, i, split, down);
          send_down(kLeft, split + 1, j, down);
        }
        const float total = static_cast<float>(down + through);
        (kind == kLinkRight ? counts(i, j) : counts(j, i)) += total;
      }
    }
  }
  return trees;
}

}  // namespace espalier
