// Random numbers that are the same on every platform. One named generator per purpose (shuffling, coin flips,
// sampling), so that drawing more numbers for one purpose does not change another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "espalier/base/hash.h"

namespace espalier {

class Rng {
 public:
  Rng(uint64_t seed, std::string_view purpose) : state_(mix(seed + 0x9e3779b97f4a7c15u) ^ hash_string(purpose)) {}

  uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }

  /// Uniform in 0..n-1, 0 < n < 2^32 (multiply-shift; the bias is below n / 2^32).
  size_t below(size_t n) { return static_cast<size_t>(((next() >> 32) * n) >> 32); }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  template <class Container>
  void shuffle(Container& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  uint64_t state() const { return state_; }
  void set_state(uint64_t state) { state_ = state; }

 private:
  uint64_t state_;
};

}  // namespace espalier
