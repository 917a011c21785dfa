// Feature keys to row numbers, in training: a hash table that grows whose every bucket is one cache line, searched
// without a branch. A feature that is not there gets row 0, which is all zeros: no caller ever asks whether it was
// found. Tested by linear_test.cc; measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/large_pages.h"

namespace espalier {

struct alignas(64) FeatureBucket {
  uint32_t fingerprint[8] = {};  ///< a key's upper half; an empty slot leads to row 0, like every miss
  uint32_t row[8] = {};
};

class FeatureIndex {
 public:
  /// `buckets` is a power of two.
  explicit FeatureIndex(size_t buckets = 1024) : buckets_(buckets) {}

  size_t bucket_count() const { return buckets_.size(); }
  /// Says that these keys will be looked for.
  void prefetch(std::span<const uint64_t> keys) const {
    for (const uint64_t key : keys) __builtin_prefetch(&buckets_[key & (buckets_.size() - 1)]);
  }
  /// Fills rows[i] for keys[i].
  void find(std::span<const uint64_t> keys, uint32_t* rows) const;
  uint32_t find(uint64_t key) const;

  /// False if the key's bucket is full: the key is then left out, which costs nothing measurable at this load.
  bool insert(uint64_t key, uint32_t row);
  size_t size() const { return size_; }
  /// Time to double? Buckets overflow for less than one key in a thousand below this load.
  bool crowded() const { return size_ > buckets_.size() * 4; }

 private:
  std::vector<FeatureBucket, LargePageAllocator<FeatureBucket>> buckets_;
  size_t size_ = 0;
};

}  // namespace espalier
