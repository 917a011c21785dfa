#include "espalier/search/eisner.h"

#include "espalier/base/stop_point.h"
#include "espalier/search/best_sum.h"

namespace espalier {
namespace {

/// The smallest k < count with a[k] + b[k] == target. If scores are not finite there may be none: then the last k, so
/// that the result is always inside the chart.
int find_sum(const float* a, const float* b, int count, float target) {
  int k = 0;
  while (k + 1 < count && a[k] + b[k] != target) ++k;
  return k;
}

}  // namespace

float EisnerChart::fill(const ArcMatrix& scores, bool single_root) {
  scores_ = &scores;
  words_ = scores.words();
  stride_ = words_ + 1;
  single_root_ = single_root;
  if (words_ == 0) return 0;
  const size_t cells = static_cast<size_t>(stride_) * static_cast<size_t>(stride_);
  for (auto* table : {&right_, &right_by_end_, &left_, &left_by_end_, &link_right_, &link_left_by_end_, &joined_})
    if (table->size() < cells) table->resize(cells);

  const int first = single_root ? 1 : 0;
  for (int j = first; j <= words_; ++j) {
    stop_point();
    right_[at(j, j)] = right_by_end_[at(j, j)] = left_[at(j, j)] = left_by_end_[at(j, j)] = 0;
    for (int i = j - 1; i >= first; --i) {
      const int length = j - i;
      // right(i, k) + left(k + 1, j), i <= k < j
      const float join = best_sum(&right_[at(i, i)], &left_by_end_[at(j, i + 1)], length);
      joined_[at(i, j)] = join;
      link_right_[at(i, j)] = join + scores(i, j);
      link_left_by_end_[at(j, i)] = i == 0 ? kNoArc : join + scores(j, i);
      // link_right(i, k) + right(k, j), i < k <= j
      const float right = best_sum(&link_right_[at(i, i + 1)], &right_by_end_[at(j, i + 1)], length);
      right_[at(i, j)] = right_by_end_[at(j, i)] = right;
      // left(i, k) + link_left(k, j), i <= k < j
      const float left = i == 0 ? kNoArc : best_sum(&left_[at(i, i)], &link_left_by_end_[at(j, i)], length);
      left_[at(i, j)] = left_by_end_[at(j, i)] = left;
    }
  }
  if (!single_root) return right_[at(0, words_)];
  float best = kNoArc;
  for (int r = 1; r <= words_; ++r) {
    const float total = left_[at(1, r)] + scores(0, r) + right_[at(r, words_)];
    best = best < total ? total : best;
  }
  return best;
}

void EisnerChart::best_heads(std::span<int> heads) const {
  if (words_ == 0) return;
  if (!single_root_) return walk_right(0, words_, heads);
  int root = 1;
  float best = kNoArc;
  for (int r = 1; r <= words_; ++r) {
    const float total = left_[at(1, r)] + (*scores_)(0, r) + right_[at(r, words_)];
    if (best < total) best = total, root = r;
  }
  heads[root] = 0;
  walk_left(1, root, heads);
  walk_right(root, words_, heads);
}

void EisnerChart::walk_right(int i, int j, std::span<int> heads) const {
  if (i == j) return;
  const int k = i + 1 + find_sum(&link_right_[at(i, i + 1)], &right_by_end_[at(j, i + 1)], j - i, right_[at(i, j)]);
  heads[k] = i;
  walk_joined(i, k, heads);
  walk_right(k, j, heads);
}

void EisnerChart::walk_left(int i, int j, std::span<int> heads) const {
  if (i == j) return;
  const int k = i + find_sum(&left_[at(i, i)], &link_left_by_end_[at(j, i)], j - i, left_[at(i, j)]);
  heads[k] = j;
  walk_left(i, k, heads);
  walk_joined(k, j, heads);
}

void EisnerChart::walk_joined(int i, int j, std::span<int> heads) const {
  const int k = i + find_sum(&right_[at(i, i)], &left_by_end_[at(j, i + 1)], j - i, joined_[at(i, j)]);
  walk_right(i, k, heads);
  walk_left(k + 1, j, heads);
}

}  // namespace espalier
