#include "espalier/weights/feature_index.h"

namespace espalier {
namespace {

// At most one slot of a bucket has a given fingerprint, so OR-ing the masked rows selects it without a branch; the
// loop over eight slots is vectorised on every target.
inline uint32_t match(const FeatureBucket& bucket, uint32_t fingerprint) {
  uint32_t row = 0;
  for (int i = 0; i < 8; ++i) row |= bucket.fingerprint[i] == fingerprint ? bucket.row[i] : 0;
  return row;
}

inline uint32_t upper_half(uint64_t key) { return static_cast<uint32_t>(key >> 32); }

}  // namespace

void FeatureIndex::find(std::span<const uint64_t> keys, uint32_t* rows) const {
  const FeatureBucket* table = buckets_.data();
  const uint64_t mask = buckets_.size() - 1;
  prefetch(keys);
  for (size_t i = 0; i < keys.size(); ++i) rows[i] = match(table[keys[i] & mask], upper_half(keys[i]));
}

uint32_t FeatureIndex::find(uint64_t key) const {
  return match(buckets_[key & (buckets_.size() - 1)], upper_half(key));
}

bool FeatureIndex::insert(uint64_t key, uint32_t row) {
  FeatureBucket& bucket = buckets_[key & (buckets_.size() - 1)];
  for (int i = 0; i < 8; ++i) {
    if (bucket.row[i] != 0) continue;
    bucket.fingerprint[i] = upper_half(key);
    bucket.row[i] = row;
    ++size_;
    return true;
  }
  return false;
}

}  // namespace espalier
