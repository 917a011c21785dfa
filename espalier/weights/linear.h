// The linear scorer. A feature is a 64-bit key; its row holds one weight per column, so that one look-up gives the
// score of every action. In training rows are floats with their running average; a trained model is frozen to int8
// rows, 64 columns to a cache line, which are used where the model file is mapped.
// Tested by linear_test.cc; measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/archive.h"
#include "espalier/base/large_pages.h"
#include "espalier/weights/feature_index.h"
#include "espalier/weights/frozen_index.h"
#include "espalier/weights/row_sum.h"
#include "espalier/weights/trained_rows.h"

namespace espalier {

/// The most features that one row of scores may sum.
constexpr int kMostFeatures = 256;

/// Rounds a number of columns up to what rows hold.
constexpr int padded_columns(int columns) { return (columns + kColumnStep - 1) / kColumnStep * kColumnStep; }

/// Frozen weights. Copies share them.
class Linear {
 public:
  using Sum = int16_t;

  Linear() = default;
  /// Uses memory that `owner` keeps alive. That the pieces fit together is the caller's business.
  Linear(std::span<const RowBucket> index, std::span<const int8_t> rows, int columns, float scale,
         std::shared_ptr<const void> owner)
      : index_(index), rows_(rows), columns_(columns), scale_(scale), owner_(std::move(owner)) {}

  /// sum += the rows of all keys (at most kMostFeatures over all calls for one sum).
  void add(std::span<const uint64_t> keys, Sum* sum) const {
    ScaledRow found[kMostFeatures];
    find_rows()(index_, keys, found);
    row_sum().int8_rows(rows_.data(), columns_, {found, keys.size()}, sum);
  }

  /// One by one: out[i] = the sum of key i's weights in these columns, in the units of training.
  void weigh(std::span<const uint64_t> keys, std::span<const int> columns, float* out) const;

  int columns() const { return columns_; }  ///< padded
  float scale() const { return scale_; }    ///< integer weight = scale × trained weight
  size_t row_count() const { return columns_ ? rows_.size() / static_cast<size_t>(columns_) : 0; }
  std::span<const RowBucket> index() const { return index_; }
  std::span<const int8_t> rows() const { return rows_; }
  StoredRows stored() const { return {index_, rows_, columns_, 1 / scale_}; }
  /// Empty if an index entry points past the rows, or sizes do not fit: what a loader must check of foreign data.
  std::string problem() const;

 private:
  std::span<const RowBucket> index_;
  std::span<const int8_t> rows_;
  int columns_ = 0;
  float scale_ = 1;
  std::shared_ptr<const void> owner_;
};

/// Weights in training, averaged lazily: w̄ = w − a / clock.
class OnlineLinear {
 public:
  using Sum = float;

  /// A patient one makes a feature's row only at the second instance that wants to change it: most features are wanted
  /// once, and would take most of the memory.
  explicit OnlineLinear(int columns, bool patient = false);
  OnlineLinear(OnlineLinear&&) = default;
  OnlineLinear& operator=(OnlineLinear&&) = default;
  OnlineLinear(const OnlineLinear&) = delete;  // rows are found by pointers into this one's memory

  void add(std::span<const uint64_t> keys, Sum* sum) const {
    uint32_t found[kMostFeatures];
    find(keys, found);
    row_sum().float_rows(weight_chunks_.data(), kChunkBits, columns_, {found, keys.size()}, sum);
  }

  /// Goes on from what was trained before: features begin with the weights that they have there. `from[c]` is the
  /// column there of column c, -1 = none. To be called before anything is learned.
  void start_from(const Linear& trained, std::vector<int> from);

  void weigh(std::span<const uint64_t> keys, std::span<const int> columns, float* out) const;

  /// Row numbers of the keys, made where they are new (0 where the index has no room, or patience is asked for).
  void locate(std::span<const uint64_t> keys, uint32_t* rows);
  /// Adds `change[c]` to column c of all these rows, and counts the update; rows that were hardly ever updated are left
  /// out when frozen. Row 0 must not be among them.
  void change(std::span<const uint32_t> rows, std::span<const float> change);
  /// Adds `step` to columns begin..end-1 of a row.
  void adjust(uint32_t row, int begin, int end, float step) {
    float* w = &weight_chunks_[row >> kChunkBits][offset(row)];
    float* a = &average_chunks_[row >> kChunkBits][offset(row)];
    const float late = static_cast<float>(clock_) * step;
    for (int c = begin; c < end; ++c) {
      w[c] += step;
      a[c] += late;
    }
  }
  void touch(uint32_t row) { ++updates_[row]; }
  /// One more training instance seen, whether or not it changed anything.
  void tick() { ++clock_; }
  /// All weights become zero, as if an update had undone them; what they were stays in the average.
  void begin_anew();

  int columns() const { return columns_; }
  float scale() const { return 1; }
  size_t row_count() const { return updates_.size(); }

  struct Freeze {
    int least_updates = 2;  ///< rows updated less often are dropped
    size_t most_rows = 0;   ///< 0 = no limit; else the most often updated ones stay
    double drop = 0;  ///< of a large model: this share of the rows is dropped too, those with the smallest weights
    int most_features = kMostFeatures;  ///< that one sum adds up: fewer leave room for finer weights
  };
  Linear freeze(const Freeze& how) const;

  /// The whole state, for checkpoints. What reads must be as it was made: it then goes on as if nothing had happened.
  void archive(Archive& archive);

 private:
  static constexpr int kChunkBits = 14;
  size_t offset(uint32_t row) const {
    return static_cast<size_t>(row & ((1u << kChunkBits) - 1)) * static_cast<size_t>(columns_);
  }
  void find(std::span<const uint64_t> keys, uint32_t* rows) const {
    index_.find(keys, rows);
    if (start_.any()) start_.find(keys, rows);
  }
  uint32_t new_row(uint64_t key);
  bool wanted_before(uint64_t key);
  bool index_row(uint32_t row, uint64_t key);

  int columns_;
  uint64_t clock_ = 1;
  FeatureIndex index_;
  std::vector<uint64_t> keys_;     // of each row, for rebuilding the index; 0 = not known yet
  std::vector<uint32_t> updates_;  // of each row
  std::vector<std::vector<float, LargePageAllocator<float>>> memory_;
  std::vector<float*> weight_chunks_, average_chunks_;
  std::vector<float> late_change_;
  // Of a patient one: for the last key that hashed here, part of it and of the clock. Later keys push earlier ones out.
  static constexpr size_t kRemembered = size_t{1} << 24;
  std::vector<uint16_t> wanted_;
  TrainedRows start_;  // the first rows; none are in the index
};

}  // namespace espalier
