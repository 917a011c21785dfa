#include "espalier/weights/linear.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "espalier/base/error.h"
#include "espalier/base/hash.h"

namespace espalier {

std::string Linear::problem() const {
  if (columns_ <= 0 || columns_ % kColumnStep != 0) return "the number of columns is wrong";
  if (rows_.empty() || rows_.size() % static_cast<size_t>(columns_) != 0) return "the weight rows are damaged";
  if (index_.empty()) return "the feature index is damaged";
  if (!index_fits(index_, row_count())) return "the feature index points past the weights";
  return "";
}

void Linear::weigh(std::span<const uint64_t> keys, std::span<const int> columns, float* out) const {
  ScaledRow found[kMostFeatures];
  find_rows()(index_, keys, found);
  for (size_t i = 0; i < keys.size(); ++i) {
    int sum = 0;
    for (const int c : columns) sum += value(found[i], static_cast<uint32_t>(c));
    out[i] = static_cast<float>(sum) / scale_;
  }
}

void OnlineLinear::weigh(std::span<const uint64_t> keys, std::span<const int> columns, float* out) const {
  uint32_t found[kMostFeatures];
  find(keys, found);
  for (size_t i = 0; i < keys.size(); ++i) {
    out[i] = 0;
    for (const int c : columns) out[i] += value(found[i], static_cast<uint32_t>(c));
  }
}

void OnlineLinear::start_from(const Linear& trained, std::vector<int> from) {
  from.resize(columns_, -1);
  start_ = TrainedRows(trained.stored());
  while (row_count() < start_.end()) new_row(0);
  TrainedRows::for_each_row(trained.stored(), from, [&](uint32_t row, std::span<const float> weights) {
    for (int c = 0; c < columns_; ++c)
      if (const float weight = weights[c]; weight != 0) rows_.adjust(row, c, c + 1, weight, 0);
  });
}

OnlineLinear::OnlineLinear(int columns, Delay delay)
    : columns_((columns + kColumnStep - 1) / kColumnStep * kColumnStep),
      delay_(delay),
      rows_(columns_, delay == Delay::kSecondInstance) {
  keys_.push_back(0);
  updates_.push_back(0);
  if (delay != Delay::kNone) wanted_.assign(delay == Delay::kSecondInstance ? kRemembered : kRemembered / 4, 0);
}

bool OnlineLinear::wanted_before(uint64_t key) {
  if (delay_ == Delay::kNone) return true;
  if (delay_ == Delay::kSecondTime) {
    const size_t bit = (mix(key) << 6 | key >> 58) & (16 * wanted_.size() - 1);
    const auto mask = static_cast<uint16_t>(1 << (bit & 15));
    return std::exchange(wanted_[bit / 16], wanted_[bit / 16] | mask) & mask;
  }
  uint16_t& place = wanted_[(key >> 8) & (kRemembered - 1)];
  const auto part = static_cast<uint16_t>((key & 255) << 8), now = static_cast<uint16_t>(clock_ & 255);
  const bool before = (place & 0xff00) == part && (place & 255) != now && place != 0;
  if (!before) place = part | now;
  return before;
}

uint32_t OnlineLinear::new_row(uint64_t key) {
  keys_.push_back(key);
  updates_.push_back(0);
  return rows_.add_row();
}

bool OnlineLinear::index_row(uint32_t row, uint64_t key) {
  if (index_.crowded()) {
    FeatureIndex larger(index_.bucket_count() * 2);
    for (uint32_t earlier = start_.end(); earlier < row; ++earlier) larger.insert(keys_[earlier], earlier);
    index_ = std::move(larger);
  }
  return index_.insert(key, row);
}

void OnlineLinear::locate(std::span<const uint64_t> keys, uint32_t* rows) {
  find(keys, rows);
  if (closed_) return;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (start_.any()) start_.meet(rows[i], keys[i], keys_[rows[i]]);
    if (rows[i] != 0) continue;
    rows[i] = index_.find(keys[i]);  // an earlier key of this call may have made it
    if (rows[i] != 0) continue;
    if (!wanted_before(keys[i])) continue;
    if (index_row(static_cast<uint32_t>(updates_.size()), keys[i])) rows[i] = new_row(keys[i]);
  }
}

void OnlineLinear::change(std::span<const uint32_t> rows, std::span<const float> change) {
  late_change_.resize(change.size());
  for (size_t c = 0; c < change.size(); ++c) late_change_[c] = static_cast<float>(clock_) * change[c];
  rows_.change(rows, change.data(), late_change_.data());
  for (const uint32_t row : rows) ++updates_[row];
}

void OnlineLinear::begin_anew() { rows_.begin_anew(static_cast<float>(clock_)); }

/// The finest scale at which int16 sums of any `most_features` rows cannot overflow.
float OnlineLinear::scale_for(const Freeze& how, std::span<const float> largest) const {
  std::vector<float> top(largest.begin(), largest.end());
  const size_t summed = std::min(top.size(), static_cast<size_t>(how.most_features));
  std::ranges::partial_sort(top, top.begin() + static_cast<long>(summed), std::greater());
  const float bound = std::accumulate(top.begin(), top.begin() + static_cast<long>(summed), 0.0f);
  if (bound == 0) return 1;
  // Keep the scale of a warm start if it fits, so that unchanged weights are not rounded a second time.
  const float before = 1 / start_.unit();
  if (how.largest > 0) return start_.any() && top[0] * before <= how.largest + 0.5f ? before : how.largest / top[0];
  // Rounding may add half a unit in the last place of each row.
  constexpr int kMostShift = 6;
  if (start_.any() && bound * before <= 31800 && top[0] * before <= 127.49f * (1 << kMostShift)) return before;
  return std::min(32000 / bound * 0.98f, 127.0f * (1 << kMostShift) / top[0]);
}

void OnlineLinear::read_average(uint32_t row, std::span<float> weights, std::span<float> moments) const {
  rows_.read(row, weights.data(), moments.data());
  const float inverse = 1.0f / static_cast<float>(clock_);
  for (size_t c = 0; c < weights.size(); ++c) weights[c] -= moments[c] * inverse;
}

OnlineLinear::Kept OnlineLinear::kept(const Freeze& how) const {
  Kept kept;
  for (uint32_t row = 1; row < updates_.size(); ++row)
    if (row < start_.end() || updates_[row] >= static_cast<uint32_t>(how.least_updates)) kept.rows.push_back(row);
  // The most often updated rows first: they are looked up most often, and share cache lines.
  std::ranges::stable_sort(kept.rows, [&](uint32_t a, uint32_t b) { return updates_[a] > updates_[b]; });

  std::vector<float> weights(columns_), moments(weights.size());
  for (const uint32_t row : kept.rows) {
    read_average(row, weights, moments);
    float most = 0;
    for (const float w : weights) most = std::max(most, std::abs(w));
    kept.largest.push_back(most);
  }
  // The rows of a warm start were pruned before, and so were those that keep_only left.
  if (!start_.any() && !closed_) drop_lightest(how.drop, how.most_rows, kept.rows, kept.largest);
  return kept;
}

void OnlineLinear::keep_only(const Freeze& how) {
  OnlineLinear fewer(columns_, delay_);
  std::vector<float> weights(columns_), moments(weights.size());
  for (const uint32_t row : kept(how).rows) {
    if (!fewer.index_row(static_cast<uint32_t>(fewer.row_count()), keys_[row])) continue;
    const uint32_t number = fewer.new_row(keys_[row]);
    fewer.updates_[number] = updates_[row];
    read_average(row, weights, moments);
    for (int c = 0; c < columns_; ++c)
      if (const float weight = weights[c]; weight != 0) fewer.rows_.adjust(number, c, c + 1, weight, 0);
  }
  fewer.wanted_.clear();
  fewer.closed_ = true;
  *this = std::move(fewer);
}

Linear OnlineLinear::freeze(const Freeze& how) const {
  const auto [kept, largest] = this->kept(how);
  const auto width = static_cast<size_t>(columns_);
  std::vector<float> row_weights(width), moments(width);
  const float scale = scale_for(how, largest);

  TrainedRows::Builder builder(start_, kept, keys_);
  std::vector<uint32_t> sources;
  auto shift_of = [&](float most) {
    int shift = 0;
    while (most * scale > 127.49f * static_cast<float>(1 << shift)) shift += 2;
    return shift;
  };
  for (size_t k = 0; k < kept.size(); ++k)
    if (largest[k] * scale >= 0.5f) builder.insert(kept[k], shift_of(largest[k]), static_cast<uint32_t>(k));

  struct Storage {
    std::vector<RowBucket> index;
    std::vector<int8_t> rows;
  };
  auto storage = std::make_shared<Storage>();
  storage->index = builder.finish(sources);
  storage->rows.assign(sources.size() * width, 0);
  for (size_t row = 1; row < sources.size(); ++row) {
    read_average(kept[sources[row]], row_weights, moments);
    const float row_scale = scale / static_cast<float>(1 << shift_of(largest[sources[row]]));
    int8_t* out = &storage->rows[row * width];
    for (size_t c = 0; c < width; ++c) {
      const float scaled = row_weights[c] * row_scale;
      out[c] = static_cast<int8_t>(static_cast<int>(scaled + (scaled < 0 ? -0.5f : 0.5f)));
    }
  }
  return Linear(storage->index, storage->rows, columns_, scale, storage);
}

void OnlineLinear::archive(Archive& a) {
  size_t columns = static_cast<size_t>(columns_), rows = row_count();
  a.count(columns, columns, columns);
  a.value(clock_);
  a.value(closed_);
  if (closed_) wanted_.clear();
  size_t remembered = wanted_.size();
  a.count(remembered, remembered, remembered);
  a.items(std::span(wanted_));
  a.count(rows, start_.end(), a.reading() ? a.left() / rows_.least_archived_bytes() : rows);
  if (!a.reading()) a.expect(rows * (sizeof keys_[0] + sizeof updates_[0]) + rows_.archived_bytes());
  if (a.reading()) {
    if (row_count() != start_.end())
      throw Error(ErrorKind::kData, "only weights that have learned nothing can be restored");
    while (row_count() < rows) new_row(0);
  }
  a.items(std::span(keys_));
  a.items(std::span(updates_));
  rows_.archive(a);
  // The index grew key by key; growing it in the same order leaves out the same keys.
  if (a.reading())
    for (uint32_t row = start_.end(); row < rows; ++row) index_row(row, keys_[row]);
}

}  // namespace espalier
