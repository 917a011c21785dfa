// Weights found by hashing, without keys: a feature owns row (key >> shift) of a table, and all its weights, one per
// action (or hidden unit), stand side by side in it, so that one look-up scores every action. Row 2^bits is the
// constant feature's own. Frozen weights are 16-bit integers with one scale; sums of features of value 1 are exact
// integer sums. Spec of the scheme: row = topmost `bits` bits of the 64-bit key. Tested by hashed_regressor_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

/// Row numbers of the features, the constant feature's last.
void find_rows(std::span<const uint64_t> keys, int bits, std::vector<uint32_t>& rows);

/// Cells of a row are padded to this, so that rows are whole vectors.
constexpr size_t kRowUnit = 8;
constexpr size_t padded_width(size_t cells) { return (cells + kRowUnit - 1) / kRowUnit * kRowUnit; }

/// Kernels over rows, in two versions with bit-identical results: portable, and AVX2 where the processor has it.
struct RowSums {
  /// out[j] = sum over rows of cells[row * stride + j], j < width; `values` may be null (all 1) and has one entry per
  /// row but the last, whose value is 1.
  void (*sum_floats)(const float* cells, size_t stride, size_t width, std::span<const uint32_t> rows,
                     const float* values, float* out);
  void (*sum_integers)(const int16_t* cells, size_t width, std::span<const uint32_t> rows, int32_t* out);
  void (*sum_scaled)(const int16_t* cells, size_t width, std::span<const uint32_t> rows, const float* values,
                     float* out);
};
extern const RowSums kPortableRowSums;
/// The fastest version for this processor.
const RowSums& row_sums();

}  // namespace espalier
