#include "espalier/weights/prune.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "espalier/weights/packed_rows.h"

namespace espalier {
namespace {

constexpr size_t kKeysPerBucket = 7;  // of twelve, as in training

constexpr size_t kWorthJoining = 8;  // buckets that become one

struct Row {
  int largest, sum;  // of its weights' sizes
  uint32_t number;
  uint32_t bucket;
  unsigned slot;
};

unsigned shift_of(const RowBucket& bucket, unsigned slot) { return 2 * (bucket.shifts >> (2 * slot) & 3); }

/// All rows of the index, those with the largest weights first.
std::vector<Row> ranked(std::span<const RowBucket> index, std::span<const int8_t> rows, size_t width) {
  std::vector<Row> all;
  for (uint32_t b = 0; b < index.size(); ++b) {
    for (unsigned slot = 0; slot < RowBucket::kSlots && index[b].fingerprint[slot] != 0; ++slot) {
      Row row{0, 0, index[b].first_row + slot, b, slot};
      for (const int8_t weight : rows.subspan(row.number * width, width)) {
        const int size = std::abs(weight) << shift_of(index[b], slot);
        row.largest = std::max(row.largest, size);
        row.sum += size;
      }
      all.push_back(row);
    }
  }
  std::ranges::sort(all, [](const Row& a, const Row& b) {
    return std::tuple(-a.largest, -a.sum, a.number) < std::tuple(-b.largest, -b.sum, b.number);
  });
  return all;
}

/// Rounds to a multiple of `step`, halves away from 0, with a magnitude of at most `most`.
int rounded(int weight, int step, int most) {
  const int size = (std::abs(weight) + step / 2) / step;
  return (weight < 0 ? -1 : 1) * std::min(size, most / step) * step;
}

/// Rounds the common weight of each group, and the differences from it, to multiples of the row's step, so that small
/// differences vanish.
void round_row(std::span<int8_t> row, std::span<const ColumnGroup> groups, int step) {
  constexpr int kMost = std::numeric_limits<int8_t>::max();
  const auto round = [&](std::span<int8_t> weights, int common) {
    const int around = rounded(common, step, kMost);
    for (int8_t& weight : weights) {
      const int sum = around + rounded(weight - common, step, 2 * kMost);
      weight = static_cast<int8_t>(rounded(sum, step, kMost));
    }
  };
  size_t next = 0;  // column that is not rounded yet
  for (const auto& [begin, end] : groups) {
    round(row.subspan(next, begin - next), 0);
    const auto group = row.subspan(begin, size_t{end} - begin);
    round(group, common_weight(group));
    next = end;
  }
  round(row.subspan(next), 0);
}

}  // namespace

size_t rows_of(std::span<const RowBucket> index) {
  if (index.empty()) return 0;
  const RowBucket& last = index.back();
  return last.first_row + static_cast<size_t>(RowBucket::kSlots - std::ranges::count(last.fingerprint, 0));
}

PrunedRows prune_rows(std::span<const RowBucket> index, std::span<const int8_t> rows, double drop) {
  const size_t width = rows.size() / rows_of(index);
  std::vector<Row> kept = ranked(index, rows, width);
  kept.resize((1 - drop) * static_cast<double>(kept.size()));
  const int step = drop > 0 && !kept.empty() ? std::max(1, kept.back().largest / kStepsOfLimit) : 1;
  // An index knows only bucket and fingerprint of a key. If an old bucket overlaps two of the fewer new ones, its rows
  // are stored in both, so buckets are joined only if many become one and this is rare.
  const size_t before = index.size(), wanted = kept.size() / kKeysPerBucket + 1;
  const size_t after = wanted * kWorthJoining <= before ? wanted : before;
  FrozenIndexBuilder builder = FrozenIndexBuilder::with_buckets(after);
  for (const Row& row : kept) {
    const uint16_t fingerprint = index[row.bucket].fingerprint[row.slot];
    const size_t first = bucket_of(key_in(row.bucket, before, 0), after);
    const size_t last = bucket_of(key_in(row.bucket + size_t{1}, before, 0) - 1, after);
    for (size_t bucket = first; bucket <= last; ++bucket)
      builder.insert(key_in(bucket, after, fingerprint), static_cast<int>(shift_of(index[row.bucket], row.slot)),
                     row.number);
  }
  PrunedRows pruned;
  std::vector<uint32_t> sources;
  pruned.index = builder.finish(sources);
  pruned.rows.resize(sources.size() * width);
  for (size_t row = 1; row < sources.size(); ++row)
    std::ranges::copy(rows.subspan(sources[row] * width, width), pruned.rows.begin() + static_cast<long>(row * width));
  if (step == 1) return pruned;
  const std::vector<ColumnGroup> groups = column_groups(pruned.rows, width);
  for (const RowBucket& bucket : pruned.index)
    for (unsigned slot = 0; slot < RowBucket::kSlots && bucket.fingerprint[slot] != 0; ++slot)
      round_row(std::span(pruned.rows).subspan((bucket.first_row + slot) * width, width), groups,
                std::max(1, step >> shift_of(bucket, slot)));
  return pruned;
}

std::vector<int16_t> prune_cells(std::span<const int16_t> cells, double drop) {
  std::vector<int> sizes;
  for (const int16_t cell : cells)
    if (cell != 0) sizes.push_back(std::abs(cell));
  const auto limit = sizes.begin() + static_cast<long>(drop * static_cast<double>(sizes.size()));
  std::vector<int16_t> pruned(cells.begin(), cells.end());
  if (drop <= 0 || limit == sizes.end()) return pruned;
  std::ranges::nth_element(sizes, limit);
  // Cells of less than half a step become 0, which most cells are.
  const int step = 2 * *limit;
  for (int16_t& cell : pruned) cell = static_cast<int16_t>(rounded(cell, step, std::numeric_limits<int16_t>::max()));
  return pruned;
}

}  // namespace espalier
