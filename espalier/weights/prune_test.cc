#include "espalier/weights/prune.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(PruneRows, KeepsTheWeightiestAsTheyWere) {
  const Table table(20000);
  EXPECT_EQ(rows_of(table.index) * kWidth, table.rows.size());
  for (const double drop : {0.0, 0.3, 0.9, 0.97}) {
    const PrunedRows pruned = prune_rows(table.index, table.rows, drop);
    ASSERT_TRUE(index_fits(pruned.index, pruned.rows.size() / kWidth));
    EXPECT_LE(pruned.index.size(), table.index.size());
    size_t same = 0, gone = 0;
    int least_kept = 1000;
    for (const uint64_t key : table.keys) {
      const std::vector<int> before = weights_of(key, table.index, table.rows);
      const int largest = std::ranges::max(before);
      if (largest == 0) continue;  // its bucket was full
      const std::vector<int> after = weights_of(key, pruned.index, pruned.rows);
      same += after == before;
      gone += after != before;
      if (after == before) least_kept = std::min(least_kept, largest);
    }
    const double share = static_cast<double>(gone) / static_cast<double>(same + gone);
    EXPECT_NEAR(share, drop, 0.01) << "a few buckets of twelve overflow";
    if (drop == 0) {
      EXPECT_LE(gone, table.keys.size() / 100);
    }
    EXPECT_GE(least_kept, drop == 0.9 ? 95 : 0) << "one in ten counts fourfold";
  }
}

}  // namespace
}  // namespace espalier
