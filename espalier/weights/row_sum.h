// The inner loop of every linear model: adding up rows. Chosen once for the CPU at hand.
// Tested by linear_test.cc (all versions equal); measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "espalier/weights/frozen_index.h"

namespace espalier {

/// Columns of a row come in steps of this many, so that every row fills whole vectors and cache lines.
constexpr int kColumnStep = 32;

struct RowSum {
  /// sum[c] += table[row * columns + c] << shift for every row and column. Whoever made the rows has seen to it that
  /// the sums cannot overflow.
  void (*int8_rows)(const int8_t* table, int columns, std::span<const ScaledRow> rows, int16_t* sum);
  /// sum[c] += row[c] for float rows that stand in chunks of 1 << chunk_bits rows.
  void (*float_rows)(const float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows,
                     float* sum);
  /// row[c] += change[c] for every row, in place.
  void (*change_rows)(float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows,
                      const float* change);
};

extern const RowSum kPortableRowSum;
/// The fastest one that this CPU can run.
const RowSum& row_sum();

}  // namespace espalier
