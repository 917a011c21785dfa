#include "espalier/rank/rank_weights.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

constexpr double kLoad = 11.5;  // features per bucket of sixteen

uint16_t fingerprint_of(uint64_t key) { return static_cast<uint16_t>(std::max<uint64_t>(key & 0xffff, 1)); }
size_t place_of(uint64_t key, size_t buckets) { return static_cast<size_t>((key >> 32) * buckets >> 32); }

}  // namespace

RankWeights::RankWeights(std::vector<std::pair<uint64_t, float>> weights, size_t most) {
  // Ties by key: the table must not depend on the order in which features were met.
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
  constexpr size_t kAhead = 32;  // look-ups on their way: they go far into memory
  const size_t count = buckets_.size();
  for (size_t i = 0; i < std::min(kAhead, keys.size()); ++i) __builtin_prefetch(&buckets_[place_of(keys[i], count)]);
  size_t i = 0;
  for (const size_t end : ends) {
    int64_t sum = 0;
    for (; i < end; ++i) {
      __builtin_prefetch(&buckets_[place_of(keys[std::min(i + kAhead, keys.size() - 1)], count)]);
      const Bucket& bucket = buckets_[place_of(keys[i], count)];
      const uint16_t wanted = fingerprint_of(keys[i]);
      // A fingerprint is in a bucket at most once, so that OR selects its weight.
      uint16_t found = 0;
      for (int k = 0; k < kSlots; ++k)
        found = static_cast<uint16_t>(found | (bucket.fingerprint[k] == wanted ? bucket.weight[k] : 0));
      sum += static_cast<int16_t>(found);
    }
    *sums++ = sum;
  }
}

std::string RankWeights::problem() const {
  if (buckets_.empty()) return "the ranker has no weights";
  return std::isfinite(scale_) && scale_ > 0 ? "" : "the ranker's scale is not a positive number";
}

}  // namespace espalier
