// Feature keys to row numbers: a hash table whose every bucket is one cache line, searched without a branch.
// A feature that is not there gets row 0, which is all zeros: no caller ever asks whether it was found.
// Tested by linear_test.cc; measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

struct alignas(64) FeatureBucket {
  uint32_t fingerprint[8] = {};  ///< a key's upper half; an empty slot leads to row 0, like every miss
  uint32_t row[8] = {};
};

/// Fills rows[i] for keys[i]. `buckets` must hold a power of two of them.
void find_rows(std::span<const FeatureBucket> buckets, std::span<const uint64_t> keys, uint32_t* rows);

class FeatureIndex {
 public:
  explicit FeatureIndex(size_t buckets = 1024) : buckets_(buckets) {}

  std::span<const FeatureBucket> buckets() const { return buckets_; }
  void find(std::span<const uint64_t> keys, uint32_t* rows) const { find_rows(buckets_, keys, rows); }
  uint32_t find(uint64_t key) const;

  /// False if the key's bucket is full: the key is then left out, which costs nothing measurable at this load.
  bool insert(uint64_t key, uint32_t row);
  size_t size() const { return size_; }
  /// Time to double? Buckets overflow for less than one key in a thousand below this load.
  bool crowded() const { return size_ > buckets_.size() * 4; }

 private:
  std::vector<FeatureBucket> buckets_;
  size_t size_ = 0;
};

}  // namespace espalier
