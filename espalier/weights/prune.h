// A smaller copy of frozen weights: the rows with the largest weights, as if trained with a larger `drop`, in seconds
// and to any size. A model that loses nothing without rows whose weights are all below a limit needs no weights much
// finer than this limit, so the others are rounded to a fraction of it, which halves packed rows (packed_rows.h).
// Tested by prune_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/weights/frozen_index.h"

namespace espalier {

struct PrunedRows {
  std::vector<RowBucket> index;
  std::vector<int8_t> rows;
};

/// The number of rows of an index, row 0 included. An undamaged index has no gaps.
size_t rows_of(std::span<const RowBucket> index);

/// The ratio of the limit to the step to which weights are rounded.
constexpr int kStepsOfLimit = 3;

/// Drops this share of the rows, those whose largest weight is smallest. `rows` are those of the index, which must fit.
PrunedRows prune_rows(std::span<const RowBucket> index, std::span<const int8_t> rows, double drop);

/// The same for a hashed table (hashed_regressor.h): this share of the non-zero cells becomes 0.
std::vector<int16_t> prune_cells(std::span<const int16_t> cells, double drop);

}  // namespace espalier
