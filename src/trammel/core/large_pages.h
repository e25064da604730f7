// Memory for arrays that are read from one end to the other at every step.
//
// Arrays of many megabytes span thousands of pages of 4 KiB, and processors neither remember as
// many pages nor fetch ahead across their ends. Linux gives pages of 2 MiB to those who ask.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace trammel::core {

/// Like std::allocator; arrays of some megabytes come in large pages where the system has them.
template <class T>
struct LargePages : std::allocator<T> {
  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}  // NOLINT(google-explicit-constructor): containers convert

  T* allocate(std::size_t count) {
    T* const memory = std::allocator<T>::allocate(count);
#ifdef __linux__
    constexpr std::size_t worth_asking = std::size_t{1} << 22U;
    constexpr std::size_t page = 4096;
    std::size_t bytes = count * sizeof(T);
    void* begin = memory;
    if (bytes >= worth_asking && std::align(page, page, begin, bytes) != nullptr) {
      // A wish: whether it is granted does not matter.
      ::madvise(begin, bytes / page * page, MADV_HUGEPAGE);
    }
#endif
    return memory;
  }
};

template <class T>
using LargeArray = std::vector<T, LargePages<T>>;

}  // namespace trammel::core
