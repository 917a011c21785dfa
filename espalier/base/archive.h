// Serialises the state of an object for checkpoints. One function of the object lists its members, and an archive
// either writes or restores them, so that the two cannot differ:
//
//   void archive(Archive& a) { a.value(clock_), a.array(keys_); }
//
// Tested by archive_test.cc.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "espalier/base/error.h"

namespace espalier {

class Archive {
 public:
  /// An archive that writes.
  Archive() = default;
  /// An archive that restores; the bytes must outlive it. Members that do not fit the bytes throw a data Error.
  explicit Archive(std::string_view bytes) : reading_(true), left_(bytes) {}

  bool reading() const { return reading_; }
  /// The bytes written.
  std::string take() { return std::move(written_); }
  /// The number of bytes left to read; 0 at the end.
  size_t left() const { return left_.size(); }
  /// Reserves memory for `bytes` bytes: states are gigabytes, and a growing string would take twice as much.
  void expect(size_t bytes) {
    if (!reading_) written_.reserve(written_.size() + bytes);
  }

  template <class T>
  void value(T& value) {
    items(std::span<T>(&value, 1));
  }
  /// A fixed number of items, the same when writing and when restoring.
  template <class T>
  void items(std::span<T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return;
    if (reading_) {
      if (left_.size() < items.size_bytes()) throw damaged();
      std::memcpy(items.data(), left_.data(), items.size_bytes());
      left_.remove_prefix(items.size_bytes());
      if constexpr (std::is_floating_point_v<T>) check_numbers(std::span<const T>(items));
    } else {
      written_.append(reinterpret_cast<const char*>(items.data()), items.size_bytes());
    }
  }
  /// A number of items; throws if it is not between `least` and `most`.
  void count(size_t& count, size_t least, size_t most) {
    uint64_t number = count;
    value(number);
    if (number < least || number > most) throw damaged();
    count = number;
  }
  /// A vector or string, with its length.
  template <class Vector>
  void array(Vector& vector) {
    size_t size = vector.size();
    count(size, 0, reading_ ? left_.size() / sizeof(vector[0]) : size);
    if (reading_) vector.resize(size);
    items(std::span(vector.data(), size));
  }
  /// The rows of a large table, most of which are zero: only the others are written, and only their memory is touched
  /// when they are restored into a table of zeros.
  void sparse_rows(float* rows, size_t count, size_t width) {
    const auto row = [&](size_t i) { return std::span(rows + i * width, width); };
    const auto is_zero = [](std::span<const float> row) {
      return std::ranges::all_of(row, [](float x) { return x == 0 && !std::signbit(x); });
    };
    size_t filled = 0;
    if (!reading_)
      for (size_t i = 0; i < count; ++i) filled += !is_zero(row(i));
    this->count(filled, 0, count);
    expect(filled * (sizeof(uint64_t) + width * sizeof(float)));
    for (size_t i = 0, next = 0; next < filled; ++i, ++next) {
      while (!reading_ && is_zero(row(i))) ++i;
      this->count(i, 0, count - 1);
      items(row(i));
    }
  }

 private:
  /// Weights are summed and rounded, so they must be finite and too small for a sum to overflow. A score may be
  /// infinite while there is none.
  template <class Real>
  static void check_numbers(std::span<const Real> numbers) {
    bool good = true;
    for (const Real x : numbers) good &= std::is_same_v<Real, float> ? std::abs(x) <= Real(1e30) : !std::isnan(x);
    if (!good) throw damaged();
  }
  static Error damaged() { return {ErrorKind::kData, "the checkpoint is damaged"}; }

  bool reading_ = false;
  std::string written_;
  std::string_view left_;
};

/// Saves and restores an object that has a function `archive`.
template <class T>
std::string state_of(T& thing) {
  Archive archive;
  thing.archive(archive);
  return archive.take();
}
template <class T>
void restore_state(T& thing, std::string_view bytes) {
  Archive archive(bytes);
  thing.archive(archive);
  if (archive.left() != 0) throw Error(ErrorKind::kData, "the checkpoint is damaged");
}

}  // namespace espalier
