// Memory for arrays that are read from one end to the other at every step.
//
// Arrays of many megabytes span thousands of pages of 4 KiB, and processors neither remember as
// many pages nor fetch ahead across their ends. Linux gives pages of 2 MiB to those who ask.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace trammel::core {

/// Like std::allocator; arrays of some megabytes come in large pages where the system has them.
template <class T>
struct LargePages {
  using value_type = T;  // NOLINT(readability-identifier-naming): containers ask for it

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}  // NOLINT(google-explicit-constructor): containers convert

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
#ifdef __linux__
    if (bytes >= smallest) {
      void* memory = std::aligned_alloc(page, (bytes + page - 1) / page * page);
      if (memory == nullptr) throw std::bad_alloc();
      ::madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: whether it is granted does not matter
      return static_cast<T*>(memory);
    }
#endif
    return static_cast<T*>(::operator new(bytes));
  }

  void deallocate(T* memory, std::size_t count) noexcept {
#ifdef __linux__
    if (count * sizeof(T) >= smallest) return std::free(memory);
#endif
    ::operator delete(memory);
  }

  friend bool operator==(const LargePages&, const LargePages&) {
    return true;
  }

 private:
  static constexpr std::size_t page = std::size_t{1} << 21U;
  static constexpr std::size_t smallest = 2 * page;
};

template <class T>
using LargeArray = std::vector<T, LargePages<T>>;

}  // namespace trammel::core
