#include "espalier/search/span_chart.h"

#include <algorithm>
#include <limits>

#include "espalier/base/stop_point.h"

namespace espalier {

void SpanChart::reset(int words, int most_spans) {
  words_ = words;
  widest_ = std::min(words, std::max(kNarrow, most_spans / words));
  beyond_ = static_cast<size_t>(words) * static_cast<size_t>(widest_);
  const size_t size = beyond_ + static_cast<size_t>(words) + 1;
  score_.resize(size);
  inside_.resize(size);
  outside_.resize(size);
  split_.resize(size);
}

std::span<const SpanChart::Span> SpanChart::solve() {
  for (int j = 1; j <= words_; ++j) {
    stop_point();
    for (int i = j; i >= 1; i = next_start(i, j)) {
      const size_t here = at(i, j);
      inside_[here] = score_[here];
      if (i == j) continue;
      float best = -std::numeric_limits<float>::infinity();
      for (int k = first_split(i, j); k < j; ++k) {
        const float sum = inside_[at(i, k)] + inside_[at(k + 1, j)];
        if (sum <= best) continue;
        best = sum;
        split_[here] = k;
      }
      inside_[here] += best;
    }
  }
  spans_.clear();
  open_.assign(1, {1, words_});
  while (!open_.empty()) {
    const auto [i, j] = open_.back();
    open_.pop_back();
    spans_.emplace_back(i, j);
    if (i == j) continue;
    const int k = split_[at(i, j)];
    open_.emplace_back(k + 1, j);
    open_.emplace_back(i, k);
  }
  return spans_;
}

void SpanChart::compare(float gap) {
  std::ranges::fill(outside_, -std::numeric_limits<float>::infinity());
  outside_[at(1, words_)] = 0;
  // Every span comes after those that it is part of.
  for (int j = words_; j >= 1; --j) {
    stop_point();
    for (int i = 1; i < j; i = i == 1 ? std::max(2, j - widest_ + 1) : i + 1) {
      const size_t here = at(i, j);
      if (inside_[here] + outside_[here] < best() - gap) continue;
      const float above = outside_[here] + score_[here];
      for (int k = first_split(i, j); k < j; ++k) {
        const size_t left = at(i, k), right = at(k + 1, j);
        outside_[left] = std::max(outside_[left], above + inside_[right]);
        outside_[right] = std::max(outside_[right], above + inside_[left]);
      }
    }
  }
}

}  // namespace espalier
