// Where training goes on (train --init): the rows of a trained model become the first rows of weights that learn, under
// the numbers that they have there. A model keeps of a feature only its place in the index, and so a feature that has
// no row of its own is looked up there; its whole key is known once something is learned about it. Frozen again, rows
// whose key is known go where they belong, and the others where they could.
// Tested by linear_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/weights/frozen_index.h"

namespace espalier {

/// Rows of bytes as a model file has them.
struct StoredRows {
  std::span<const RowBucket> index;
  std::span<const int8_t> rows;
  int width;
  float unit;  ///< weight = byte × 2^shift × unit
};

class TrainedRows {
 public:
  TrainedRows() = default;  ///< none: training begins with nothing
  explicit TrainedRows(const StoredRows& stored);

  bool any() const { return !index_.empty(); }
  uint32_t end() const { return static_cast<uint32_t>(places_.size()); }  ///< rows 1..end()-1 are these
  float unit() const { return unit_; }

  /// Where rows[i] is 0: the row that keys[i] has here.
  void find(std::span<const uint64_t> keys, uint32_t* rows) const;
  /// Notes whose row it is, which nothing was known of (`known` = 0) until now.
  void meet(uint32_t row, uint64_t key, uint64_t& known) const {
    if (row != 0 && row < end() && known == 0) known = key;
  }

  /// Calls use(row, weight of column 0, 1, …); `from[c]` is the column there of column c, -1 = none.
  template <class Use>
  static void for_each_row(const StoredRows& stored, const std::vector<int>& from, Use&& use) {
    std::vector<float> weights(from.size());
    for (const RowBucket& bucket : stored.index)
      for (unsigned slot = 0; slot < RowBucket::kSlots && bucket.fingerprint[slot] != 0; ++slot) {
        const uint32_t row = bucket.first_row + slot, shift = 2 * (bucket.shifts >> (2 * slot) & 3);
        const int8_t* bytes = &stored.rows[size_t{row} * static_cast<size_t>(stored.width)];
        const float unit = stored.unit * static_cast<float>(1 << shift);
        for (size_t c = 0; c < from.size(); ++c)
          weights[c] = from[c] < 0 ? 0 : static_cast<float>(bytes[from[c]]) * unit;
        use(row, std::span<const float>(weights));
      }
  }

  /// How the index of rows `kept` is built; keys[row] is 0 where it is not known.
  class Builder {
   public:
    Builder(const TrainedRows& before, std::span<const uint32_t> kept, std::span<const uint64_t> keys);
    void insert(uint32_t row, int shift, uint32_t source);
    std::vector<RowBucket> finish(std::vector<uint32_t>& sources) { return builder_.finish(sources); }

   private:
    const TrainedRows& before_;
    std::span<const uint64_t> keys_;
    size_t finer_;  // so many buckets where there was one
    FrozenIndexBuilder builder_;
  };

 private:
  struct Place {
    uint32_t bucket = 0;
    uint16_t fingerprint = 0;  // 0 = nowhere
  };
  std::vector<RowBucket> index_;
  std::vector<Place> places_ = std::vector<Place>(1);  // by row
  float unit_ = 1;
};

}  // namespace espalier
