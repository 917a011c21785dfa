#include "espalier/weights/frozen_index.h"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>

#include "espalier/base/cpu.h"
#endif

namespace espalier {
namespace {

constexpr double kLoad = 7;  // keys per bucket of twelve: about one key in two hundred does not fit

inline ScaledRow scaled_row(const RowBucket& bucket, unsigned slot) {
  const uint32_t shift = bucket.shifts >> (2 * slot) & 3;
  return (bucket.first_row + slot) | shift << (kRowBits + 1);
}

#if defined(__x86_64__)
/// As find_rows_portable. Buckets and fingerprints are computed for four keys at once, and all buckets of a chunk are
/// prefetched before the first is searched.
__attribute__((target("avx2,bmi,bmi2"))) void find_rows_avx2(std::span<const RowBucket> buckets,
                                                             std::span<const uint64_t> keys, ScaledRow* rows) {
  constexpr size_t kChunk = 64;
  alignas(32) uint64_t places[kChunk], fingerprints[kChunk];
  const auto* base = reinterpret_cast<const std::byte*>(buckets.data());
  const __m256i count = _mm256_set1_epi64x(static_cast<long long>(buckets.size()));
  const __m256i one = _mm256_set1_epi64x(1), whole_bucket = _mm256_set1_epi64x(-int{sizeof(RowBucket)});
  while (!keys.empty()) {
    const size_t size = std::min(keys.size(), kChunk);
    for (size_t i = 0; i < size; i += 4) {
      const __m256i there =
          _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(size - i)), _mm256_setr_epi64x(0, 1, 2, 3));
      const __m256i key = _mm256_maskload_epi64(reinterpret_cast<const long long*>(keys.data() + i), there);
      const __m256i scaled = _mm256_mul_epu32(_mm256_srli_epi64(key, 32), count);  // bucket_of(key) * 2^32
      const __m256i place = _mm256_and_si256(_mm256_srli_epi64(scaled, 32 - 5), whole_bucket);
      _mm256_store_si256(reinterpret_cast<__m256i*>(places + i), place);
      _mm256_store_si256(reinterpret_cast<__m256i*>(fingerprints + i), _mm256_max_epu16(key, one));
    }
    for (size_t i = 0; i < size; ++i) __builtin_prefetch(base + places[i]);
    for (size_t i = 0; i < size; ++i) {
      const auto& bucket = *reinterpret_cast<const RowBucket*>(base + places[i]);
      const __m256i line = _mm256_load_si256(reinterpret_cast<const __m256i*>(&bucket));
      const __m256i same = _mm256_cmpeq_epi16(line, _mm256_set1_epi16(static_cast<short>(fingerprints[i])));
      const unsigned mask = static_cast<unsigned>(_mm256_movemask_epi8(same)) & 0xffffffu;
      const unsigned byte = _tzcnt_u32(mask);  // of the slot; its two bits of `shifts` have the same number
      const ScaledRow row = (bucket.first_row + byte / 2) | (bucket.shifts >> (byte & 31) & 3) << (kRowBits + 1);
      rows[i] = mask ? row : 0;
    }
    keys = keys.subspan(size);
    rows += size;
  }
}
static_assert(sizeof(RowBucket) == 1 << 5);
#endif

}  // namespace

void find_rows_portable(std::span<const RowBucket> buckets, std::span<const uint64_t> keys, ScaledRow* rows) {
  const size_t count = buckets.size();
  for (const uint64_t key : keys) __builtin_prefetch(&buckets[bucket_of(key, count)]);
  for (size_t i = 0; i < keys.size(); ++i) {
    const RowBucket& bucket = buckets[bucket_of(keys[i], count)];
    const uint16_t wanted = fingerprint_of(keys[i]);
    unsigned place = 0;  // the first slot that matches, + 1
    for (unsigned slot = RowBucket::kSlots; slot-- > 0;) place = bucket.fingerprint[slot] == wanted ? slot + 1 : place;
    rows[i] = scaled_row(bucket, place - (place != 0)) & (place ? ~uint32_t{0} : uint32_t{0});
  }
}

FindRows find_rows() {
#if defined(__x86_64__)
  static const FindRows best = cpu_has_avx2() ? find_rows_avx2 : find_rows_portable;
  return best;
#else
  return find_rows_portable;
#endif
}

bool index_fits(std::span<const RowBucket> buckets, size_t rows) {
  return std::ranges::all_of(buckets, [&](const RowBucket& bucket) {
    // Rows of the used slots are consecutive; a damaged index may have gaps, which must not lead outside either.
    size_t used = RowBucket::kSlots;
    while (used > 0 && bucket.fingerprint[used - 1] == 0) --used;
    return used == 0 || bucket.first_row + used <= rows;
  });
}

void drop_lightest(double share, size_t most, std::vector<uint32_t>& rows, std::vector<float>& largest) {
  constexpr size_t kAlwaysKept = 1 << 16;  // small models keep all rows
  const size_t before = rows.size();
  size_t dropped =
      std::min(static_cast<size_t>(share * static_cast<double>(before)), before - std::min(before, kAlwaysKept));
  if (most > 0) dropped = std::max(dropped, before - std::min(before, most));
  if (dropped == 0) return;
  std::vector<float> sorted = largest;
  const auto cut = sorted.begin() + static_cast<long>(dropped);
  std::ranges::nth_element(sorted, cut);
  size_t left = 0;
  for (size_t k = 0; k < rows.size(); ++k) {
    if (largest[k] < *cut) continue;
    rows[left] = rows[k];
    largest[left++] = largest[k];
  }
  rows.resize(left);
  largest.resize(left);
}

FrozenIndexBuilder::FrozenIndexBuilder(size_t keys)
    : buckets_(static_cast<size_t>(static_cast<double>(keys) / kLoad) + 1),
      sources_(buckets_.size() * RowBucket::kSlots) {}

FrozenIndexBuilder FrozenIndexBuilder::with_buckets(size_t buckets) {
  FrozenIndexBuilder builder(0);
  builder.buckets_.assign(buckets, {});
  builder.sources_.assign(buckets * RowBucket::kSlots, 0);
  return builder;
}

bool FrozenIndexBuilder::insert(uint64_t key, int shift, uint32_t source) {
  const size_t place = bucket_of(key, buckets_.size());
  RowBucket& bucket = buckets_[place];
  for (unsigned slot = 0; slot < RowBucket::kSlots; ++slot) {
    if (bucket.fingerprint[slot] == fingerprint_of(key)) return false;
    if (bucket.fingerprint[slot] != 0) continue;
    bucket.fingerprint[slot] = fingerprint_of(key);
    bucket.shifts |= static_cast<uint32_t>(shift / 2) << (2 * slot);
    sources_[place * RowBucket::kSlots + slot] = source;
    return true;
  }
  return false;
}

std::vector<RowBucket> FrozenIndexBuilder::finish(std::vector<uint32_t>& sources) {
  sources.assign(1, 0);
  for (size_t place = 0; place < buckets_.size(); ++place) {
    buckets_[place].first_row = static_cast<uint32_t>(sources.size());
    for (size_t slot = 0; slot < RowBucket::kSlots && buckets_[place].fingerprint[slot] != 0; ++slot)
      sources.push_back(sources_[place * RowBucket::kSlots + slot]);
  }
  return std::move(buckets_);
}

}  // namespace espalier
