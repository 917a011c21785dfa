#include "espalier/weights/row_sum.h"

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
template <int kWidth>
inline void add_int8(const int8_t* table, int columns, std::span<const ScaledRow> rows, int16_t* sum) {
  int16_t local[kWidth];
  for (int c = 0; c < kWidth; ++c) local[c] = sum[c];
  for (const uint32_t row : rows) {
    const int8_t* weights = row_start(table, columns, row);
    const int factor = 1 << (row >> kRowBits);
    for (int c = 0; c < kWidth; ++c) local[c] = static_cast<int16_t>(local[c] + weights[c] * factor);
  }
  for (int c = 0; c < kWidth; ++c) sum[c] = local[c];
}

inline __attribute__((always_inline)) void prefetch_int8(const int8_t* table, int columns,
                                                         std::span<const ScaledRow> rows) {
  for (const uint32_t row : rows)
    for (int c = 0; c < columns; c += 64) __builtin_prefetch(row_start(table, columns, row) + c);
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
  const uint32_t mask = (1u << chunk_bits) - 1;
  for (const uint32_t row : rows) {
    const float* weights = chunks[row >> chunk_bits] + static_cast<size_t>(row & mask) * static_cast<size_t>(columns);
    for (int c = 0; c < columns; c += 16) __builtin_prefetch(weights + c);
  }
  int done = 0;
  for (; done + 64 <= columns; done += 64) add_float<64>(chunks, chunk_bits, columns, done, rows, sum + done);
  if (done < columns) add_float<32>(chunks, chunk_bits, columns, done, rows, sum + done);
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

void portable_int8(const int8_t* table, int columns, std::span<const ScaledRow> rows, int16_t* sum) {
  prefetch_int8(table, columns, rows);
  int done = 0;
  for (; done + 64 <= columns; done += 64) add_int8<64>(table + done, columns, rows, sum + done);
  if (done < columns) add_int8<32>(table + done, columns, rows, sum + done);
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
template <int kVectors>
__attribute__((target("avx2"))) inline void add_int8_avx2(const int8_t* table, int columns,
                                                          std::span<const ScaledRow> rows, int16_t* sum) {
  __m256i local[kVectors];
  for (int v = 0; v < kVectors; ++v) local[v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sum + 16 * v));
  for (const uint32_t row : rows) {
    const auto* weights = reinterpret_cast<const __m128i*>(row_start(table, columns, row));
    const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(row >> kRowBits));
    for (int v = 0; v < kVectors; ++v)
      local[v] =
          _mm256_add_epi16(local[v], _mm256_sll_epi16(_mm256_cvtepi8_epi16(_mm_loadu_si128(weights + v)), shift));
  }
  for (int v = 0; v < kVectors; ++v) _mm256_storeu_si256(reinterpret_cast<__m256i*>(sum + 16 * v), local[v]);
}

__attribute__((target("avx2"))) void avx2_int8(const int8_t* table, int columns, std::span<const ScaledRow> rows,
                                               int16_t* sum) {
  prefetch_int8(table, columns, rows);
  int done = 0;
  for (; done + 64 <= columns; done += 64) add_int8_avx2<4>(table + done, columns, rows, sum + done);
  if (done < columns) add_int8_avx2<2>(table + done, columns, rows, sum + done);
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
constexpr RowSum kAvx2RowSum{avx2_int8, avx2_float, avx2_change};
#endif

}  // namespace

constexpr RowSum kPortableRowSum{portable_int8, portable_float, portable_change};

const RowSum& row_sum() {
#if defined(__x86_64__)
  static const RowSum& best = cpu_has_avx2() ? kAvx2RowSum : kPortableRowSum;
  return best;
#else
  return kPortableRowSum;
#endif
}

}  // namespace espalier
