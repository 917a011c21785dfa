#include "espalier/space/arc_set.h"

namespace espalier {

void ArcSet::number() {
  head_.clear();
  modifier_.clear();
  rank_.clear();
  begin_.assign(1, 0);
  incoming_begin_.assign(static_cast<size_t>(words_) + 2, 0);
  for (int h = 0; h <= words_; ++h)
    for (const Side side : {kLeftSide, kRightSide}) {
      const int step = side == kLeftSide ? -1 : 1;
      for (int m = h + step; m >= 1 && m <= words_; m += step) {
        if (!kept(h, m)) continue;
        kept_[cell(h, m)] = size();
        rank_.push_back(size() - begin_.back());
        head_.push_back(h);
        modifier_.push_back(m);
        ++incoming_begin_[m + 1];
      }
      begin_.push_back(size());
    }
  for (int m = 0; m <= words_; ++m) incoming_begin_[m + 1] += incoming_begin_[m];
  incoming_.resize(head_.size());
  incoming_rank_.resize(head_.size());
  std::vector<int>& next = scratch_;
  next.assign(incoming_begin_.begin(), incoming_begin_.end());
  for (int arc = 0; arc < size(); ++arc) {  // arcs are in the order of their heads
    const auto m = static_cast<size_t>(modifier(arc));
    incoming_rank_[arc] = next[m] - incoming_begin_[m];
    incoming_[next[m]++] = arc;
  }
}

}  // namespace espalier
