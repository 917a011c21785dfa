// The difference of two structures' feature vectors, which an update adds. Common features cancel before weights are
// looked up. Entries keep the order of their first occurrence, so that runs are reproducible. Tested by
// beam_update_test.cc and graph_update_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/space/action_factors.h"
#include "espalier/weights/linear.h"

namespace espalier {

class FeatureDelta {
 public:
  struct Entry {
    uint64_t key;
    uint32_t column;  ///< or, of an action, its factor
    uint32_t table;   ///< which of several weights
    float value;      ///< 0 if it was cancelled
  };

  void clear() {
    entries_.clear();
    slots_.assign(slots_.size(), 0);
  }
  void add(uint64_t key, uint32_t column, float value, uint32_t table = 0) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    size_t at = place(key, column, table);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      Entry& entry = entries_[slots_[at] - 1];
      if (entry.key != key || entry.column != column || entry.table != table) continue;
      entry.value += value;
      return;
    }
    entries_.push_back({key, column, table, value});
    slots_[at] = static_cast<uint32_t>(entries_.size());
  }
  /// Adds `sign` for every feature with every factor of its action (space/action_factors.h), so that labels share the
  /// updates of their move.
  void add(std::span<const uint64_t> keys, std::span<const int> factors, float sign) {
    for (const uint64_t key : keys)
      for (const int factor : factors) add(key, static_cast<uint32_t>(factor), sign);
  }
  std::span<const Entry> entries() const { return entries_; }

  double squared_norm() const {
    double sum = 0;
    for (const Entry& entry : entries_) sum += static_cast<double>(entry.value) * entry.value;
    return sum;
  }
  /// weights += step × difference.
  void apply(OnlineLinear& weights, const ActionFactors& factors, float step) const {
    for (const Entry& entry : entries_) {
      if (entry.value == 0) continue;
      const uint32_t row = weights.locate(entry.key);
      if (row == 0) continue;
      const auto factor = static_cast<int>(entry.column);
      const auto [begin, end] = factors.columns_of(factor);
      weights.adjust(row, begin, end, step * entry.value);
      if (factor < factors.columns()) weights.touch(row);
    }
  }

 private:
  size_t place(uint64_t key, uint32_t column, uint32_t table) const {
    return (key ^ (2 * uint64_t{column} + table) * 0x9e3779b97f4a7c15u >> 20) & (slots_.size() - 1);
  }
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (size_t i = 0; i < entries_.size(); ++i) {
      size_t at = place(entries_[i].key, entries_[i].column, entries_[i].table);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<uint32_t>(i + 1);
    }
  }

  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(4096, 0);  // number of an entry + 1
};

}  // namespace espalier
