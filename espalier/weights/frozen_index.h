// Maps feature keys to rows of a trained model. Twelve features share a bucket of half a cache line: 16-bit
// fingerprints, the number of the first row, and a scale per row; the rows of a bucket are consecutive. That is under
// five bytes per feature, so that the index of a large model stays in the near caches. Unknown features get row 0,
// which is all zeros, without a branch; one in some thousand gets a wrong row instead, as in any hashed model. Tested
// by linear_test.cc; measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

/// A row's number and, in the upper bits, the power of two that scales its weights: a few rows have large weights, most
/// have small ones, and both need precision.
using ScaledRow = uint32_t;
constexpr int kRowBits = 28;
constexpr uint32_t kRowMask = (1u << kRowBits) - 1;

struct alignas(32) RowBucket {
  static constexpr int kSlots = 12;
  uint16_t fingerprint[kSlots] = {};  ///< 0 = empty
  uint32_t first_row = 0;
  uint32_t shifts = 0;  ///< two bits per slot; a shift counts double
};
static_assert(sizeof(RowBucket) == 32);

/// Writes the row of keys[i] to rows[i].
using FindRows = void (*)(std::span<const RowBucket> buckets, std::span<const uint64_t> keys, ScaledRow* rows);
void find_rows_portable(std::span<const RowBucket> buckets, std::span<const uint64_t> keys, ScaledRow* rows);
/// The fastest version that this CPU can run.
FindRows find_rows();

/// False if an entry points past `rows` rows; loaders must check this.
bool index_fits(std::span<const RowBucket> buckets, size_t rows);

inline size_t bucket_of(uint64_t key, size_t buckets) { return (key >> 32) * buckets >> 32; }
inline uint16_t fingerprint_of(uint64_t key) {
  const auto low = static_cast<uint16_t>(key);
  return low == 0 ? uint16_t{1} : low;
}

/// A key with this bucket and fingerprint; an index stores nothing else of its keys.
inline uint64_t key_in(size_t bucket, size_t buckets, uint16_t fingerprint) {
  const uint64_t high = ((static_cast<uint64_t>(bucket) << 32) + buckets - 1) / buckets;
  return high << 32 | fingerprint;
}

/// Drops this share of the rows of a large model, and more until at most `most` are left (0 = any number; those that
/// weigh as much as the last one stay, too): those whose largest weight is smallest. The others keep their order.
void drop_lightest(double share, size_t most, std::vector<uint32_t>& rows, std::vector<float>& largest);

/// Puts keys into buckets (most important first; those that do not fit are left out) and numbers their rows.
class FrozenIndexBuilder {
 public:
  explicit FrozenIndexBuilder(size_t keys);
  /// With this number of buckets. In as many as another index has, keys made from it by key_in keep their buckets.
  static FrozenIndexBuilder with_buckets(size_t buckets);
  /// False if the key's bucket is full, or holds its fingerprint already. `shift` is 0, 2, 4 or 6.
  bool insert(uint64_t key, int shift, uint32_t source);
  /// Numbers the rows; sources[row] is the `source` of the weights that belong into that row (row 0 has none).
  std::vector<RowBucket> finish(std::vector<uint32_t>& sources);

 private:
  std::vector<RowBucket> buckets_;
  std::vector<uint32_t> sources_;  // kSlots per bucket
};

}  // namespace espalier
