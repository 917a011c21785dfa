// The weights of every linear model. A feature is a 64-bit key; its row holds one weight per column. In training
// (OnlineLinear) rows are floats with their running average (Collins 2002). A trained model (Linear) has rows of
// signed bytes, each with a power of two as its scale, used directly in the mapped file. Both are read in two
// ways:
//   whole rows       a column per action or label: `add` gives the scores of all of them by one look-up per feature
//   hashed columns   rows of 16 weights; a hash of feature and label selects one, so that there may be any number of
//   labels
// Features without a row get row 0, which is all zeros, so that no branch has to test whether a feature was found.
// Tested by linear_test.cc; measured by bench/kernel/linear_bench.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/archive.h"
#include "espalier/weights/feature_index.h"
#include "espalier/weights/float_rows.h"
#include "espalier/weights/frozen_index.h"
#include "espalier/weights/row_sum.h"
#include "espalier/weights/trained_rows.h"

namespace espalier {

/// The most features that one row of scores may sum.
constexpr int kMostFeatures = 256;

/// Rounds a number of columns up to a multiple of 32: half a cache line of a frozen row.
constexpr int padded_columns(int columns) { return (columns + 31) / 32 * 32; }

/// Frozen weights. Copies share them.
class Linear {
 public:
  using Sum = int16_t;
  using ColumnSum = int32_t;

  Linear() = default;
  /// Uses memory that `owner` keeps alive; `problem` checks whether index and rows fit together.
  Linear(std::span<const RowBucket> index, std::span<const int8_t> rows, int columns, float scale,
         std::shared_ptr<const void> owner)
      : index_(index), rows_(rows), columns_(columns), scale_(scale), owner_(std::move(owner)) {}

  /// sum += the rows of all keys (at most kMostFeatures over all calls for one sum).
  void add(std::span<const uint64_t> keys, Sum* sum) const {
    ScaledRow found[kMostFeatures];
    find(keys, found);
    prefetch_rows({found, keys.size()});
    row_sum().int8_rows(rows_.data(), columns_, {found, keys.size()}, sum);
  }
  /// The same in steps: prefetch the index, find rows[i] of keys[i], prefetch rows, add rows. Any number of rows may be
  /// added, since sums saturate.
  void prefetch(std::span<const uint64_t> keys) const {
    for (const uint64_t key : keys) __builtin_prefetch(&index_[bucket_of(key, index_.size())]);
  }
  void find(std::span<const uint64_t> keys, ScaledRow* rows) const { find_rows()(index_, keys, rows); }
  void prefetch_row(ScaledRow row) const {
    for (int c = 0; c < columns_; c += 64) __builtin_prefetch(start_of(row) + c);
  }
  /// Prefetches the first cache lines of all rows, then their second lines, so that rows need no inner loop.
  void prefetch_rows(std::span<const ScaledRow> rows) const {
    for (int c = 0; c < columns_; c += 64)
      for (const ScaledRow row : rows) __builtin_prefetch(start_of(row) + c);
  }
  void add_rows(std::span<const ScaledRow> rows, Sum* sum) const {
    row_sum().saturated_rows(rows_.data(), columns_, rows, sum);
  }
  /// For j < lanes: sums[j] += the weights of the column that hashes[j] selects in each of the `count` rows, the rows
  /// of `keys`. Only for rows of kHashedColumns; hashes and sums have room for lanes up to the next multiple of 8.
  void add_columns(const ScaledRow* rows, const uint64_t* keys, int count, const uint32_t* hashes, int lanes,
                   ColumnSum* sums) const {
    row_sum().hashed_columns(rows_.data(), rows, keys, count, hashes, lanes, sums);
  }
  int value(ScaledRow row, uint32_t column) const { return start_of(row)[column] * (1 << (row >> kRowBits)); }

  /// Feature by feature: out[i] = the sum of key i's weights in these columns, in the units of training.
  void weigh(std::span<const uint64_t> keys, std::span<const int> columns, float* out) const;

  int columns() const { return columns_; }  ///< padded
  float scale() const { return scale_; }    ///< integer weight = scale × trained weight
  float unit() const { return 1.0f / scale_; }
  size_t row_count() const { return columns_ ? rows_.size() / static_cast<size_t>(columns_) : 0; }
  std::span<const RowBucket> index() const { return index_; }
  std::span<const int8_t> rows() const { return rows_; }
  StoredRows stored() const { return {index_, rows_, columns_, unit()}; }
  /// For loaders: "" unless an index entry points past the rows, or sizes do not fit; then what is wrong.
  std::string problem() const;

 private:
  const int8_t* start_of(ScaledRow row) const {
    return rows_.data() + static_cast<size_t>(row & kRowMask) * static_cast<size_t>(columns_);
  }

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
  using ColumnSum = float;

  /// When a feature gets its row: at once, at its second update, or at an update by a second instance. Most features
  /// are updated only once, and their rows would take most of the memory. kSecondInstance is for large treebanks and
  /// uses compact rows (float_rows.h).
  enum class Delay { kNone, kSecondTime, kSecondInstance };
  /// Rows of exactly this number of columns, a multiple of kColumnStep.
  OnlineLinear(int columns, Delay delay);
  /// Padded rows; `patient` is kSecondInstance, else kNone.
  explicit OnlineLinear(int columns, bool patient = false)
      : OnlineLinear(padded_columns(columns), patient ? Delay::kSecondInstance : Delay::kNone) {}
  OnlineLinear(OnlineLinear&&) = default;
  OnlineLinear& operator=(OnlineLinear&&) = default;
  OnlineLinear(const OnlineLinear&) = delete;  // rows are found by pointers into this one's memory

  // Reading, as in Linear.
  void add(std::span<const uint64_t> keys, Sum* sum) const {
    uint32_t found[kMostFeatures];
    find(keys, found);
    for (size_t i = 0; i < keys.size(); ++i) prefetch_row(found[i]);
    add_rows({found, keys.size()}, sum);
  }
  void prefetch(std::span<const uint64_t> keys) const { index_.prefetch(keys); }
  void find(std::span<const uint64_t> keys, uint32_t* rows) const {
    index_.find(keys, rows);
    if (start_.any()) start_.find(keys, rows);
  }
  uint32_t find(uint64_t key) const {
    uint32_t row;
    find({&key, 1}, &row);
    return row;
  }
  void prefetch_row(uint32_t row) const { rows_.prefetch(row); }
  void add_rows(std::span<const uint32_t> rows, Sum* sum) const { rows_.add(rows, sum); }
  void add_columns(const uint32_t* rows, const uint64_t* keys, int count, const uint32_t* hashes, int lanes,
                   ColumnSum* sums) const {
    for (int i = 0; i < count; ++i) {
      const float* row = rows_.dense(rows[i]);
      for (int j = 0; j < lanes; ++j) sums[j] += row[hashed_column(keys[i], hashes[j])];
    }
  }
  float value(uint32_t row, uint32_t column) const { return rows_.value(row, static_cast<int>(column)); }
  void weigh(std::span<const uint64_t> keys, std::span<const int> columns, float* out) const;

  /// Warm start: features begin with their weights in `trained`. Column c begins with column from[c] of `trained`, or
  /// with zeros if from[c] is -1. To be called before anything is learned.
  void start_from(const Linear& trained, std::vector<int> from);

  /// The rows of the keys; new keys get new rows (row 0 if the index has no room or allocation is delayed).
  void locate(std::span<const uint64_t> keys, uint32_t* rows);
  uint32_t locate(uint64_t key) {
    uint32_t row;
    locate({&key, 1}, &row);
    return row;
  }
  /// Adds change[c] to column c of all these rows, and counts the update; rows with too few updates are dropped by
  /// `freeze`. Row 0 must not be among them.
  void change(std::span<const uint32_t> rows, std::span<const float> change);
  /// Adds `step` to columns begin..end-1 of a row.
  void adjust(uint32_t row, int begin, int end, float step) {
    rows_.adjust(row, begin, end, step, static_cast<float>(clock_) * step);
  }
  void touch(uint32_t row) { ++updates_[row]; }
  /// Counts a training instance, whether or not it changed weights.
  void tick() { ++clock_; }
  /// Sets all weights to zero, as an update would; the averages keep their history.
  void begin_anew();

  int columns() const { return columns_; }
  float scale() const { return 1; }
  float unit() const { return 1; }
  size_t row_count() const { return updates_.size(); }

  struct Freeze {
    int least_updates = 2;  ///< rows updated less often are dropped
    double drop = 0;        ///< large models: this share of the rows is dropped too, those with the smallest weights
    size_t most_rows = 0;   ///< rows that stay, about; 0 = no limit
    int most_features = kMostFeatures;  ///< features that one sum adds up, at most; fewer allow finer weights
    float largest = 0;  ///< the integer that the largest weight becomes; 0 = the most at which no sum overflows
  };
  Linear freeze(const Freeze& how) const;
  /// Only the rows that `freeze` would keep stay, with their averaged weights; no feature gets a row any more.
  /// Averaging begins anew. Not after a warm start.
  void keep_only(const Freeze& how);

  /// The whole state, for checkpoints. An object that restores must be new, with the same arguments.
  void archive(Archive& archive);

 private:
  uint32_t new_row(uint64_t key);
  bool wanted_before(uint64_t key);
  bool index_row(uint32_t row, uint64_t key);
  struct Kept {
    std::vector<uint32_t> rows;  // the most often updated ones first
    std::vector<float> largest;  // weight of each
  };
  Kept kept(const Freeze& how) const;
  void read_average(uint32_t row, std::span<float> weights, std::span<float> moments) const;
  float scale_for(const Freeze& how, std::span<const float> largest) const;

  int columns_;
  Delay delay_;
  FloatRows rows_;
  uint64_t clock_ = 1;
  FeatureIndex index_;
  std::vector<uint64_t> keys_;     // of each row, for rebuilding the index; 0 = not known yet
  std::vector<uint32_t> updates_;  // of each row
  std::vector<float> late_change_;
  // Keys whose rows are delayed. kSecondInstance: by hash, parts of the last key and of the clock at its update; later
  // keys overwrite earlier ones. kSecondTime: a bit per hash.
  static constexpr size_t kRemembered = size_t{1} << 24;
  std::vector<uint16_t> wanted_;
  bool closed_ = false;  // after keep_only
  TrainedRows start_;    // the first rows, of a warm start; none of them is in the index
};

}  // namespace espalier
