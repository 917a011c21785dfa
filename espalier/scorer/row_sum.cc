#include "espalier/scorer/row_sum.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace espalier {
namespace {

// One pass over the rows for `kWidth` columns; the sums stay in registers.
template <int kWidth>
inline __attribute__((always_inline)) void add_int8(const int8_t* table, int stride, std::span<const uint32_t> rows,
                                                    int16_t* sum) {
  int16_t local[kWidth];
  for (int c = 0; c < kWidth; ++c) local[c] = sum[c];
  for (const uint32_t row : rows) {
    const int8_t* weights = table + static_cast<size_t>(row) * static_cast<size_t>(stride);
    for (int c = 0; c < kWidth; ++c) local[c] = static_cast<int16_t>(local[c] + weights[c]);
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
    const float* weights = chunks[row >> chunk_bits] + static_cast<size_t>(row & mask) * static_cast<size_t>(stride) + offset;
    for (int c = 0; c < kWidth; ++c) local[c] += weights[c];
  }
  for (int c = 0; c < kWidth; ++c) sum[c] = local[c];
}

inline __attribute__((always_inline)) void sum_int8(const int8_t* table, int columns, std::span<const uint32_t> rows,
                                                    int16_t* sum) {
  for (const uint32_t row : rows) {
    const int8_t* weights = table + static_cast<size_t>(row) * static_cast<size_t>(columns);
    for (int c = 0; c < columns; c += 64) __builtin_prefetch(weights + c);
  }
  int done = 0;
  for (; done + 64 <= columns; done += 64) add_int8<64>(table + done, columns, rows, sum + done);
  if (done < columns) add_int8<32>(table + done, columns, rows, sum + done);
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

void portable_int8(const int8_t* table, int columns, std::span<const uint32_t> rows, int16_t* sum) {
  sum_int8(table, columns, rows, sum);
}
void portable_float(const float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows, float* sum) {
  sum_float(chunks, chunk_bits, columns, rows, sum);
}

#if defined(__x86_64__)
// The same code, compiled for AVX2: the loops of constant width become whole-register additions.
__attribute__((target("avx2"))) void avx2_int8(const int8_t* table, int columns, std::span<const uint32_t> rows,
                                               int16_t* sum) {
  for (const uint32_t row : rows) {
    const int8_t* weights = table + static_cast<size_t>(row) * static_cast<size_t>(columns);
    for (int c = 0; c < columns; c += 64) __builtin_prefetch(weights + c);
  }
  for (int done = 0; done < columns; done += 32) {
    // Two independent halves of 16 columns; pairs of 32-column blocks share the loop where there are two.
    const bool wide = done + 64 <= columns;
    __m256i s0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sum + done));
    __m256i s1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sum + done + 16));
    if (wide) {
      __m256i s2 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sum + done + 32));
      __m256i s3 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sum + done + 48));
      for (const uint32_t row : rows) {
        const auto* w = reinterpret_cast<const __m128i*>(table + static_cast<size_t>(row) * static_cast<size_t>(columns) +
                                                         done);
        s0 = _mm256_add_epi16(s0, _mm256_cvtepi8_epi16(_mm_loadu_si128(w)));
        s1 = _mm256_add_epi16(s1, _mm256_cvtepi8_epi16(_mm_loadu_si128(w + 1)));
        s2 = _mm256_add_epi16(s2, _mm256_cvtepi8_epi16(_mm_loadu_si128(w + 2)));
        s3 = _mm256_add_epi16(s3, _mm256_cvtepi8_epi16(_mm_loadu_si128(w + 3)));
      }
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sum + done + 32), s2);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sum + done + 48), s3);
    } else {
      for (const uint32_t row : rows) {
        const auto* w = reinterpret_cast<const __m128i*>(table + static_cast<size_t>(row) * static_cast<size_t>(columns) +
                                                         done);
        s0 = _mm256_add_epi16(s0, _mm256_cvtepi8_epi16(_mm_loadu_si128(w)));
        s1 = _mm256_add_epi16(s1, _mm256_cvtepi8_epi16(_mm_loadu_si128(w + 1)));
      }
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sum + done), s0);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sum + done + 16), s1);
    if (wide) done += 32;
  }
}
__attribute__((target("avx2"))) void avx2_float(const float* const* chunks, int chunk_bits, int columns,
                                                std::span<const uint32_t> rows, float* sum) {
  sum_float(chunks, chunk_bits, columns, rows, sum);
}
constexpr RowSum kAvx2RowSum{avx2_int8, avx2_float};
#endif

}  // namespace

constexpr RowSum kPortableRowSum{portable_int8, portable_float};

const RowSum& row_sum() {
#if defined(__x86_64__)
  static const RowSum& best = __builtin_cpu_supports("avx2") ? kAvx2RowSum : kPortableRowSum;
  return best;
#else
  return kPortableRowSum;
#endif
}

}  // namespace espalier
