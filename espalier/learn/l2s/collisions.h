// Measures how often hashed features share a row: exactly, on a sample of the rows. Tested by reduction_test.cc.
#pragma once

#include <tsl/robin_set.h>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "espalier/base/archive.h"

namespace espalier {

class CollisionCounter {
 public:
  /// Rows are the topmost `bits` bits of a key (weights/hashed_rows.h); one of `sampled` is watched.
  explicit CollisionCounter(int bits, uint64_t sampled = 64) : shift_(64 - bits), mask_(sampled - 1) {}

  void see(std::span<const uint64_t> keys) {
    for (const uint64_t key : keys) {
      if (((key >> shift_) & mask_) == 0) keys_.insert(key);
    }
  }
  void archive(Archive& a) {
    std::vector<uint64_t> keys(keys_.begin(), keys_.end());
    a.array(keys);
    keys_.insert(keys.begin(), keys.end());
  }
  /// Different features seen, over all rows.
  double features() const { return static_cast<double>(keys_.size()) * static_cast<double>(mask_ + 1); }
  /// The share of the features whose row is not theirs alone.
  double rate() const {
    std::unordered_map<uint64_t, size_t> owners;
    for (const uint64_t key : keys_) ++owners[key >> shift_];
    size_t shared = 0;
    for (const auto& [row, count] : owners) shared += count > 1 ? count : 0;
    return keys_.empty() ? 0 : static_cast<double>(shared) / static_cast<double>(keys_.size());
  }

 private:
  int shift_;
  uint64_t mask_;
  tsl::robin_set<uint64_t> keys_;
};

}  // namespace espalier
