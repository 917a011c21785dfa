// Weights of hashed features, one row of columns per feature. Two tables with one interface:
//   TrainingTable  floats, rows made on demand without limit, lazily averaged (Collins 2002)
//   FrozenTable    what a model ships: signed bytes with one power-of-two scale per row, used where they are mapped
// A `ref` names a row (0 = the feature has none) and, in the frozen table, its scale. Both sum whole rows (arcs, a
// column per label) and read single columns (higher-order parts, columns hashed from labels).
// Tested by feature_tables_test.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "espalier/base/archive.h"
#include "espalier/base/large_pages.h"
#include "espalier/weights/feature_index.h"
#include "espalier/weights/frozen_index.h"
#include "espalier/weights/trained_rows.h"

namespace espalier {

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

/// Tables of this width can be read by hashed columns: a feature's weights for unlimited many labels are spread over
/// its row by its own key.
inline constexpr int kHashedColumns = 16;
inline uint32_t hashed_column(uint64_t key, uint32_t hash) {
  return ((static_cast<uint32_t>(key) ^ hash) * 0x9E3779B1u) >> 28;
}

class TrainingTable {
 public:
  using Sum = float;
  using ColumnSum = float;

  /// Rows of `width` columns.
  explicit TrainingTable(int width);

  int width() const { return width_; }
  uint32_t rows() const { return static_cast<uint32_t>(keys_.size()); }
  float unit() const { return 1; }
  /// Says that these keys will be looked for.
  void prefetch(std::span<const uint64_t> keys) const { index_.prefetch(keys); }
  /// Fills refs[i] for keys[i].
  void find(std::span<const uint64_t> keys, uint32_t* refs) const {
    index_.find(keys, refs);
    if (start_.any()) start_.find(keys, refs);
  }
  uint32_t find(uint64_t key) const {
    uint32_t ref = index_.find(key);
    if (start_.any()) start_.find({&key, 1}, &ref);
    return ref;
  }
  void prefetch_row(uint32_t ref) const {
    const float* row = weights(ref);
    for (int i = 0; i < width_; i += 16) __builtin_prefetch(row + i);
  }
  float value(uint32_t ref, uint32_t column) const { return weights(ref)[column]; }
  /// sums[0..width) += all rows.
  void add_rows(std::span<const uint32_t> refs, float* sums) const;
  /// sums[j] += the column that hashes[j] selects, of all `count` features; j < lanes. Width 16 only; both arrays have
  /// room for lanes up to the next multiple of 8.
  void add_columns(const uint32_t* refs, const uint64_t* keys, int count, const uint32_t* hashes, int lanes,
                   float* sums) const {
    for (int i = 0; i < count; ++i) {
      const float* row = weights(refs[i]);
      for (int j = 0; j < lanes; ++j) sums[j] += row[hashed_column(keys[i], hashes[j])];
    }
  }

  /// Goes on from what was trained before: features begin with the weights that they have there. `from[c]` is the
  /// column there of column c, -1 = none. To be called before anything is learned.
  void start_from(const StoredRows& trained, std::vector<int> from);
  const TrainedRows& start() const { return start_; }

  /// The feature's row, made when it is asked for the second time: most features are updated once, by chance, and would
  /// only take memory. 0 if there is none (yet).
  uint32_t make(uint64_t key);
  /// `clock` counts training instances from 1; see averaged().
  void update(uint32_t ref, int column, float step, double clock) {
    float* row = mutable_weights(ref);
    row[column] += step;
    row[width_ + column] += static_cast<float>(clock * step);
  }
  /// All weights become zero, as if an update had undone them; what they were stays in the average.
  void begin_anew(double clock);
  void touch(uint32_t ref) {
    if (touched_[ref] < 255) ++touched_[ref];
  }
  /// Mean of the weight over all instances before `clock`.
  float averaged(uint32_t ref, int column, double clock) const {
    const float* row = weights(ref);
    return row[column] - static_cast<float>(row[width_ + column] / clock);
  }
  /// The whole state, for checkpoints. What reads must be as it was made.
  void archive(Archive& archive);
  std::span<const uint64_t> keys() const { return keys_; }  ///< by row; 0 = not known
  int touched(uint32_t ref) const { return touched_[ref]; }

 private:
  // A row's weights are followed by the moments from which their averages come.
  static constexpr int kChunkBits = 14;
  size_t offset(uint32_t ref) const { return size_t{ref & ((1u << kChunkBits) - 1)} * 2 * static_cast<size_t>(width_); }
  const float* weights(uint32_t ref) const { return chunks_[ref >> kChunkBits].data() + offset(ref); }
  float* mutable_weights(uint32_t ref) { return chunks_[ref >> kChunkBits].data() + offset(ref); }
  void add_row(uint64_t key);
  bool index_row(uint32_t ref, uint64_t key);

  int width_;
  FeatureIndex index_;
  std::vector<LargeVector<float>> chunks_;
  std::vector<uint64_t> keys_;
  std::vector<uint8_t> touched_;
  std::vector<uint64_t> asked_once_;  // a set of hashes, as bits
  TrainedRows start_;                 // the first rows; none are in the index
};

class FrozenTable {
 public:
  using Sum = int16_t;
  using ColumnSum = int32_t;

  FrozenTable() = default;
  /// What of a trained table is worth keeping.
  struct Pruning {
    int least_updates = 1;  ///< rows updated less often are dropped
    double drop = 0;        ///< of a large table: this share of the rest too, rows with the smallest weights
  };
  /// Averages, prunes, quantises.
  FrozenTable(const TrainingTable& table, double clock, const Pruning& pruning);
  /// Uses memory that somebody else keeps alive; `valid` says whether the pieces fit together.
  FrozenTable(std::span<const RowBucket> index, std::span<const int8_t> rows, int width, float unit);
  /// True if every feature's row is there.
  bool valid() const;

  int width() const { return width_; }
  size_t rows() const { return rows_.size() / static_cast<size_t>(width_); }
  float unit() const { return unit_; }
  /// Says that these keys will be looked for.
  void prefetch(std::span<const uint64_t> keys) const {
    for (const uint64_t key : keys) __builtin_prefetch(&index_[bucket_of(key, index_.size())]);
  }
  /// Fills refs[i] for keys[i].
  void find(std::span<const uint64_t> keys, uint32_t* refs) const { find_(index_, keys, refs); }
  void prefetch_row(uint32_t ref) const { __builtin_prefetch(row(ref)); }
  int value(uint32_t ref, uint32_t column) const { return row(ref)[column] * (1 << (ref >> kRowBits)); }
  void add_rows(std::span<const uint32_t> refs, int16_t* sums) const { kernels_->add_rows(*this, refs, sums); }
  void add_columns(const uint32_t* refs, const uint64_t* keys, int count, const uint32_t* hashes, int lanes,
                   int32_t* sums) const {
    kernels_->add_columns(*this, refs, keys, count, hashes, lanes, sums);
  }

  /// The inner loops, portable and for AVX2, with equal results.
  struct Kernels {
    void (*add_rows)(const FrozenTable&, std::span<const uint32_t> refs, int16_t* sums);
    void (*add_columns)(const FrozenTable&, const uint32_t* refs, const uint64_t* keys, int count,
                        const uint32_t* hashes, int lanes, int32_t* sums);
  };
  static const Kernels kPortable;
  static const Kernels& best_kernels();

  std::span<const RowBucket> index() const { return index_; }
  std::span<const int8_t> bytes() const { return rows_; }
  StoredRows stored() const { return {index_, rows_, width_, unit_}; }

 private:
  friend struct FrozenKernels;
  const int8_t* row(uint32_t ref) const { return rows_.data() + size_t{ref & kRowMask} * static_cast<size_t>(width_); }

  int width_ = 16;
  float unit_ = 1;
  std::span<const RowBucket> index_;
  std::span<const int8_t> rows_;
  std::shared_ptr<const LargeVector<RowBucket>> owned_index_;
  std::shared_ptr<const LargeVector<int8_t>> owned_rows_;
  FindRows find_ = find_rows();
  const Kernels* kernels_ = &best_kernels();
};

}  // namespace espalier
