#include "espalier/weights/feature_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "espalier/base/cpu.h"
#include "espalier/base/hash.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace espalier {

TrainingTable::TrainingTable(int width) : width_(width), asked_once_(size_t{1} << 20, 0) { add_row(0); }

void TrainingTable::add_row(uint64_t key) {
  if (keys_.size() >> kChunkBits == chunks_.size())
    chunks_.emplace_back((size_t{2} << kChunkBits) * static_cast<size_t>(width_));
  keys_.push_back(key);
  touched_.push_back(0);
}

void TrainingTable::start_from(const StoredRows& trained, std::vector<int> from) {
  from.resize(static_cast<size_t>(width_), -1);
  start_ = TrainedRows(trained);
  while (rows() < start_.end()) add_row(0);
  TrainedRows::for_each_row(trained, from, [&](uint32_t row, std::span<const float> weights) {
    std::ranges::copy(weights, mutable_weights(row));
  });
}

uint32_t TrainingTable::make(uint64_t key) {
  if (const uint32_t ref = find(key)) {
    start_.meet(ref, key, keys_[ref]);
    return ref;
  }
  uint64_t& word = asked_once_[mix(key) % asked_once_.size()];
  const uint64_t bit = uint64_t{1} << (key >> 58);
  if (!(word & bit)) {
    word |= bit;
    return 0;
  }
  const uint32_t ref = rows();
  if (!index_row(ref, key)) return 0;
  add_row(key);
  return ref;
}

void TrainingTable::begin_anew(double clock) {
  for (uint32_t ref = 0; ref < rows(); ++ref)
    for (int column = 0; column < width_; ++column)
      update(ref, column, -value(ref, static_cast<uint32_t>(column)), clock);
}

bool TrainingTable::index_row(uint32_t ref, uint64_t key) {
  if (index_.crowded()) {
    FeatureIndex larger(index_.bucket_count() * 2);
    for (uint32_t earlier = start_.end(); earlier < ref; ++earlier) larger.insert(keys_[earlier], earlier);
    index_ = std::move(larger);
  }
  return index_.insert(key, ref);
}

void TrainingTable::archive(Archive& a) {
  const size_t row_floats = 2 * static_cast<size_t>(width_);
  size_t width = static_cast<size_t>(width_), count = rows();
  a.count(width, width, width);
  a.items(std::span(asked_once_));
  a.count(count, start_.end(), a.reading() ? a.left() / (row_floats * sizeof(float)) : count);
  a.expect(count * (sizeof keys_[0] + sizeof touched_[0] + row_floats * sizeof(float)));
  if (a.reading()) {
    if (rows() != start_.end()) throw Error(ErrorKind::kData, "only weights that have learned nothing can be restored");
    while (rows() < count) add_row(0);
  }
  a.items(std::span(keys_));
  a.items(std::span(touched_));
  for (uint32_t ref = 0; ref < count; ++ref) a.items(std::span(mutable_weights(ref), row_floats));
  // The index grew key by key; growing it the same way leaves out the same keys.
  if (a.reading())
    for (uint32_t ref = start_.end(); ref < count; ++ref) index_row(ref, keys_[ref]);
}

// (The thread sanitizer is not yet there when the loader chooses a clone.)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx2", "default")))
#endif
static void
add_floats(const float* row, float* sums, int width) {
  for (int i = 0; i < width; ++i) sums[i] += row[i];
}

void TrainingTable::add_rows(std::span<const uint32_t> refs, float* sums) const {
  for (const uint32_t ref : refs) add_floats(weights(ref), sums, width_);
}

FrozenTable::FrozenTable(const TrainingTable& table, double clock, const Pruning& pruning) : width_(table.width()) {
  const TrainedRows& start = table.start();
  std::vector<uint32_t> kept;
  for (uint32_t ref = 1; ref < table.rows(); ++ref)
    if (ref < start.end() || table.touched(ref) >= pruning.least_updates) kept.push_back(ref);
  // The most used rows first: they come first where a bucket is too small for all.
  std::ranges::stable_sort(kept, std::greater(), [&](uint32_t ref) { return table.touched(ref); });
  std::vector<float> most;  // the largest weight of each row
  for (const uint32_t ref : kept) {
    most.push_back(0);
    for (int c = 0; c < width_; ++c) most.back() = std::max(most.back(), std::abs(table.averaged(ref, c, clock)));
  }
  if (!start.any()) drop_lightest(pruning.drop, kept, most);  // what was trained before has been through that
  // Sums of sixty-four times the largest weight still fit 16 bits.
  const float largest = kept.empty() ? 0 : std::ranges::max(most);
  unit_ = largest > 0 ? largest / 508 : 1;
  // As before, where that fits still: what nothing was learned about is not rounded a second time.
  if (start.any() && largest <= 508.5f * start.unit()) unit_ = start.unit();
  const auto shift_of = [&](float weight) {
    int shift = 0;
    while (weight > 127.49f * unit_ * static_cast<float>(1 << shift)) shift += 2;
    return shift;
  };
  TrainedRows::Builder builder(start, kept, table.keys());
  for (size_t k = 0; k < kept.size(); ++k)
    if (most[k] >= 0.5f * unit_) builder.insert(kept[k], shift_of(most[k]), static_cast<uint32_t>(k));
  std::vector<uint32_t> sources;
  const std::vector<RowBucket> index = builder.finish(sources);
  owned_index_ = std::make_shared<const LargeVector<RowBucket>>(index.begin(), index.end());
  LargeVector<int8_t> bytes(sources.size() * static_cast<size_t>(width_), 0);
  for (size_t row = 1; row < sources.size(); ++row) {
    const float unit = unit_ * static_cast<float>(1 << shift_of(most[sources[row]]));
    int8_t* to = &bytes[row * static_cast<size_t>(width_)];
    for (int c = 0; c < width_; ++c)
      to[c] = static_cast<int8_t>(
          std::clamp(std::lround(table.averaged(kept[sources[row]], c, clock) / unit), -127l, 127l));
  }
  owned_rows_ = std::make_shared<const LargeVector<int8_t>>(std::move(bytes));
  index_ = *owned_index_;
  rows_ = *owned_rows_;
}

FrozenTable::FrozenTable(std::span<const RowBucket> index, std::span<const int8_t> rows, int width, float unit)
    : width_(width), unit_(unit), index_(index), rows_(rows) {}

bool FrozenTable::valid() const {
  return width_ > 0 && width_ % 16 == 0 && !index_.empty() && !rows_.empty() &&
         rows_.size() % static_cast<size_t>(width_) == 0 && index_fits(index_, rows());
}

struct FrozenKernels {
  static void add_rows(const FrozenTable& table, std::span<const uint32_t> refs, int16_t* sums) {
    for (const uint32_t ref : refs) {
      const int8_t* from = table.row(ref);
      const int scale = 1 << (ref >> kRowBits);
      for (int c = 0; c < table.width_; ++c)
        sums[c] = static_cast<int16_t>(std::clamp(sums[c] + from[c] * scale, -32768, 32767));
    }
  }
  static void add_columns(const FrozenTable& table, const uint32_t* refs, const uint64_t* keys, int count,
                          const uint32_t* hashes, int lanes, int32_t* sums) {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < lanes; ++j) sums[j] += table.value(refs[i], hashed_column(keys[i], hashes[j]));
  }

#if defined(__x86_64__)
  __attribute__((target("avx2"))) static void add_rows_avx2(const FrozenTable& table, std::span<const uint32_t> refs,
                                                            int16_t* sums) {
    // Up to 64 columns at a time stay in registers over all rows.
    for (int from = 0; from < table.width_; from += 64) {
      const int blocks = std::min(4, (table.width_ - from) / 16);
      __m256i sum[4];
      for (int b = 0; b < blocks; ++b) sum[b] = _mm256_loadu_si256(reinterpret_cast<__m256i*>(sums + from + 16 * b));
      for (const uint32_t ref : refs) {
        const int8_t* at = table.row(ref) + from;
        const __m128i scale = _mm_cvtsi32_si128(static_cast<int>(ref >> kRowBits));
        for (int b = 0; b < blocks; ++b) {
          const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * b)));
          sum[b] = _mm256_adds_epi16(sum[b], _mm256_sll_epi16(wide, scale));
        }
      }
      for (int b = 0; b < blocks; ++b) _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + from + 16 * b), sum[b]);
    }
  }

  // Eight lanes at a time: their columns' numbers, moved to the highest byte of each lane, choose bytes of the row; an
  // arithmetic shift then extends the sign and applies the scale at once.
  __attribute__((target("avx2"))) static void add_columns_avx2(const FrozenTable& table, const uint32_t* refs,
                                                               const uint64_t* keys, int count, const uint32_t* hashes,
                                                               int lanes, int32_t* sums) {
    const __m256i factor = _mm256_set1_epi32(static_cast<int>(0x9E3779B1u));
    const __m256i column = _mm256_set1_epi32(0x0F000000), zero = _mm256_set1_epi32(0x00808080);
    for (int from = 0; from < lanes; from += 8) {
      const __m256i hash = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(hashes + from));
      __m256i sum = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums + from));
      for (int i = 0; i < count; ++i) {
        const __m256i key = _mm256_set1_epi32(static_cast<int>(static_cast<uint32_t>(keys[i])));
        const __m256i product = _mm256_mullo_epi32(_mm256_xor_si256(key, hash), factor);
        const __m256i choice = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(product, 4), column), zero);
        const __m256i row =
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table.row(refs[i]))));
        const __m128i scale = _mm_cvtsi32_si128(24 - static_cast<int>(refs[i] >> kRowBits));
        sum = _mm256_add_epi32(sum, _mm256_sra_epi32(_mm256_shuffle_epi8(row, choice), scale));
      }
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + from), sum);
    }
  }
#endif
};

const FrozenTable::Kernels FrozenTable::kPortable{FrozenKernels::add_rows, FrozenKernels::add_columns};

const FrozenTable::Kernels& FrozenTable::best_kernels() {
#if defined(__x86_64__)
  static constexpr Kernels kAvx2{FrozenKernels::add_rows_avx2, FrozenKernels::add_columns_avx2};
  if (cpu_has_avx2()) return kAvx2;
#endif
  return kPortable;
}

}  // namespace espalier
