#include "support/allocation_counter.h"

#include <cstdlib>

// NOLINTBEGIN(cppcoreguidelines-macro-usage): the compilers tell of their sanitizer by macros only.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRAMMEL_OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRAMMEL_OWN_MALLOC 0
#endif
#endif
#if !defined(TRAMMEL_OWN_MALLOC) && defined(__GLIBC__)
#define TRAMMEL_OWN_MALLOC 1
#endif
// NOLINTEND(cppcoreguidelines-macro-usage)

namespace {

thread_local long allocations = 0;

}  // namespace

#if TRAMMEL_OWN_MALLOC
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}

void* realloc(void* pointer, std::size_t size) noexcept {
  ++allocations;
  return __libc_realloc(pointer, size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}

}  // extern "C"
#endif

namespace trammel::support {

AllocationCounter::AllocationCounter() : start_(allocations) {}

long AllocationCounter::count() const {
  return allocations - start_;
}

bool AllocationCounter::available() {
#if TRAMMEL_OWN_MALLOC
  return true;
#else
  return false;
#endif
}

}  // namespace trammel::support
