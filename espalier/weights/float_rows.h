// Rows of weights in training, each weight with a moment, from which its average is computed (by OnlineLinear, which
// has the features' keys). Two kinds:
//   dense     every row has all its columns
//   compact   a row begins as a cache line with room for six columns, which suffices for most features of a large
//             treebank. Others get further lines, and a dense row when that is shorter. An addition to a range of
//             columns, such as a move's actions, is one entry.
// Both sum in the order of the rows, so that additions to single columns give the same sums to the last bit.
// Tested by float_rows_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/archive.h"
#include "espalier/base/large_pages.h"
#include "espalier/weights/row_sum.h"

namespace espalier {

/// A growing array in chunks, whose items never move.
template <class T>
class Chunks {
 public:
  static constexpr int kBits = 14;
  explicit Chunks(size_t width = 1) : width_(width) {}
  /// Grows to include item `i`; new items are zero.
  void reach(uint32_t i) {
    while (i >> kBits >= starts_.size()) {
      memory_.emplace_back(width_ << kBits);
      starts_.push_back(memory_.back().data());
    }
  }
  T* operator[](uint32_t i) const { return starts_[i >> kBits] + (i & ((1u << kBits) - 1)) * width_; }
  T* const* starts() const { return starts_.data(); }

 private:
  size_t width_;
  std::vector<std::vector<T, LargePageAllocator<T>>> memory_;
  std::vector<T*> starts_;
};

class FloatRows {
 public:
  /// `columns` is a multiple of kColumnStep. Row 0 exists and stays zero. Very long rows are always dense.
  FloatRows(int columns, bool compact);

  uint32_t size() const { return size_; }
  uint32_t add_row();

  void prefetch(uint32_t row) const {
    if (compact_) return __builtin_prefetch(lines_[row]);
    for (int c = 0; c < columns_; c += 16) __builtin_prefetch(weights_[row] + c);
  }
  /// sum[c] += the weights of all rows.
  void add(std::span<const uint32_t> rows, float* sum) const {
    if (compact_) return add_compact(rows, sum);
    row_sum().float_rows(weights_.starts(), Chunks<float>::kBits, columns_, rows, sum);
  }
  /// The weights of a row, where all are dense.
  const float* dense(uint32_t row) const { return weights_[row]; }
  float value(uint32_t row, int column) const;
  /// Weights and moments of all columns.
  void read(uint32_t row, float* weights, float* moments) const;

  /// Adds to the weights and moments of columns begin..end-1.
  void adjust(uint32_t row, int begin, int end, float weight, float moment) {
    if (compact_) return adjust_compact(row, begin, end, weight, moment);
    adjust_dense(row, begin, end, weight, moment);
  }
  /// Adds weights[c] and moments[c] to all columns of these rows.
  void change(std::span<const uint32_t> rows, const float* weights, const float* moments);
  /// Subtracts `clock` times each weight from its moment, then sets all weights to zero.
  void begin_anew(float clock);

  /// Saves or restores all rows; an object that restores must be new.
  void archive(Archive& archive);
  size_t archived_bytes() const;
  size_t least_archived_bytes() const {  ///< of a row
    return compact_ ? sizeof(uint64_t) : 2 * sizeof(float) * static_cast<size_t>(columns_);
  }

 private:
  static constexpr int kEntries = 6, kMostRanges = 10;
  static constexpr int kMostColumns = 1024;  // of compact rows
  static constexpr uint32_t kDense = uint32_t{1} << 31;
  struct alignas(64) Line {
    float weight[kEntries] = {}, moment[kEntries] = {};
    uint16_t column[kEntries] = {};  // a column; or columns_ + r: range r; from free() on: unused
    uint32_t next = 0;               // the next line in more_; with kDense, a dense row; 0 = none
  };
  static_assert(sizeof(Line) == 64);
  struct Range {
    int begin, end;
  };

  int free() const { return columns_ + kMostRanges; }
  void clear(Line& line) const {
    line = {};
    for (int k = 0; k < kEntries; ++k) line.column[k] = static_cast<uint16_t>(free() + k);
  }
  Range range(int column) const { return column < columns_ ? Range{column, column + 1} : ranges_[column - columns_]; }
  void add_compact(std::span<const uint32_t> rows, float* sum) const;
  void adjust_dense(uint32_t row, int begin, int end, float weight, float moment) {
    float *w = weights_[row], *m = moments_[row];
    for (int c = begin; c < end; ++c) {
      w[c] += weight;
      m[c] += moment;
    }
  }
  void adjust_compact(uint32_t row, int begin, int end, float weight, float moment);
  int entry_for(int begin, int end);
  void add_entry(uint32_t row, int column, float weight, float moment);
  uint32_t new_dense_row();
  uint32_t make_dense(uint32_t row);
  /// Calls visit(column, weight, moment) for a row's entries; returns its dense row, which has the rest, or 0.
  template <class Visit>
  uint32_t for_each_entry(uint32_t row, Visit&& visit) const {
    for (const Line* line = lines_[row];; line = more_[line->next]) {
      for (int k = 0; k < kEntries; ++k)
        if (line->column[k] < free()) visit(int{line->column[k]}, line->weight[k], line->moment[k]);
      if (line->next == 0 || line->next & kDense) return line->next & ~kDense;
    }
  }

  int columns_;
  bool compact_;
  int most_lines_;  // of a row that is not dense
  uint32_t size_ = 0, dense_size_ = 0, more_size_ = 1;
  Chunks<float> weights_, moments_;  // of dense rows
  Chunks<Line> lines_, more_;        // compact rows: their first lines; further lines (0 is unused)
  std::vector<uint32_t> spare_;      // lines of more_ whose rows have become dense
  std::vector<Range> ranges_;
};

}  // namespace espalier
