#include "espalier/weights/prune.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

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

/// All rows of the index, the weightiest first.
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

}  // namespace

size_t rows_of(std::span<const RowBucket> index) {
  if (index.empty()) return 0;
  const RowBucket& last = index.back();
  return last.first_row + static_cast<size_t>(RowBucket::kSlots - std::ranges::count(last.fingerprint, 0));
}

PrunedRows prune_rows(std::span<const RowBucket> index, std::span<const int8_t> rows, double drop) {
  const size_t width = rows.size() / rows_of(index);
  std::vector<Row> kept = ranked(index, rows, width);
  kept.resize(static_cast<size_t>((1 - drop) * static_cast<double>(kept.size())));
  // An index knows of a key only its bucket and a fingerprint. Where a bucket of before is part of two of the fewer
  // buckets, its rows stand in both: worth it if so many become one that this is rare.
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
  return pruned;
}

}  // namespace espalier
