#include "espalier/learn/l2s/rule/row_updates.h"

#include <algorithm>
#include <cmath>

#include "espalier/base/cpu.h"
#include "espalier/weights/hashed_rows.h"

namespace espalier {
namespace {

constexpr size_t kAhead = 4;
constexpr float kTiny = 1e-30f;  // keeps a zero sum of squares from dividing by zero; its step is zero

// Calls body(first cell of the block in plane 0, offset of the block, value, 1 / norm) for every block of every row,
// asking for memory a few rows ahead.
template <class Body>
[[gnu::always_inline]] inline void for_blocks(const RowUpdate& u, Body body) {
  for (size_t i = 0; i < u.rows.size(); ++i) {
    if (i + kAhead < u.rows.size()) {
      const float* next = u.cells + u.rows[i + kAhead] * u.stride;
      for (uint32_t block : u.blocks) {
        for (size_t plane = 0; plane < u.stride; plane += u.width) __builtin_prefetch(next + plane + block);
      }
    }
    float* row = u.cells + u.rows[i] * u.stride;
    const float x = u.values ? u.values[i] : 1;
    const float inverse_norm = u.norms ? 1 / u.norms[i] : 1;
    for (uint32_t block : u.blocks) body(row + block, block, x, inverse_norm);
  }
}

// Eight floats at once: one AVX register, or two or four of a lesser processor. Floats in memory may alias them and
// need not be aligned; clang 14 forgets that of references, so there are pointers only.
using Lanes [[gnu::vector_size(kRowUnit * sizeof(float)), gnu::aligned(alignof(float)), gnu::may_alias]] = float;

[[gnu::always_inline]] inline Lanes* lanes(float* cells) { return reinterpret_cast<Lanes*>(cells); }
[[gnu::always_inline]] inline const Lanes* lanes(const float* cells) { return reinterpret_cast<const Lanes*>(cells); }

[[gnu::always_inline]] inline void take_roots(Lanes& v) {
  for (size_t j = 0; j < kRowUnit; ++j) v[j] = std::sqrt(v[j]);
}

[[gnu::always_inline]] inline void add_body(const RowUpdate& u, size_t plane, const float* step) {
  const size_t offset = plane * u.width;
  for_blocks(u, [=](float* cell, size_t block, float x, float) { *lanes(cell + offset) += *lanes(step + block) * x; });
}

[[gnu::always_inline]] inline void reach_body(const RowUpdate& u, const float* squared, float* reach) {
  const size_t width = u.width;
  for_blocks(u, [=](float* cell, size_t block, float x, float inverse_norm) {
    const float xx = x * x;
    Lanes sum = *lanes(cell + width) + *lanes(squared + block) * xx;
    *lanes(cell + width) = sum;
    sum += kTiny;
    take_roots(sum);
    *lanes(reach + block) += xx * inverse_norm / sum;
  });
}

[[gnu::always_inline]] inline void step_body(const RowUpdate& u, const float* step) {
  const size_t width = u.width;
  for_blocks(u, [=](float* cell, size_t block, float x, float inverse_norm) {
    Lanes root = *lanes(cell + width) + kTiny;
    take_roots(root);
    *lanes(cell) += *lanes(step + block) * (x * inverse_norm / root);
  });
}

[[gnu::always_inline]] inline void ftrl_body(const RowUpdate& u, const float* gradient, FtrlRates rates) {
  const size_t width = u.width;
  for_blocks(u, [=](float* cell, size_t block, float x, float) {
    Lanes* w = lanes(cell);
    Lanes* z = lanes(cell + width);
    Lanes* n = lanes(cell + 2 * width);
    const Lanes q = *lanes(gradient + block) * x;
    Lanes old_root = *n, root = *n + q * q;
    *n = root;
    take_roots(old_root);
    take_roots(root);
    const Lanes new_z = *z + (q - (root - old_root) / rates.alpha * *w);
    *z = new_z;
    const Lanes shrunk = new_z < -rates.l1 ? new_z + rates.l1 : new_z > rates.l1 ? new_z - rates.l1 : 0 * new_z;
    *w = -shrunk / (rates.l2 + (rates.beta + root) / rates.alpha);
  });
}

void add_portable(const RowUpdate& u, size_t plane, const float* step) { add_body(u, plane, step); }
void reach_portable(const RowUpdate& u, const float* squared, float* reach) { reach_body(u, squared, reach); }
void step_portable(const RowUpdate& u, const float* step) { step_body(u, step); }
void ftrl_portable(const RowUpdate& u, const float* gradient, const FtrlRates& rates) { ftrl_body(u, gradient, rates); }

#ifdef __x86_64__
[[gnu::target("avx2")]] void add_avx2(const RowUpdate& u, size_t plane, const float* step) { add_body(u, plane, step); }
[[gnu::target("avx2")]] void reach_avx2(const RowUpdate& u, const float* squared, float* reach) {
  reach_body(u, squared, reach);
}
[[gnu::target("avx2")]] void step_avx2(const RowUpdate& u, const float* step) { step_body(u, step); }
[[gnu::target("avx2")]] void ftrl_avx2(const RowUpdate& u, const float* gradient, const FtrlRates& rates) {
  ftrl_body(u, gradient, rates);
}
constexpr RowUpdates kAvx2RowUpdates = {add_avx2, reach_avx2, step_avx2, ftrl_avx2};
#endif

}  // namespace

const RowUpdates kPortableRowUpdates = {add_portable, reach_portable, step_portable, ftrl_portable};

const RowUpdates& row_updates() {
#ifdef __x86_64__
  static const RowUpdates& best = cpu_has_avx2() ? kAvx2RowUpdates : kPortableRowUpdates;
  return best;
#else
  return kPortableRowUpdates;
#endif
}

void ftrl_step(float& w, float& z, float& n, float q, const FtrlRates& rates) {
  const float root = std::sqrt(n + q * q);
  z += q - (root - std::sqrt(n)) / rates.alpha * w;
  n += q * q;
  const float shrunk = z < -rates.l1 ? z + rates.l1 : z > rates.l1 ? z - rates.l1 : 0;
  w = -shrunk / (rates.l2 + (rates.beta + root) / rates.alpha);
}

}  // namespace espalier
