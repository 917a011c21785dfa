// The inner loop of every linear model: adding up rows. Chosen once for the CPU at hand.
// Tested by linear_test.cc (all versions equal); measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace espalier {

/// Columns of a row come in steps of this many, so that every row fills whole vectors and cache lines.
constexpr int kColumnStep = 32;

/// A frozen row is int8 weights times a power of two, which is kept in the upper bits of the row's number: a few rows
/// are large, most are small, and both need their precision.
constexpr int kRowBits = 29;
constexpr uint32_t kRowMask = (1u << kRowBits) - 1;
constexpr int kMostShift = 7;

struct RowSum {
  /// sum[c] += table[row * columns + c] << shift for every row and column. Whoever made the rows has seen to it that
  /// the sums cannot overflow.
  void (*int8_rows)(const int8_t* table, int columns, std::span<const uint32_t> rows, int16_t* sum);
  /// sum[c] += row[c] for float rows that stand in chunks of 1 << chunk_bits rows.
  void (*float_rows)(const float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows, float* sum);
};

extern const RowSum kPortableRowSum;
/// The fastest one that this CPU can run.
const RowSum& row_sum();

}  // namespace espalier
