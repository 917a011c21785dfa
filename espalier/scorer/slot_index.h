// From 64-bit feature keys to small payloads (row numbers), without storing keys: buckets of four 32-bit slots, each a
// fingerprint and a payload. A look-up reads one line and never branches; a feature that is not there gives payload 0.
// Two keys are confused only if bucket and fingerprint agree. Tested by feature_tables_test.cc.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace espalier {

/// A view on slots; `kPayloadBits` low bits of each are the payload, the rest is the fingerprint. Empty slots are 0.
template <int kPayloadBits>
class SlotIndex {
 public:
  static constexpr uint32_t kMaxPayload = (uint32_t{1} << kPayloadBits) - 1;

  SlotIndex() = default;
  /// The number of slots must be a power of two, 4 or more.
  explicit SlotIndex(std::span<const uint32_t> slots)
      : slots_(slots.data()), shift_(64 - std::countr_zero(slots.size() / 4)) {}

  void prefetch(uint64_t key) const { __builtin_prefetch(bucket(key)); }

  uint32_t find(uint64_t key) const {
    const uint32_t* at = bucket(key);
    const uint32_t print = fingerprint(key);
    uint32_t found = 0;
    for (int i = 0; i < 4; ++i) {
      const uint32_t rest = at[i] ^ print;  // at most one slot of a bucket has the fingerprint
      found |= rest <= kMaxPayload ? rest : 0;
    }
    return found;
  }

  /// Puts a key that `find` does not know; false if its bucket is full. `slots` are the viewed ones.
  bool insert(std::span<uint32_t> slots, uint64_t key, uint32_t payload) const {
    uint32_t* at = slots.data() + (bucket(key) - slots_);
    for (int i = 0; i < 4; ++i)
      if (at[i] == 0) {
        at[i] = fingerprint(key) | payload;
        return true;
      }
    return false;
  }

 private:
  // The highest bits choose the bucket, bits in the middle are the fingerprint; the lowest are left for columns.
  const uint32_t* bucket(uint64_t key) const { return slots_ + 4 * (shift_ == 64 ? 0 : key >> shift_); }
  static uint32_t fingerprint(uint64_t key) { return static_cast<uint32_t>(key >> 8) << kPayloadBits; }

  const uint32_t* slots_ = nullptr;
  int shift_ = 64;
};

}  // namespace espalier
