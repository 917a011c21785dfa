#include "espalier/weights/prune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "espalier/base/hash.h"

namespace espalier {
namespace {

constexpr size_t kWidth = 32;

struct Table {
  std::vector<uint64_t> keys;
  std::vector<RowBucket> index;
  std::vector<int8_t> rows;

  /// Row of key i: weight 1 + i % 100 in one column, its negative half in another; every tenth is shifted.
  explicit Table(size_t count) {
    FrozenIndexBuilder builder(count);
    for (size_t i = 0; i < count; ++i) {
      keys.push_back(mix(i + 1));
      builder.insert(keys[i], i % 10 == 0 ? 2 : 0, static_cast<uint32_t>(i));
    }
    std::vector<uint32_t> sources;
    index = builder.finish(sources);
    rows.assign(sources.size() * kWidth, 0);
    for (size_t row = 1; row < sources.size(); ++row) {
      const auto weight = static_cast<int8_t>(1 + sources[row] % 100);
      rows[row * kWidth + sources[row] % kWidth] = weight;
      rows[row * kWidth + (sources[row] + 1) % kWidth] = static_cast<int8_t>(-weight / 2);
    }
  }
};

/// The weights that an index finds for a key, scaled.
std::vector<int> weights_of(uint64_t key, const std::vector<RowBucket>& index, const std::vector<int8_t>& rows) {
  ScaledRow found;
  find_rows_portable(index, {&key, 1}, &found);
  std::vector<int> weights;
  for (size_t c = 0; c < kWidth; ++c)
    weights.push_back(rows[(found & kRowMask) * kWidth + c] * (1 << (found >> kRowBits)));
  return weights;
}

TEST(PruneRows, KeepsTheWeightiestRounded) {
  const Table table(20000);
  EXPECT_EQ(rows_of(table.index) * kWidth, table.rows.size());
  std::vector<int> largest;
  for (const uint64_t key : table.keys)
    if (const int weight = std::ranges::max(weights_of(key, table.index, table.rows));
        weight != 0)  // its bucket had room
      largest.push_back(weight);
  std::ranges::sort(largest);
  for (const double drop : {0.0, 0.3, 0.9, 0.97}) {
    const PrunedRows pruned = prune_rows(table.index, table.rows, drop);
    ASSERT_TRUE(index_fits(pruned.index, pruned.rows.size() / kWidth));
    EXPECT_LE(pruned.index.size(), table.index.size());
    const int limit = largest[static_cast<size_t>(drop * static_cast<double>(largest.size()))];
    const int step = drop == 0 ? 1 : std::max(1, limit / kStepsOfLimit);
    size_t kept = 0, gone = 0, wrong = 0;
    for (const uint64_t key : table.keys) {
      const std::vector<int> before = weights_of(key, table.index, table.rows);
      const int weight = std::ranges::max(before);
      if (weight == 0) continue;
      const std::vector<int> after = weights_of(key, pruned.index, pruned.rows);
      const bool is_kept = std::ranges::count(after, 0) != static_cast<long>(kWidth);
      bool near = true;
      for (size_t c = 0; c < kWidth; ++c) near &= std::abs(after[c] - before[c]) < step;
      kept += is_kept;
      gone += !is_kept;
      wrong += is_kept ? !near || weight < limit : weight > limit;
    }
    EXPECT_NEAR(static_cast<double>(gone) / static_cast<double>(kept + gone), drop, 0.01);
    EXPECT_LE(wrong, table.keys.size() / 100) << "a few buckets of twelve overflow; " << drop;
  }
}

TEST(PruneRows, WhatHardlyDiffersWithinAGroupDiffersNoMore) {
  Table table(20000);
  for (size_t row = 1; row * kWidth < table.rows.size(); ++row)  // twenty columns in common, one of them a little more
    for (size_t c = 0; c < 20; ++c) table.rows[row * kWidth + c] = static_cast<int8_t>(c == row % 20 ? 101 : 100);
  const PrunedRows pruned = prune_rows(table.index, table.rows, 0.9);
  for (size_t row = 1; row * kWidth < pruned.rows.size(); ++row)
    for (size_t c = 1; c < 20; ++c) ASSERT_EQ(pruned.rows[row * kWidth + c], pruned.rows[row * kWidth]) << row;
}

TEST(PruneCells, DropsTheSmallestOfThoseThatAreNotZero) {
  std::vector<int16_t> cells(1000);
  for (int16_t i = 0; i < 100; ++i) cells[static_cast<size_t>(10 * i)] = static_cast<int16_t>(i % 2 ? -10 * i : 10 * i);
  EXPECT_EQ(prune_cells(cells, 0), cells);
  const std::vector<int16_t> pruned = prune_cells(cells, 0.5);
  EXPECT_EQ(std::ranges::count(pruned, 0), 900 + 50);
  for (size_t i = 0; i < cells.size(); ++i) EXPECT_LE(std::abs(cells[i] - pruned[i]), 505) << i;
  cells[0] = -32768;
  cells[1] = 32767;
  for (const int16_t cell : prune_cells(cells, 0.9)) EXPECT_GE(cell, -32767);
}

}  // namespace
}  // namespace espalier
