// The difference of two derivations' feature vectors: what an update adds. Features that both have cancel before they
// touch a weight. A feature counts once for every factor of its action (space/action_factors.h), so that rare labels
// share what is known about the move.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/space/action_factors.h"
#include "espalier/weights/linear.h"

namespace espalier {

class FeatureDelta {
 public:
  void clear() {
    ++stamp_;
    used_.clear();
  }
  /// Adds `sign` for every feature with every factor.
  void add(std::span<const uint64_t> keys, std::span<const int> factors, float sign) {
    for (const uint64_t key : keys)
      for (const int factor : factors) bump(key, factor, sign);
  }
  double squared_norm() const {
    double sum = 0;
    for (const uint32_t slot : used_) sum += static_cast<double>(slots_[slot].value) * slots_[slot].value;
    return sum;
  }
  /// weights += step × difference.
  void apply(OnlineLinear& weights, const ActionFactors& factors, float step) {
    for (const uint32_t slot : used_) {
      const Slot& s = slots_[slot];
      if (s.value == 0) continue;
      uint32_t row;
      weights.locate({&s.key, 1}, &row);
      if (row == 0) continue;
      const auto [begin, end] = factors.columns_of(s.factor);
      weights.adjust(row, begin, end, step * s.value);
      if (s.factor < factors.columns()) weights.touch(row);
    }
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t stamp = 0;
    int32_t factor = 0;
    float value = 0;
  };

  void bump(uint64_t key, int factor, float sign) {
    if (2 * (used_.size() + 1) > slots_.size()) grow();
    size_t i = place(key, factor);
    while (slots_[i].stamp == stamp_ && (slots_[i].key != key || slots_[i].factor != factor))
      i = (i + 1) & (slots_.size() - 1);
    if (slots_[i].stamp != stamp_) {
      slots_[i] = {key, stamp_, factor, 0};
      used_.push_back(static_cast<uint32_t>(i));
    }
    slots_[i].value += sign;
  }
  size_t place(uint64_t key, int factor) const {
    return (key ^ (static_cast<uint64_t>(factor) * 0x9e3779b97f4a7c15u >> 20)) & (slots_.size() - 1);
  }
  void grow() {
    std::vector<Slot> old;
    for (const uint32_t slot : used_) old.push_back(slots_[slot]);
    slots_.assign(std::max<size_t>(2 * slots_.size(), 1 << 14), Slot{});
    used_.clear();
    ++stamp_;
    for (const Slot& s : old) bump(s.key, s.factor, s.value);
  }

  std::vector<Slot> slots_;
  std::vector<uint32_t> used_;  // in the order of first use: updates do not depend on the table's size
  uint32_t stamp_ = 0;
};

}  // namespace espalier
