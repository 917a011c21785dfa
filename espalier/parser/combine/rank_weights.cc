#include "espalier/parser/combine/rank_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#if defined(__x86_64__)
#include <immintrin.h>

#include "espalier/base/cpu.h"
#endif

namespace espalier {
namespace {

constexpr double kLoad = 11.5;  // features per bucket of sixteen

uint16_t fingerprint_of(uint64_t key) { return static_cast<uint16_t>(std::max<uint64_t>(key & 0xffff, 1)); }
size_t place_of(uint64_t key, size_t buckets) { return static_cast<size_t>((key >> 32) * buckets >> 32); }

constexpr size_t kAhead = 32;  // look-ups prefetched ahead

void sum_portable(std::span<const RankWeights::Bucket> buckets, std::span<const uint64_t> keys,
                  std::span<const size_t> ends, int64_t* sums) {
  size_t i = 0;
  for (const size_t end : ends) {
    int64_t sum = 0;
    for (; i < end; ++i) {
      __builtin_prefetch(&buckets[place_of(keys[std::min(i + kAhead, keys.size() - 1)], buckets.size())]);
      const RankWeights::Bucket& bucket = buckets[place_of(keys[i], buckets.size())];
      const uint16_t wanted = fingerprint_of(keys[i]);
      for (int k = 0; k < RankWeights::kSlots; ++k) sum += bucket.fingerprint[k] == wanted ? bucket.weight[k] : 0;
    }
    *sums++ = sum;
  }
}

#if defined(__x86_64__)
/// The same: all slots of a bucket at once, added up across the buckets of a group before they are added to each other.
__attribute__((target("avx2"))) void sum_avx2(std::span<const RankWeights::Bucket> buckets,
                                              std::span<const uint64_t> keys, std::span<const size_t> ends,
                                              int64_t* sums) {
  const __m256i one = _mm256_set1_epi16(1);
  size_t i = 0;
  for (const size_t end : ends) {
    __m256i total = _mm256_setzero_si256();
    for (; i < end; ++i) {
      __builtin_prefetch(&buckets[place_of(keys[std::min(i + kAhead, keys.size() - 1)], buckets.size())]);
      const RankWeights::Bucket& bucket = buckets[place_of(keys[i], buckets.size())];
      const __m256i fingerprints = _mm256_load_si256(reinterpret_cast<const __m256i*>(bucket.fingerprint));
      const __m256i weights = _mm256_load_si256(reinterpret_cast<const __m256i*>(bucket.weight));
      const __m256i same =
          _mm256_cmpeq_epi16(fingerprints, _mm256_set1_epi16(static_cast<short>(fingerprint_of(keys[i]))));
      total = _mm256_add_epi32(total, _mm256_madd_epi16(_mm256_and_si256(same, weights), one));
    }
    alignas(32) int32_t lanes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), total);
    *sums++ = std::accumulate(std::begin(lanes), std::end(lanes), int64_t{0});
  }
}
#endif

}  // namespace

RankWeights::RankWeights(std::vector<std::pair<uint64_t, float>> weights, size_t most) {
  // Ties by key, so that the table does not depend on the order of features.
  std::ranges::sort(weights, [](const auto& a, const auto& b) {
    return std::pair(-std::abs(a.second), a.first) < std::pair(-std::abs(b.second), b.first);
  });
  weights.resize(std::min(weights.size(), most));
  owned_.resize(static_cast<size_t>(static_cast<double>(weights.size()) / kLoad) + 1);
  buckets_ = owned_;
  constexpr double kLargest = 32767;
  if (!weights.empty() && weights.front().second != 0) scale_ = std::abs(weights.front().second) / kLargest;
  for (const auto& [key, weight] : weights) {
    const auto rounded = static_cast<int16_t>(std::lround(weight / scale_));
    if (rounded == 0) continue;
    Bucket& bucket = owned_[place_of(key, owned_.size())];
    const uint16_t wanted = fingerprint_of(key);
    for (int i = 0; i < kSlots && bucket.fingerprint[i] != wanted; ++i) {
      if (bucket.fingerprint[i] != 0) continue;
      bucket.fingerprint[i] = wanted;
      bucket.weight[i] = rounded;
      break;
    }
  }
}

void RankWeights::sum(std::span<const uint64_t> keys, std::span<const size_t> ends, int64_t* sums) const {
#if defined(__x86_64__)
  if (cpu_has_avx2()) return sum_avx2(buckets_, keys, ends, sums);
#endif
  sum_portable(buckets_, keys, ends, sums);
}

std::string RankWeights::problem() const {
  if (buckets_.empty()) return "the ranker has no weights";
  return std::isfinite(scale_) && scale_ > 0 ? "" : "the ranker's scale is not a positive number";
}

}  // namespace espalier
