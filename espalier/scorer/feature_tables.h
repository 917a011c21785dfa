// Weights of hashed features, one row of columns per feature. Two tables with one interface:
//   TrainingTable  floats, rows made on demand, lazily averaged (Collins 2002)
//   FrozenTable    what a model ships: signed bytes with one power-of-two scale per row, used where they are mapped
// A `ref` names a row (0 = the feature has none) and, in the frozen table, its scale. Both sum whole rows (arcs, a
// column per label) and read single columns (higher-order parts, columns hashed from labels).
// Tested by feature_tables_test.cc.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "espalier/scorer/slot_index.h"

namespace espalier {

class TrainingTable {
 public:
  using Sum = float;
  static constexpr int kRowBits = 21;

  /// Rows of `width` columns; room for 2^21 - 1 of them, which takes memory only as they are made.
  TrainingTable(int log2_slots, int width);

  int width() const { return width_; }
  uint32_t rows() const { return rows_; }
  float unit() const { return 1; }
  void prefetch_slot(uint64_t key) const { index_.prefetch(key); }
  uint32_t find(uint64_t key) const { return index_.find(key); }
  void prefetch_row(uint32_t ref) const {
    const float* row = weights(ref);
    for (int i = 0; i < width_; i += 16) __builtin_prefetch(row + i);
  }
  float value(uint32_t ref, uint32_t column) const { return weights(ref)[column]; }
  /// sums[0..width) += all rows.
  void add_rows(std::span<const uint32_t> refs, float* sums) const;

  /// The feature's row, made when it is asked for the second time: most features are updated once, by chance, and would
  /// only take memory. 0 if there is none (yet), or the table is full: then the feature is left out.
  uint32_t make(uint64_t key);
  /// `clock` counts training instances from 1; see averaged().
  void update(uint32_t ref, int column, float step, double clock) {
    const size_t at = size_t{ref} * width_ + column;
    weights_.get()[at] += step;
    moments_.get()[at] += static_cast<float>(clock * step);
  }
  void touch(uint32_t ref) {
    if (touched_[ref] < 255) ++touched_[ref];
  }
  /// Mean of the weight over all instances before `clock`.
  float averaged(uint32_t ref, int column, double clock) const {
    const size_t at = size_t{ref} * width_ + column;
    return weights_.get()[at] - static_cast<float>(moments_.get()[at] / clock);
  }
  uint64_t key(uint32_t ref) const { return keys_[ref]; }
  int touched(uint32_t ref) const { return touched_[ref]; }

 private:
  struct Free {
    void operator()(float* memory) const { std::free(memory); }
  };
  const float* weights(uint32_t ref) const { return weights_.get() + size_t{ref} * width_; }

  int width_;
  uint32_t rows_ = 1, capacity_;
  std::vector<uint32_t> slots_;
  SlotIndex<kRowBits> index_;
  std::unique_ptr<float, Free> weights_, moments_;
  std::vector<uint64_t> keys_;
  std::vector<uint8_t> touched_;
  std::vector<uint64_t> asked_once_;  // a set of hashes, as bits
};

class FrozenTable {
 public:
  using Sum = int16_t;
  static constexpr int kRowBits = 21, kScaleBits = 3;

  FrozenTable() = default;
  /// Averages, prunes rows updated fewer than `least_updates` times, quantises.
  FrozenTable(const TrainingTable& table, double clock, int least_updates);
  /// Uses memory that `owner` keeps alive. The caller checks that the sizes fit: see `valid`.
  FrozenTable(std::span<const uint32_t> slots, std::span<const int8_t> rows, int width, float unit);
  /// True if every slot names a row that is there.
  bool valid() const;

  int width() const { return width_; }
  size_t rows() const { return rows_.size() / width_; }
  float unit() const { return unit_; }
  void prefetch_slot(uint64_t key) const { index_.prefetch(key); }
  uint32_t find(uint64_t key) const { return index_.find(key); }
  void prefetch_row(uint32_t ref) const { __builtin_prefetch(row(ref)); }
  int value(uint32_t ref, uint32_t column) const { return row(ref)[column] * (1 << (ref >> kRowBits)); }
  void add_rows(std::span<const uint32_t> refs, int16_t* sums) const { add_rows_(*this, refs, sums); }
  void add_rows_portable(std::span<const uint32_t> refs, int16_t* sums) const;
  void add_rows_avx2(std::span<const uint32_t> refs, int16_t* sums) const;

  std::span<const uint32_t> slots() const { return slots_; }
  std::span<const int8_t> bytes() const { return rows_; }

 private:
  using AddRows = void (*)(const FrozenTable&, std::span<const uint32_t>, int16_t*);
  static AddRows best_kernel();
  const int8_t* row(uint32_t ref) const { return rows_.data() + size_t{ref & ((1u << kRowBits) - 1)} * width_; }

  int width_ = 16;
  float unit_ = 1;
  std::span<const uint32_t> slots_;
  std::span<const int8_t> rows_;
  SlotIndex<kRowBits + kScaleBits> index_;
  std::shared_ptr<std::vector<uint32_t>> owned_slots_;
  std::shared_ptr<std::vector<int8_t>> owned_rows_;
  AddRows add_rows_ = best_kernel();
};

}  // namespace espalier
