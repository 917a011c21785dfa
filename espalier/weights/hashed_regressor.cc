#include "espalier/weights/hashed_regressor.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "espalier/base/large_pages.h"
#include "espalier/weights/hashed_rows.h"

namespace espalier {

void activate(const RegressorShape& shape, std::span<float> sums) {
  for (float& z : sums.first(shape.hidden_cells())) z = squash(clip_hidden(z));
}

void run_output_layer(const RegressorShape& shape, std::span<const float> cells, std::span<const float> output,
                      std::span<float> costs) {
  const float* direct = shape.direct ? cells.data() + shape.hidden_cells() : nullptr;
  const size_t units = static_cast<size_t>(shape.hidden);
  for (size_t a = 0; a < costs.size(); ++a) {
    const float* u = output.data() + a * (units + 1);
    const float* o = cells.data() + (shape.shared ? 0 : a * units);
    float cost = u[units] + (direct ? direct[a] : 0);
    for (size_t k = 0; k < units; ++k) cost += u[k] * o[k];
    costs[a] = cost;
  }
}

size_t HashedRegressor::cell_count(const RegressorShape& shape) {
  return ((size_t{1} << shape.bits) + 1) * padded_width(shape.cells());
}

HashedRegressor::HashedRegressor(const RegressorShape& shape, const RowReader& read, std::vector<float> output)
    : shape_(shape), output_(std::move(output)) {
  const size_t width = padded_width(shape.cells());
  const size_t rows = (size_t{1} << shape.bits) + 1;
  std::vector<float> weights(shape.cells());
  float largest = 0;
  for (size_t row = 0; row < rows; ++row) {
    read(row, weights);
    for (float weight : weights) largest = std::max(largest, std::abs(weight));
  }
  scale_ = largest > 0 ? largest / 32767 : 1;
  // Memory of calloc that is never written costs neither time nor pages.
  const std::shared_ptr<int16_t[]> cells(static_cast<int16_t*>(std::calloc(rows * width, sizeof(int16_t))), std::free);
  if (!cells) throw std::bad_alloc();
  prefer_large_pages(cells.get(), rows * width * sizeof(int16_t));
  for (size_t row = 0; row < rows; ++row) {
    read(row, weights);
    for (size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] != 0) cells[row * width + j] = static_cast<int16_t>(std::lround(weights[j] / scale_));
    }
  }
  cells_ = {cells.get(), rows * width};
  keep_ = cells;
}

HashedRegressor::HashedRegressor(const RegressorShape& shape, float scale, std::span<const int16_t> cells,
                                 std::vector<float> output, std::shared_ptr<const void> keep)
    : shape_(shape), scale_(scale), cells_(cells), keep_(std::move(keep)), output_(std::move(output)) {}

void HashedRegressor::score(std::span<const uint64_t> keys, std::span<const float> values, Scratch& scratch,
                            std::span<float> costs) const {
  const size_t used = shape_.cells();
  const size_t width = padded_width(used);
  find_rows(keys, shape_.bits, scratch.rows);
  scratch.cells.resize(width);
  if (values.empty()) {
    scratch.sums.resize(width);
    row_sums().sum_integers(cells_.data(), width, scratch.rows, scratch.sums.data());
    for (size_t j = 0; j < used; ++j) scratch.cells[j] = scale_ * static_cast<float>(scratch.sums[j]);
  } else {
    row_sums().sum_scaled(cells_.data(), width, scratch.rows, values.data(), scratch.cells.data());
    for (size_t j = 0; j < used; ++j) scratch.cells[j] *= scale_;
  }
  if (shape_.hidden == 0) {
    std::copy_n(scratch.cells.begin(), used, costs.begin());
  } else {
    activate(shape_, scratch.cells);
    run_output_layer(shape_, scratch.cells, output_, costs);
  }
}

}  // namespace espalier
