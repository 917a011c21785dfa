// Maps feature keys to row numbers in training: a growing hash table with buckets of one cache line, searched without a
// branch. Unknown features get row 0, which is all zeros, so that callers need not test for them. Tested by
// linear_test.cc; measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/large_pages.h"

namespace espalier {

struct alignas(64) FeatureBucket {
  uint32_t fingerprint[8] = {};  ///< upper halves of keys; an empty slot has row 0, as an unknown key does
  uint32_t row[8] = {};
};

class FeatureIndex {
 public:
  /// `buckets` is a power of two.
  explicit FeatureIndex(size_t buckets = 1024) : buckets_(buckets) {}

  size_t bucket_count() const { return buckets_.size(); }
  /// Prefetches the buckets of these keys.
  void prefetch(std::span<const uint64_t> keys) const {
    for (const uint64_t key : keys) __builtin_prefetch(&buckets_[key & (buckets_.size() - 1)]);
  }
  /// Writes the row of keys[i] to rows[i].
  void find(std::span<const uint64_t> keys, uint32_t* rows) const;
  uint32_t find(uint64_t key) const;

  /// False if the key's bucket is full. The key is then left out; at this load too few are for accuracy to change.
  bool insert(uint64_t key, uint32_t row);
  size_t size() const { return size_; }
  /// Whether the table should be doubled. Below this load less than one key in a thousand finds a full bucket.
  bool crowded() const { return size_ > buckets_.size() * 4; }

 private:
  std::vector<FeatureBucket, LargePageAllocator<FeatureBucket>> buckets_;
  size_t size_ = 0;
};

}  // namespace espalier
