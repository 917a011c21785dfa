// The inner loop of Eisner's algorithm.
#pragma once

#include "espalier/space/arc_matrix.h"

namespace espalier {

/// max over k of a[k] + b[k]; in eight lanes, so that it vectorises without -ffast-math.
inline float best_sum(const float* a, const float* b, int count) {
  float best = kNoArc;
  int k = 0;
  if (count >= 8) {
    float lanes[8];
    for (int l = 0; l < 8; ++l) lanes[l] = a[l] + b[l];
    for (k = 8; k + 8 <= count; k += 8)
      for (int l = 0; l < 8; ++l) {
        const float sum = a[k + l] + b[k + l];
        lanes[l] = lanes[l] < sum ? sum : lanes[l];
      }
    for (const float lane : lanes) best = best < lane ? lane : best;
  }
  for (; k < count; ++k) {
    const float sum = a[k] + b[k];
    best = best < sum ? sum : best;
  }
  return best;
}

}  // namespace espalier
