#include "espalier/weights/trained_rows.h"

#include <algorithm>

namespace espalier {
namespace {

constexpr double kMostLoad = 9.5;  // keys per bucket of twelve: a few do not fit, the least important ones
constexpr size_t kMostFiner = 1024;

/// Into how many buckets to split each one so that all rows find room: a row with an unknown key takes a slot in each.
size_t finer_by(size_t buckets, size_t known, size_t unknown) {
  const auto load = [&](size_t finer) {
    return static_cast<double>(known + unknown * finer) / static_cast<double>(buckets * finer);
  };
  size_t finer = 1;
  while (load(finer) > kMostLoad && finer < kMostFiner) finer *= 2;
  return finer;
}

}  // namespace

TrainedRows::TrainedRows(const StoredRows& stored)
    : index_(stored.index.begin(), stored.index.end()),
      places_(stored.rows.size() / static_cast<size_t>(stored.width)),
      unit_(stored.unit) {
  for (size_t b = 0; b < index_.size(); ++b)
    for (unsigned slot = 0; slot < RowBucket::kSlots && index_[b].fingerprint[slot] != 0; ++slot)
      places_[index_[b].first_row + slot] = {static_cast<uint32_t>(b), index_[b].fingerprint[slot]};
}

void TrainedRows::find(std::span<const uint64_t> keys, uint32_t* rows) const {
  constexpr size_t kChunk = 64;
  ScaledRow found[kChunk];
  for (; !keys.empty(); keys = keys.subspan(std::min(keys.size(), kChunk)), rows += kChunk) {
    const auto some = keys.first(std::min(keys.size(), kChunk));
    find_rows()(index_, some, found);
    for (size_t i = 0; i < some.size(); ++i)
      if (rows[i] == 0) rows[i] = found[i] & kRowMask;
  }
}

TrainedRows::Builder::Builder(const TrainedRows& before, std::span<const uint32_t> kept, std::span<const uint64_t> keys)
    : before_(before), keys_(keys), finer_(1), builder_(kept.size()) {
  if (!before.any()) return;
  const auto unknown = static_cast<size_t>(std::ranges::count(kept, 0u, [&](uint32_t row) { return keys[row]; }));
  finer_ = finer_by(before.index_.size(), kept.size() - unknown, unknown);
  builder_ = FrozenIndexBuilder::with_buckets(before.index_.size() * finer_);
}

void TrainedRows::Builder::insert(uint32_t row, int shift, uint32_t source) {
  if (row >= before_.end() || keys_[row] != 0) {
    builder_.insert(keys_[row], shift, source);
    return;
  }
  const Place place = before_.places_[row];
  const size_t buckets = before_.index_.size() * finer_;
  for (size_t i = 0; i < finer_; ++i)
    builder_.insert(key_in(place.bucket * finer_ + i, buckets, place.fingerprint), shift, source);
}

}  // namespace espalier
