// The inner loops of every linear model: sums of rows, or of columns of them. Versions are chosen by CPU.
// Tested by linear_test.cc (all versions equal); measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "espalier/weights/frozen_index.h"

namespace espalier {

/// Columns of a row come in steps of this many, so that every row fills whole vectors.
constexpr int kColumnStep = 16;

/// Rows of this width can be read by hashed columns: the feature's key spreads its weights for any number of labels
/// over its row.
constexpr int kHashedColumns = 16;
inline uint32_t hashed_column(uint64_t key, uint32_t hash) {
  return ((static_cast<uint32_t>(key) ^ hash) * 0x9E3779B1u) >> 28;
}

struct RowSum {
  /// sum[c] += table[row * columns + c] << shift for every row and column. Rows are scaled so that sums cannot
  /// overflow; where they can, the saturating version must be used, which takes a tenth longer.
  void (*int8_rows)(const int8_t* table, int columns, std::span<const ScaledRow> rows, int16_t* sum);
  void (*saturated_rows)(const int8_t* table, int columns, std::span<const ScaledRow> rows, int16_t* sum);
  /// sum[c] += row[c] for float rows that stand in chunks of 1 << chunk_bits rows.
  void (*float_rows)(const float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows,
                     float* sum);
  /// row[c] += change[c] for every row, in place.
  void (*change_rows)(float* const* chunks, int chunk_bits, int columns, std::span<const uint32_t> rows,
                      const float* change);
  /// sums[j] += the column of row i that keys[i] and hashes[j] select, for i < count and j < lanes; the arrays have
  /// room for lanes up to the next multiple of 8.
  void (*hashed_columns)(const int8_t* table, const ScaledRow* rows, const uint64_t* keys, int count,
                         const uint32_t* hashes, int lanes, int32_t* sums);
};

extern const RowSum kPortableRowSum;
/// The fastest one that this CPU can run.
const RowSum& row_sum();

}  // namespace espalier
