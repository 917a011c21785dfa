#include "espalier/weights/float_rows.h"

#include <algorithm>

namespace espalier {

FloatRows::FloatRows(int columns, bool compact)
    : columns_(columns),
      compact_(compact && columns <= kMostColumns),
      most_lines_(std::clamp(columns / 32, 1, 4)),
      weights_(static_cast<size_t>(columns)),
      moments_(static_cast<size_t>(columns)) {
  if (compact_) more_.reach(0);
  if (compact_) new_dense_row();
  add_row();
}

uint32_t FloatRows::add_row() {
  if (!compact_) return size_ = dense_size_ + 1, new_dense_row();
  lines_.reach(size_);
  clear(*lines_[size_]);
  return size_++;
}

uint32_t FloatRows::new_dense_row() {
  weights_.reach(dense_size_);
  moments_.reach(dense_size_);
  return dense_size_++;
}

/// Adds in the order of the rows. Callers have prefetched the rows' first lines; further lines are prefetched
/// here.
void FloatRows::add_compact(std::span<const uint32_t> rows, float* sum) const {
  constexpr size_t kBatch = 64;
  float local[kMostColumns + kMostRanges + kEntries];
  std::copy_n(sum, columns_, local);
  std::fill_n(local + columns_, kMostRanges + kEntries, 0.f);
  uint32_t known[kBatch];
  const Line* first[kBatch];
  while (!rows.empty()) {
    const auto batch = rows.first(std::min(rows.size(), kBatch));
    size_t count = 0;
    for (const uint32_t row : batch) {
      known[count] = row;
      count += row != 0;
    }
    for (size_t i = 0; i < count; ++i) {
      first[i] = lines_[known[i]];
      const uint32_t next = first[i]->next;
      if (next == 0) continue;
      if (next & kDense)
        for (int c = 0; c < columns_; c += 16) __builtin_prefetch(weights_[next & ~kDense] + c);
      else
        __builtin_prefetch(more_[next]);
    }
    for (size_t i = 0; i < count; ++i)
      for (const Line* line = first[i];; line = more_[line->next]) {
        for (int k = 0; k < kEntries; ++k) local[line->column[k]] += line->weight[k];
        if (line->next == 0) break;
        if (line->next & kDense) {
          const uint32_t row = line->next & ~kDense;
          row_sum().float_rows(weights_.starts(), Chunks<float>::kBits, columns_, {&row, 1}, local);
          break;
        }
      }
    rows = rows.subspan(batch.size());
  }
  for (size_t r = 0; r < ranges_.size(); ++r)
    for (int c = ranges_[r].begin; c < ranges_[r].end; ++c) local[c] += local[columns_ + static_cast<int>(r)];
  std::copy_n(local, columns_, sum);
}

float FloatRows::value(uint32_t row, int column) const {
  if (!compact_) return weights_[row][column];
  float sum = 0;
  const uint32_t dense = for_each_entry(row, [&](int entry, float weight, float) {
    const Range columns = range(entry);
    if (columns.begin <= column && column < columns.end) sum += weight;
  });
  return dense ? weights_[dense][column] : sum;
}

void FloatRows::read(uint32_t row, float* weights, float* moments) const {
  uint32_t dense = row;
  if (compact_) {
    std::fill_n(weights, columns_, 0.f);
    std::fill_n(moments, columns_, 0.f);
    dense = for_each_entry(row, [&](int entry, float weight, float moment) {
      const Range columns = range(entry);
      for (int c = columns.begin; c < columns.end; ++c) {
        weights[c] += weight;
        moments[c] += moment;
      }
    });
    if (dense == 0) return;
  }
  std::copy_n(weights_[dense], columns_, weights);
  std::copy_n(moments_[dense], columns_, moments);
}

/// The number that stands for this range of columns in an entry; -1 if there are too many ranges already.
int FloatRows::entry_for(int begin, int end) {
  if (end - begin == 1) return begin;
  const auto known =
      std::ranges::find_if(ranges_, [&](const Range& range) { return range.begin == begin && range.end == end; });
  const auto r = static_cast<int>(known - ranges_.begin());
  if (r == kMostRanges) return -1;
  if (known == ranges_.end()) ranges_.push_back({begin, end});
  return columns_ + r;
}

void FloatRows::adjust_compact(uint32_t row, int begin, int end, float weight, float moment) {
  const uint32_t next = lines_[row]->next;
  if (next & kDense) return adjust_dense(next & ~kDense, begin, end, weight, moment);
  if (begin == end) return;
  if (const int column = entry_for(begin, end); column >= 0) return add_entry(row, column, weight, moment);
  for (int c = begin; c < end; ++c) adjust_compact(row, c, c + 1, weight, moment);
}

void FloatRows::add_entry(uint32_t row, int column, float weight, float moment) {
  Line* line = lines_[row];
  for (int lines = 1;; line = more_[line->next], ++lines) {
    for (int k = 0; k < kEntries; ++k) {
      if (line->column[k] != column && line->column[k] < free()) continue;  // free entries come last
      line->column[k] = static_cast<uint16_t>(column);
      line->weight[k] += weight;
      line->moment[k] += moment;
      return;
    }
    if (line->next != 0) continue;
    if (lines == most_lines_) {
      const Range columns = range(column);
      return adjust_dense(make_dense(row), columns.begin, columns.end, weight, moment);
    }
    if (spare_.empty()) {
      spare_.push_back(more_size_++);
      more_.reach(spare_.back());
    }
    line->next = spare_.back();
    spare_.pop_back();
    clear(*more_[line->next]);
  }
}

uint32_t FloatRows::make_dense(uint32_t row) {
  const uint32_t dense = new_dense_row();
  for_each_entry(row, [&](int entry, float weight, float moment) {
    const Range columns = range(entry);
    adjust_dense(dense, columns.begin, columns.end, weight, moment);
  });
  for (uint32_t next = lines_[row]->next; next != 0; next = more_[next]->next) spare_.push_back(next);
  clear(*lines_[row]);
  lines_[row]->next = dense | kDense;
  return dense;
}

void FloatRows::change(std::span<const uint32_t> rows, const float* weights, const float* moments) {
  if (!compact_) {
    row_sum().change_rows(weights_.starts(), Chunks<float>::kBits, columns_, rows, weights);
    row_sum().change_rows(moments_.starts(), Chunks<float>::kBits, columns_, rows, moments);
    return;
  }
  for (const uint32_t row : rows)
    for (int c = 0; c < columns_; ++c)
      if (weights[c] != 0) adjust_compact(row, c, c + 1, weights[c], moments[c]);
}

void FloatRows::begin_anew(float clock) {
  const auto undo = [&](float* weights, float* moments, int count) {
    for (int i = 0; i < count; ++i) {
      moments[i] -= clock * weights[i];
      weights[i] = 0;
    }
  };
  for (uint32_t row = 0; row < dense_size_; ++row) undo(weights_[row], moments_[row], columns_);
  if (!compact_) return;
  for (uint32_t row = 0; row < size_; ++row) undo(lines_[row]->weight, lines_[row]->moment, kEntries);
  for (uint32_t line = 0; line < more_size_; ++line) undo(more_[line]->weight, more_[line]->moment, kEntries);
}

size_t FloatRows::archived_bytes() const {
  if (!compact_) return size_ * least_archived_bytes();
  size_t bytes = size_ * least_archived_bytes();
  for (uint32_t row = 0; row < size_; ++row) {
    const uint32_t dense =
        for_each_entry(row, [&](int, float, float) { bytes += sizeof(uint32_t) + 2 * sizeof(float); });
    if (dense) bytes += 2 * sizeof(float) * static_cast<size_t>(columns_);
  }
  return bytes;
}

void FloatRows::archive(Archive& a) {
  const auto dense_row = [&](uint32_t row) {
    a.items(std::span(weights_[row], static_cast<size_t>(columns_)));
    a.items(std::span(moments_[row], static_cast<size_t>(columns_)));
  };
  if (!compact_) {
    for (uint32_t row = 0; row < size_; ++row) dense_row(row);
    return;
  }
  if (a.reading()) {  // the state includes the rows of a warm start
    const uint32_t rows = size_;
    *this = FloatRows(columns_, true);
    while (size_ < rows) add_row();
  }
  a.array(ranges_);
  for (const Range& range : ranges_)
    if (ranges_.size() > kMostRanges || range.begin < 0 || range.begin >= range.end || range.end > columns_)
      throw Error(ErrorKind::kData, "the checkpoint is damaged");
  const size_t most_entries = static_cast<size_t>(most_lines_) * kEntries,
               names = static_cast<size_t>(columns_) + ranges_.size();
  std::vector<uint32_t> columns;
  std::vector<float> numbers;  // a weight and a moment each
  for (uint32_t row = 0; row < size_; ++row) {
    uint32_t dense = 0;
    columns.clear();
    numbers.clear();
    if (!a.reading())
      dense = for_each_entry(row, [&](int column, float weight, float moment) {
        columns.push_back(static_cast<uint32_t>(column));
        numbers.insert(numbers.end(), {weight, moment});
      });
    size_t entries = dense ? most_entries + 1 : columns.size();
    a.count(entries, 0, most_entries + 1);
    if (entries > most_entries) {
      dense_row(a.reading() ? make_dense(row) : dense);
      continue;
    }
    columns.resize(entries);
    numbers.resize(2 * entries);
    a.items(std::span(columns));
    a.items(std::span(numbers));
    for (size_t i = 0; a.reading() && i < entries; ++i) {
      if (columns[i] >= names) throw Error(ErrorKind::kData, "the checkpoint is damaged");
      add_entry(row, static_cast<int>(columns[i]), numbers[2 * i], numbers[2 * i + 1]);
    }
  }
}

}  // namespace espalier
