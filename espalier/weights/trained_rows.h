// Warm start (train --init): the rows of a trained model become the first rows of weights in training, with the
// same numbers. A model stores only a feature's bucket and fingerprint, so a feature without a row of its own is
// looked up in the model's index; its key becomes known at its first update. When weights are frozen again, rows
// with known keys go into their bucket, the others into every bucket that could be theirs. Tested by
// linear_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/weights/frozen_index.h"

namespace espalier {

/// The rows of bytes of a model file.
struct StoredRows {
  std::span<const RowBucket> index;
  std::span<const int8_t> rows;
  int width;
  float unit;  ///< weight = byte × 2^shift × unit
};

class TrainedRows {
 public:
  TrainedRows() = default;  ///< no rows: training begins with zero weights
  explicit TrainedRows(const StoredRows& stored);

  bool any() const { return !index_.empty(); }
  uint32_t end() const { return static_cast<uint32_t>(places_.size()); }  ///< rows 1..end()-1 are these
  float unit() const { return unit_; }

  /// Replaces rows[i] == 0 by the row that keys[i] has here.
  void find(std::span<const uint64_t> keys, uint32_t* rows) const;
  /// Records the key of a row whose key was not known (`known` = 0).
  void meet(uint32_t row, uint64_t key, uint64_t& known) const {
    if (row != 0 && row < end() && known == 0) known = key;
  }

  /// Calls use(row, weights of columns 0, 1, …) for every row; column c has the weight of column from[c] here, -1 = 0.
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

  /// Builds the index of the rows `kept`; keys[row] is 0 if it is not known.
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
