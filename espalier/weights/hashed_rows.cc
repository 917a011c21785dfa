#include "espalier/weights/hashed_rows.h"

#include <algorithm>

#include "espalier/base/cpu.h"

namespace espalier {
namespace {

// How many rows ahead to prefetch; beyond eight there is no gain.
constexpr size_t kAhead = 8;

template <class Cell>
[[gnu::always_inline]] inline void prefetch_row(const Cell* row, size_t width) {
  for (size_t j = 0; j < width; j += 64 / sizeof(Cell)) __builtin_prefetch(row + j);
}

// One body for every version: the functions below differ only in the instructions that the compiler may use. Each cell
// is summed in the order of the rows at any vector length, so results are identical.
template <size_t kWidth, class Cell, class Sum>
[[gnu::always_inline]] inline void add_rows_fixed(const Cell* cells, size_t stride, std::span<const uint32_t> rows,
                                                  const float* values, Sum* out) {
  Sum sum[kWidth] = {};
  const size_t last = rows.size() - 1;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i + kAhead < rows.size()) prefetch_row(cells + rows[i + kAhead] * stride, kWidth);
    const Cell* row = cells + rows[i] * stride;
    if (values) {
      const float value = i == last ? 1 : values[i];
      for (size_t j = 0; j < kWidth; ++j) sum[j] += static_cast<Sum>(value * static_cast<float>(row[j]));
    } else {
      for (size_t j = 0; j < kWidth; ++j) sum[j] += static_cast<Sum>(row[j]);
    }
  }
  for (size_t j = 0; j < kWidth; ++j) out[j] = sum[j];
}

template <class Cell, class Sum>
[[gnu::always_inline]] inline void add_rows(const Cell* cells, size_t stride, size_t width,
                                            std::span<const uint32_t> rows, const float* values, Sum* __restrict out) {
  if (width == kRowUnit) return add_rows_fixed<kRowUnit>(cells, stride, rows, values, out);
  if (width == 2 * kRowUnit) return add_rows_fixed<2 * kRowUnit>(cells, stride, rows, values, out);
  std::fill_n(out, width, Sum{});
  const size_t last = rows.size() - 1;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i + kAhead < rows.size()) prefetch_row(cells + rows[i + kAhead] * stride, width);
    const Cell* __restrict row = cells + rows[i] * stride;
    if (values) {
      const float value = i == last ? 1 : values[i];
      for (size_t j = 0; j < width; ++j) out[j] += static_cast<Sum>(value * static_cast<float>(row[j]));
    } else {
      for (size_t j = 0; j < width; ++j) out[j] += static_cast<Sum>(row[j]);
    }
  }
}

void sum_floats_portable(const float* cells, size_t stride, size_t width, std::span<const uint32_t> rows,
                         const float* values, float* out) {
  add_rows(cells, stride, width, rows, values, out);
}
void sum_integers_portable(const int16_t* cells, size_t width, std::span<const uint32_t> rows, int32_t* out) {
  add_rows(cells, width, width, rows, nullptr, out);
}
void sum_scaled_portable(const int16_t* cells, size_t width, std::span<const uint32_t> rows, const float* values,
                         float* out) {
  add_rows(cells, width, width, rows, values, out);
}
#ifdef __x86_64__
[[gnu::target("avx2")]] void sum_floats_avx2(const float* cells, size_t stride, size_t width,
                                             std::span<const uint32_t> rows, const float* values, float* out) {
  add_rows(cells, stride, width, rows, values, out);
}
[[gnu::target("avx2")]] void sum_integers_avx2(const int16_t* cells, size_t width, std::span<const uint32_t> rows,
                                               int32_t* out) {
  add_rows(cells, width, width, rows, nullptr, out);
}
[[gnu::target("avx2")]] void sum_scaled_avx2(const int16_t* cells, size_t width, std::span<const uint32_t> rows,
                                             const float* values, float* out) {
  add_rows(cells, width, width, rows, values, out);
}
constexpr RowSums kAvx2RowSums = {sum_floats_avx2, sum_integers_avx2, sum_scaled_avx2};
#endif

}  // namespace

const RowSums kPortableRowSums = {sum_floats_portable, sum_integers_portable, sum_scaled_portable};

const RowSums& row_sums() {
#ifdef __x86_64__
  static const RowSums& best = cpu_has_avx2() ? kAvx2RowSums : kPortableRowSums;
  return best;
#else
  return kPortableRowSums;
#endif
}

void find_rows(std::span<const uint64_t> keys, int bits, std::vector<uint32_t>& rows) {
  rows.resize(keys.size() + 1);
  const int shift = 64 - bits;
  for (size_t i = 0; i < keys.size(); ++i) rows[i] = static_cast<uint32_t>(keys[i] >> shift);
  rows[keys.size()] = uint32_t{1} << bits;
}

}  // namespace espalier
