// The abilities of the CPU. Kernels with an AVX2 version have a portable one with the same results, as tests prove.
#pragma once

namespace espalier {

#if defined(__x86_64__)
/// AVX2, with the bit instructions (BMI 1 and 2) that come with it.
inline bool cpu_has_avx2() {
  static const bool has =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return has;
}
#endif

}  // namespace espalier
