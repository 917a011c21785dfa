// Weights in training: hashed rows (weights/hashed_rows.h) of floats in several planes. Plane 0 is the weights; the
// others are a rule's numbers for each weight (sums of squared gradients and the like). The planes of a row are
// adjacent. Memory is zero, and pages are allocated only where they are touched.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

#include "espalier/base/large_pages.h"
#include "espalier/weights/hashed_rows.h"

namespace espalier {

class TrainingRows {
 public:
  TrainingRows(int bits, size_t cells, int planes)
      : bits_(bits), width_(padded_width(cells)), stride_(width_ * static_cast<size_t>(planes)) {
    // calloc, unlike new, leaves untouched pages unallocated; one spare line to align the first row.
    const size_t count = ((size_t{1} << bits) + 1) * stride_ + 16;
    memory_.reset(static_cast<float*>(std::calloc(count, sizeof(float))));
    if (!memory_) throw std::bad_alloc();
    prefer_large_pages(memory_.get(), count * sizeof(float));
    void* begin = memory_.get();
    size_t space = SIZE_MAX;
    cells_ = static_cast<float*>(std::align(64, stride_ * sizeof(float), begin, space));
  }

  int bits() const { return bits_; }
  size_t width() const { return width_; }
  size_t stride() const { return stride_; }
  float* cells() { return cells_; }
  float* row(size_t row) { return cells_ + row * stride_; }
  const float* row(size_t row) const { return cells_ + row * stride_; }

 private:
  struct Free {
    void operator()(float* memory) const { std::free(memory); }
  };
  int bits_;
  size_t width_, stride_;
  std::unique_ptr<float, Free> memory_;
  float* cells_;
};

}  // namespace espalier
