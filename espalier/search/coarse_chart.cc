#include "espalier/search/coarse_chart.h"

#include <algorithm>

#include "espalier/base/stop_point.h"
#include "espalier/search/best_sum.h"

namespace espalier {
namespace {

void raise(float& to, float score) { to = to < score ? score : to; }

}  // namespace

void CoarseChart::fill(const ArcSet& arcs, const ArcMatrix& scores, float gap, bool single_root) {
  scores_ = &scores;
  single_root_ = single_root;
  words_ = arcs.words();
  stride_ = words_ + 1;
  const size_t cells = static_cast<size_t>(stride_) * static_cast<size_t>(stride_);
  for (auto* table : {&right_, &right_by_end_, &left_, &left_by_end_, &links_})
    if (table->size() < cells) table->resize(cells);
  for (auto* table : {&above_right_, &above_left_by_end_, &above_links_}) table->assign(cells, kNoArc);
  fill_inside(arcs);
  least_ = best_ - gap;
  fill_outside(arcs);
}

void CoarseChart::fill_inside(const ArcSet& arcs) {
  const ArcMatrix& scores = *scores_;
  right_[at(0, 0)] = 0;
  for (int j = 1; j <= words_; ++j) {
    stop_point();
    right_[at(j, j)] = right_by_end_[at(j, j)] = left_[at(j, j)] = left_by_end_[at(j, j)] = 0;
    for (int i = j - 1; i >= (single_root_ ? 1 : 0); --i) {
      const bool to_right = arcs.kept(i, j), to_left = arcs.kept(j, i);
      if (to_right || to_left) {
        // right(i, k) + left(k + 1, j), i <= k < j
        const float joined = best_sum(&right_[at(i, i)], &left_by_end_[at(j, i + 1)], j - i);
        if (to_right) links_[at(i, j)] = joined + scores(i, j);
        if (to_left) links_[at(j, i)] = joined + scores(j, i);
      }
      float right = kNoArc, left = kNoArc;
      for (int a = arcs.begin(i, kRightSide); a < arcs.end(i, kRightSide) && arcs.modifier(a) <= j; ++a)
        raise(right, links_[at(i, arcs.modifier(a))] + right_by_end_[at(j, arcs.modifier(a))]);
      for (int a = arcs.begin(j, kLeftSide); a < arcs.end(j, kLeftSide) && arcs.modifier(a) >= i; ++a)
        raise(left, links_[at(j, arcs.modifier(a))] + left_[at(i, arcs.modifier(a))]);
      right_[at(i, j)] = right_by_end_[at(j, i)] = right;
      left_[at(i, j)] = left_by_end_[at(j, i)] = left;
    }
  }
  best_ = right_[at(0, words_)];
  if (!single_root_) return;
  // The root has one modifier, and nothing before it.
  best_ = kNoArc;
  for (int a = arcs.begin(0, kRightSide); a < arcs.end(0, kRightSide); ++a) {
    const int r = arcs.modifier(a);
    links_[at(0, r)] = left_[at(1, r)] + scores(0, r);
    raise(best_, links_[at(0, r)] + right_[at(r, words_)]);
  }
  right_[at(0, words_)] = best_;
}

void CoarseChart::send_completion_down(const ArcSet& arcs, int i, int j, Side side) {
  const float above = above_complete(i, j, side);
  const int head = side == kRightSide ? i : j;
  for (int a = arcs.begin(head, side); a < arcs.end(head, side); ++a) {
    const int m = arcs.modifier(a);
    if (side == kRightSide ? m > j : m < i) break;
    if (!keeps_completion(i, m, j, side)) continue;
    const float outer = side == kRightSide ? right_[at(m, j)] : left_[at(i, m)];
    raise(above_links_[at(head, m)], above + outer);
    raise(side == kRightSide ? above_right_[at(m, j)] : above_left_by_end_[at(m, i)], above + links_[at(head, m)]);
  }
}

void CoarseChart::fill_outside(const ArcSet& arcs) {
  above_right_[at(0, words_)] = 0;
  if (single_root_) {
    send_completion_down(arcs, 0, words_, kRightSide);
    for (int a = arcs.begin(0, kRightSide); a < arcs.end(0, kRightSide); ++a)
      if (const int r = arcs.modifier(a); keeps_link(0, r, kRightSide))
        raise(above_left_by_end_[at(r, 1)], above_links_[at(0, r)] + (*scores_)(0, r));
  }
  const int first = single_root_ ? 1 : 0;
  for (int length = words_ - first; length >= 1; --length)
    for (int i = first, j = i + length; j <= words_; ++i, ++j) {
      for (const Side side : {kRightSide, kLeftSide})
        if ((i > 0 || side == kRightSide) && keeps_complete(i, j, side)) send_completion_down(arcs, i, j, side);
      float above = kNoArc;
      for (const Side side : {kRightSide, kLeftSide})
        if (above_link(i, j, side) != kNoArc && keeps_link(i, j, side))
          raise(above, above_link(i, j, side) + score(i, j, side));
      if (above == kNoArc) continue;
      const float *right = &right_[at(i, i)], *left = &left_by_end_[at(j, i + 1)];
      float *above_right = &above_right_[at(i, i)], *above_left = &above_left_by_end_[at(j, i + 1)];
      for (int k = 0; k < length; ++k) {
        raise(above_right[k], above + left[k]);
        raise(above_left[k], above + right[k]);
      }
    }
}

}  // namespace espalier
