// The difference of two structures' features, each once: what an online learner moves the weights by. Entries keep the
// order in which they were first seen, so that runs are reproducible. Tested by parser/graph/graph_parser_test.cc.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "espalier/base/hash.h"

namespace espalier {

class SparseDelta {
 public:
  struct Entry {
    uint64_t key;
    uint32_t column;
    bool of_arc;
    float value;
  };

  void clear() {
    entries_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
  }
  void add(bool of_arc, uint64_t key, uint32_t column, float value) {
    if (2 * entries_.size() >= slots_.size()) grow();
    for (size_t at = place(of_arc, key, column);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == 0) {
        entries_.push_back({key, column, of_arc, value});
        slots_[at] = static_cast<uint32_t>(entries_.size());
        return;
      }
      Entry& entry = entries_[slots_[at] - 1];
      if (entry.key == key && entry.column == column && entry.of_arc == of_arc) {
        entry.value += value;
        return;
      }
    }
  }
  /// Entries that cancelled out have value 0.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  size_t place(bool of_arc, uint64_t key, uint32_t column) const {
    return mix(key + column * 0x9E3779B97F4A7C15u + of_arc) & (slots_.size() - 1);
  }
  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (size_t i = 0; i < entries_.size(); ++i) {
      size_t at = place(entries_[i].of_arc, entries_[i].key, entries_[i].column);
      while (slots_[at]) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<uint32_t>(i + 1);
    }
  }
  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(4096, 0);
};

}  // namespace espalier
