// Tests of how much memory something takes: a process of its own that may have no more. No sanitizer can live with
// that; such tests call SKIP_IF_SANITIZED() first, which leaves them out by name and says why.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace espalier {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

#define SKIP_IF_SANITIZED() \
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs more memory than any limit"

/// Of this process, from now on.
inline void limit_further_memory(size_t bytes) {
  std::ifstream pages("/proc/self/statm");
  size_t used = 0;
  pages >> used;
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = used * static_cast<size_t>(::sysconf(_SC_PAGESIZE)) + bytes;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
}

}  // namespace espalier
