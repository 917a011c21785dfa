// A smaller copy of frozen weights: the rows with the largest weights, each as it was. What training would have dropped
// with a larger `drop` can so be dropped afterwards, in seconds, and as much of it as a size asks for.
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

/// How many rows an index leads to, row 0 included. A whole index numbers them without a gap.
size_t rows_of(std::span<const RowBucket> index);

/// Drops this share of the rows, those whose largest weight is smallest. `rows` are those of the index, which must fit.
PrunedRows prune_rows(std::span<const RowBucket> index, std::span<const int8_t> rows, double drop);

}  // namespace espalier
