#include "espalier/scorer/feature_tables.h"

#include <algorithm>
#include <cmath>
#include <new>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace espalier {

TrainingTable::TrainingTable(int log2_slots, int width)
    : width_(width),
      capacity_(std::min<uint32_t>((1u << kRowBits) - 1, 1u << log2_slots)),
      slots_(size_t{1} << log2_slots),
      index_(slots_),
      keys_(1),
      touched_(1),
      asked_once_(size_t{1} << (log2_slots - 2), 0) {
  // calloc's pages cost nothing until they are touched.
  const auto zeros = [&] {
    auto* memory = static_cast<float*>(std::calloc(size_t{capacity_} * width_, sizeof(float)));
    if (!memory) throw std::bad_alloc();
    return memory;
  };
  weights_.reset(zeros());
  moments_.reset(zeros());
}

uint32_t TrainingTable::make(uint64_t key) {
  if (const uint32_t ref = find(key)) return ref;
  uint64_t& word = asked_once_[key % asked_once_.size()];
  const uint64_t bit = uint64_t{1} << (key >> 58);
  if (!(word & bit)) {
    word |= bit;
    return 0;
  }
  if (rows_ == capacity_ || !index_.insert(slots_, key, rows_)) return 0;
  keys_.push_back(key);
  touched_.push_back(0);
  return rows_++;
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
static void
add_floats(const float* row, float* sums, int width) {
  for (int i = 0; i < width; ++i) sums[i] += row[i];
}

void TrainingTable::add_rows(std::span<const uint32_t> refs, float* sums) const {
  for (const uint32_t ref : refs) add_floats(weights(ref), sums, width_);
}

FrozenTable::FrozenTable(const TrainingTable& table, double clock, int least_updates) : width_(table.width()) {
  std::vector<uint32_t> kept;
  for (uint32_t ref = 1; ref < table.rows(); ++ref)
    if (table.touched(ref) >= least_updates) kept.push_back(ref);
  // The most used rows first: they share pages, and come first where a bucket is too small for all.
  std::stable_sort(kept.begin(), kept.end(),
                   [&](uint32_t a, uint32_t b) { return table.touched(a) > table.touched(b); });
  float largest = 0;
  for (const uint32_t ref : kept)
    for (int c = 0; c < width_; ++c) largest = std::max(largest, std::abs(table.averaged(ref, c, clock)));
  // Sums of sixteen times the largest weight still fit 16 bits.
  unit_ = largest > 0 ? largest / 2048 : 1;
  owned_slots_ =
      std::make_shared<std::vector<uint32_t>>(std::max<size_t>(64, std::bit_ceil(kept.size() + kept.size() / 2)), 0);
  owned_rows_ = std::make_shared<std::vector<int8_t>>(width_, 0);
  owned_rows_->reserve((kept.size() + 1) * width_);
  index_ = SlotIndex<kRowBits + kScaleBits>(*owned_slots_);
  for (const uint32_t ref : kept) {
    float most = 0;
    for (int c = 0; c < width_; ++c) most = std::max(most, std::abs(table.averaged(ref, c, clock)) / unit_);
    uint32_t scale = 0;
    while (scale < (1u << kScaleBits) - 1 && most > 127.f * static_cast<float>(1 << scale)) ++scale;
    const auto row = static_cast<uint32_t>(owned_rows_->size() / width_);
    if (most < 0.5f || find(table.key(ref)) != 0 ||
        !index_.insert(*owned_slots_, table.key(ref), scale << kRowBits | row))
      continue;
    for (int c = 0; c < width_; ++c) {
      const float scaled = table.averaged(ref, c, clock) / unit_ / static_cast<float>(1 << scale);
      owned_rows_->push_back(static_cast<int8_t>(std::clamp(std::lround(scaled), -127l, 127l)));
    }
  }
  slots_ = *owned_slots_;
  rows_ = *owned_rows_;
}

FrozenTable::FrozenTable(std::span<const uint32_t> slots, std::span<const int8_t> rows, int width, float unit)
    : width_(width), unit_(unit), slots_(slots), rows_(rows), index_(slots) {}

bool FrozenTable::valid() const {
  return width_ > 0 && width_ % 16 == 0 && slots_.size() >= 4 && std::has_single_bit(slots_.size()) && !rows_.empty() &&
         rows_.size() % width_ == 0 &&
         std::ranges::all_of(slots_, [&](uint32_t slot) { return (slot & ((1u << kRowBits) - 1)) < rows(); });
}

void FrozenTable::add_rows_portable(std::span<const uint32_t> refs, int16_t* sums) const {
  for (const uint32_t ref : refs) {
    const int8_t* from = row(ref);
    const int scale = 1 << (ref >> kRowBits);
    for (int c = 0; c < width_; ++c)
      sums[c] = static_cast<int16_t>(std::clamp(sums[c] + from[c] * scale, -32768, 32767));
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void FrozenTable::add_rows_avx2(std::span<const uint32_t> refs, int16_t* sums) const {
  // Up to 64 columns at a time stay in registers over all rows.
  for (int from = 0; from < width_; from += 64) {
    const int blocks = std::min(4, (width_ - from) / 16);
    __m256i sum[4];
    for (int b = 0; b < blocks; ++b) sum[b] = _mm256_loadu_si256(reinterpret_cast<__m256i*>(sums + from + 16 * b));
    for (const uint32_t ref : refs) {
      const int8_t* at = row(ref) + from;
      const __m128i scale = _mm_cvtsi32_si128(static_cast<int>(ref >> kRowBits));
      for (int b = 0; b < blocks; ++b) {
        const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * b)));
        sum[b] = _mm256_adds_epi16(sum[b], _mm256_sll_epi16(wide, scale));
      }
    }
    for (int b = 0; b < blocks; ++b) _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + from + 16 * b), sum[b]);
  }
}
#else
void FrozenTable::add_rows_avx2(std::span<const uint32_t> refs, int16_t* sums) const { add_rows_portable(refs, sums); }
#endif

FrozenTable::AddRows FrozenTable::best_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    return [](const FrozenTable& table, std::span<const uint32_t> refs, int16_t* sums) {
      table.add_rows_avx2(refs, sums);
    };
#endif
  return [](const FrozenTable& table, std::span<const uint32_t> refs, int16_t* sums) {
    table.add_rows_portable(refs, sums);
  };
}

}  // namespace espalier
