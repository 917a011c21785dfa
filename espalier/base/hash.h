// 64-bit hashing: strings to atoms, atoms to feature keys. The results are part of the model format.
#pragma once

#include <xxhash.h>

#include <bit>
#include <cstdint>
#include <string_view>

namespace espalier {

inline uint64_t hash_string(std::string_view text, uint64_t seed = 0) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

/// A strong mix of one word (splitmix64's finaliser): every input bit moves every output bit.
constexpr uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Order-dependent combination of two hashes.
constexpr uint64_t combine(uint64_t a, uint64_t b) { return mix(a ^ std::rotl(b, 23)) + b; }

}  // namespace espalier
