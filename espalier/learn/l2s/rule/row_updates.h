// The inner loops of the base rules over rows of weights, in two versions with bit-identical results: portable, and
// AVX2 where the processor has it. An update touches only those blocks of eight cells in which some cell has a
// gradient. Tested by rule_test.cc; compiled with -fno-math-errno so that square roots vectorise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace espalier {

/// Which weights an update moves: some blocks of some rows. `values` (null: all 1) and `norms` (null: all 1) have one
/// entry per row.
struct RowUpdate {
  float* cells;
  size_t width, stride;
  std::span<const uint32_t> rows;
  const float* values;
  const float* norms;
  std::span<const uint32_t> blocks;  ///< first cell of each block
};

struct FtrlRates {
  float alpha, beta, l1, l2;
};

struct RowUpdates {
  /// plane `plane`: w += step * x
  void (*add)(const RowUpdate& update, size_t plane, const float* step);
  /// plane 1: G += squared * x^2; then reach += x^2 / (sqrt(G) N), the change of the prediction per unit of step
  void (*adaptive_reach)(const RowUpdate& update, const float* squared, float* reach);
  /// plane 0: w += step * x / (sqrt(G) N)
  void (*adaptive_step)(const RowUpdate& update, const float* step);
  /// planes w, z, n of FTRL-proximal with gradient * x
  void (*ftrl)(const RowUpdate& update, const float* gradient, const FtrlRates& rates);
};
extern const RowUpdates kPortableRowUpdates;
/// The fastest version for this processor.
const RowUpdates& row_updates();

/// One weight's FTRL-proximal step (McMahan et al. 2013) with gradient q.
void ftrl_step(float& w, float& z, float& n, float q, const FtrlRates& rates);

}  // namespace espalier
