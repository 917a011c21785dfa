// The inner loop of every linear model: adding up rows. Chosen once for the CPU at hand.
// Tested by linear_test.cc (all versions equal); measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace espalier {

/// Columns of a row come in steps of this many, so that every row fills whole vectors and cache lines.
constexpr int kColumnStep = 32;

struct RowSum {
  /// sum[c] += table[row * columns + c] for every row and column; int8 rows (cannot overflow for up to 256 rows).
  void (*int8_rows)(const int8_t* table, int columns, std::span<const uint32_t> rows, int16_t* sum);
  /// The same for float rows that stand in chunks of `chunk_rows` (a power of two).
  void (*float_rows)(const float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows, float* sum);
};

extern const RowSum kPortableRowSum;
/// The fastest one that this CPU can run.
const RowSum& row_sum();

}  // namespace espalier
