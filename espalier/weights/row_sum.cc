#include "espalier/weights/row_sum.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>

#include "espalier/base/cpu.h"
#endif

namespace espalier {
namespace {

inline const int8_t* row_start(const int8_t* table, int columns, uint32_t row) {
  return table + static_cast<size_t>(row & kRowMask) * static_cast<size_t>(columns);
}

// One pass over the rows for `kWidth` columns; the sums stay in registers.
template <int kWidth, bool kSaturate>
inline void add_int8(const int8_t* table, int columns, std::span<const ScaledRow> rows, int16_t* sum) {
  int16_t local[kWidth];
  for (int c = 0; c < kWidth; ++c) local[c] = sum[c];
  for (const uint32_t row : rows) {
    const int8_t* weights = row_start(table, columns, row);
    const int factor = 1 << (row >> kRowBits);
    for (int c = 0; c < kWidth; ++c) {
      const int value = local[c] + weights[c] * factor;
      local[c] = static_cast<int16_t>(kSaturate ? std::clamp(value, -32768, 32767) : value);
    }
  }
  for (int c = 0; c < kWidth; ++c) sum[c] = local[c];
}

template <int kWidth>
inline __attribute__((always_inline)) void add_float(const float* const* chunks, int chunk_bits, int stride, int offset,
                                                     std::span<const uint32_t> rows, float* sum) {
  const uint32_t mask = (1u << chunk_bits) - 1;
  float local[kWidth];
  for (int c = 0; c < kWidth; ++c) local[c] = sum[c];
  for (const uint32_t row : rows) {
    const float* weights =
        chunks[row >> chunk_bits] + static_cast<size_t>(row & mask) * static_cast<size_t>(stride) + offset;
    for (int c = 0; c < kWidth; ++c) local[c] += weights[c];
  }
  for (int c = 0; c < kWidth; ++c) sum[c] = local[c];
}

inline __attribute__((always_inline)) void sum_float(const float* const* chunks, int chunk_bits, int columns,
                                                     std::span<const uint32_t> rows, float* sum) {
  int done = 0;
  for (; done + 64 <= columns; done += 64) add_float<64>(chunks, chunk_bits, columns, done, rows, sum + done);
  switch (columns - done) {
    case 48:
      return add_float<48>(chunks, chunk_bits, columns, done, rows, sum + done);
    case 32:
      return add_float<32>(chunks, chunk_bits, columns, done, rows, sum + done);
    case 16:
      return add_float<16>(chunks, chunk_bits, columns, done, rows, sum + done);
  }
}

inline __attribute__((always_inline)) void change_float(float* const* chunks, int chunk_bits, int columns,
                                                        std::span<const uint32_t> rows, const float* change) {
  const uint32_t mask = (1u << chunk_bits) - 1;
  for (const uint32_t row : rows) {
    float* weights = chunks[row >> chunk_bits] + static_cast<size_t>(row & mask) * static_cast<size_t>(columns);
    for (int block = 0; block < columns; block += kColumnStep)
      for (int c = block; c < block + kColumnStep; ++c) weights[c] += change[c];
  }
}

template <bool kSaturate>
void portable_int8(const int8_t* table, int columns, std::span<const ScaledRow> rows, int16_t* sum) {
  int done = 0;
  for (; done + 64 <= columns; done += 64) add_int8<64, kSaturate>(table + done, columns, rows, sum + done);
  switch (columns - done) {
    case 48:
      return add_int8<48, kSaturate>(table + done, columns, rows, sum + done);
    case 32:
      return add_int8<32, kSaturate>(table + done, columns, rows, sum + done);
    case 16:
      return add_int8<16, kSaturate>(table + done, columns, rows, sum + done);
  }
}

void portable_columns(const int8_t* table, const ScaledRow* rows, const uint64_t* keys, int count,
                      const uint32_t* hashes, int lanes, int32_t* sums) {
  for (int i = 0; i < count; ++i) {
    const int8_t* row = row_start(table, kHashedColumns, rows[i]);
    const int factor = 1 << (rows[i] >> kRowBits);
    for (int j = 0; j < lanes; ++j) sums[j] += row[hashed_column(keys[i], hashes[j])] * factor;
  }
}

void portable_float(const float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows,
                    float* sum) {
  sum_float(chunks, chunk_bits, columns, rows, sum);
}

void portable_change(float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows,
                     const float* change) {
  change_float(chunks, chunk_bits, columns, rows, change);
}

#if defined(__x86_64__)
// kVectors registers of 16 columns each.
template <int kVectors, bool kSaturate>
__attribute__((target("avx2"))) inline void add_int8_avx2(const int8_t* table, int columns,
                                                          std::span<const ScaledRow> rows, int16_t* sum) {
  __m256i local[kVectors];
  for (int v = 0; v < kVectors; ++v) local[v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sum + 16 * v));
  for (const uint32_t row : rows) {
    const auto* weights = reinterpret_cast<const __m128i*>(row_start(table, columns, row));
    const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(row >> kRowBits));
    for (int v = 0; v < kVectors; ++v) {
      const __m256i wide = _mm256_sll_epi16(_mm256_cvtepi8_epi16(_mm_loadu_si128(weights + v)), shift);
      local[v] = kSaturate ? _mm256_adds_epi16(local[v], wide) : _mm256_add_epi16(local[v], wide);
    }
  }
  for (int v = 0; v < kVectors; ++v) _mm256_storeu_si256(reinterpret_cast<__m256i*>(sum + 16 * v), local[v]);
}

template <bool kSaturate>
__attribute__((target("avx2"))) void avx2_int8(const int8_t* table, int columns, std::span<const ScaledRow> rows,
                                               int16_t* sum) {
  int done = 0;
  for (; done + 64 <= columns; done += 64) add_int8_avx2<4, kSaturate>(table + done, columns, rows, sum + done);
  switch (columns - done) {
    case 48:
      return add_int8_avx2<3, kSaturate>(table + done, columns, rows, sum + done);
    case 32:
      return add_int8_avx2<2, kSaturate>(table + done, columns, rows, sum + done);
    case 16:
      return add_int8_avx2<1, kSaturate>(table + done, columns, rows, sum + done);
  }
}

// Eight lanes at a time: their columns' numbers, moved to the highest byte of each lane, choose bytes of the row; an
// arithmetic shift then extends the sign and applies the scale at once.
__attribute__((target("avx2"))) void avx2_columns(const int8_t* table, const ScaledRow* rows, const uint64_t* keys,
                                                  int count, const uint32_t* hashes, int lanes, int32_t* sums) {
  const __m256i factor = _mm256_set1_epi32(static_cast<int>(0x9E3779B1u));
  const __m256i column = _mm256_set1_epi32(0x0F000000), zero = _mm256_set1_epi32(0x00808080);
  for (int from = 0; from < lanes; from += 8) {
    const __m256i hash = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(hashes + from));
    __m256i sum = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums + from));
    for (int i = 0; i < count; ++i) {
      const __m256i key = _mm256_set1_epi32(static_cast<int>(static_cast<uint32_t>(keys[i])));
      const __m256i product = _mm256_mullo_epi32(_mm256_xor_si256(key, hash), factor);
      const __m256i choice = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(product, 4), column), zero);
      const __m256i row = _mm256_broadcastsi128_si256(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(row_start(table, kHashedColumns, rows[i]))));
      const __m128i scale = _mm_cvtsi32_si128(24 - static_cast<int>(rows[i] >> kRowBits));
      sum = _mm256_add_epi32(sum, _mm256_sra_epi32(_mm256_shuffle_epi8(row, choice), scale));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + from), sum);
  }
}

// The portable loops of constant width, compiled for wider registers.
__attribute__((target("avx2"))) void avx2_float(const float* const* chunks, int chunk_bits, int columns,
                                                std::span<const uint32_t> rows, float* sum) {
  sum_float(chunks, chunk_bits, columns, rows, sum);
}
__attribute__((target("avx2"))) void avx2_change(float* const* chunks, int chunk_bits, int columns,
                                                 std::span<const uint32_t> rows, const float* change) {
  change_float(chunks, chunk_bits, columns, rows, change);
}
constexpr RowSum kAvx2RowSum{avx2_int8<false>, avx2_int8<true>, avx2_float, avx2_change, avx2_columns};
#endif

}  // namespace

constexpr RowSum kPortableRowSum{portable_int8<false>, portable_int8<true>, portable_float, portable_change,
                                 portable_columns};

const RowSum& row_sum() {
#if defined(__x86_64__)
  static const RowSum& best = cpu_has_avx2() ? kAvx2RowSum : kPortableRowSum;
  return best;
#else
  return kPortableRowSum;
#endif
}

}  // namespace espalier
