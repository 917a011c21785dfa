// A smaller copy of frozen weights: the rows with the largest weights. What training would have dropped
// with a larger `drop` can so be dropped afterwards, in seconds, and as much of it as a size asks for. Whoever can do
// without rows whose weights are below a limit needs no weights that are much finer than this limit: those that stay
// are rounded to a fraction of it, which makes packed rows (packed_rows.h) half as long. Tested by prune_test.cc.
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

/// How many rows an index leads to, row 0 included. A whole index numbers them without a gap.
size_t rows_of(std::span<const RowBucket> index);

/// The limit is so many times the step to which weights are rounded.
constexpr int kStepsOfLimit = 3;

/// Drops this share of the rows, those whose largest weight is smallest. `rows` are those of the index, which must fit.
PrunedRows prune_rows(std::span<const RowBucket> index, std::span<const int8_t> rows, double drop);

/// The same for a table of cells by hash (hashed_regressor.h): this share of those that are not 0 becomes 0.
std::vector<int16_t> prune_cells(std::span<const int16_t> cells, double drop);

}  // namespace espalier
