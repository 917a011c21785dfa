// Memory for large tables that are read at random: in pages of 2 MB where the system gives them on request, which
// spares most of the misses in address translation.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace espalier {

template <class T>
struct HugePageAllocator {
  using value_type = T;
  static constexpr size_t kPage = size_t{1} << 21;

  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    const size_t alignment = bytes >= kPage ? kPage : size_t{64};
    static_assert(alignof(T) <= 64);
    const size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, whole);
    if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (alignment == kPage) madvise(memory, whole, MADV_HUGEPAGE);  // a wish; whether it is granted does not matter
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { std::free(memory); }

  template <class U>
  bool operator==(const HugePageAllocator<U>&) const {
    return true;
  }
};

}  // namespace espalier
