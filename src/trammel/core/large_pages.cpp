#include "trammel/core/large_pages.h"

#ifdef __linux__

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include <sys/mman.h>

namespace trammel::core {
namespace {

constexpr std::uintptr_t large_page = std::uintptr_t{1} << 21U;
constexpr int collapse = 25;  // MADV_COLLAPSE, which not all headers have

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  /// Whether it is memory that the process got for its own use. What is beyond all memory is only
  /// reserved, e.g. by sanitizers.
  bool heap = false;
};

// "7f3a8c000000-7f3a90000000 rw-p 00000000 00:00 0    [heap]"
Mapping read_mapping(const std::string& line) {
  constexpr std::uintptr_t too_much = std::uintptr_t{1} << 37U;
  Mapping mapping;
  char permissions[5] = {};
  unsigned long inode = 0;
  char name[8] = {};
  const int fields = std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu %7s",
                                 &mapping.begin, &mapping.end, permissions, &inode, name);
  mapping.heap = fields >= 4 && std::string_view(permissions) == "rw-p" && inode == 0 &&
                 (fields == 4 || std::string_view(name) == "[heap]") &&
                 mapping.end - mapping.begin < too_much;
  return mapping;
}

}  // namespace

void move_to_large_pages() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const Mapping mapping = read_mapping(line);
    if (!mapping.heap) continue;
    const std::uintptr_t first = (mapping.begin + large_page - 1) / large_page * large_page;
    for (std::uintptr_t page = first; page + large_page <= mapping.end; page += large_page) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the system writes addresses as numbers
      ::madvise(reinterpret_cast<void*>(page), large_page, collapse);
    }
  }
}

}  // namespace trammel::core

#else

void trammel::core::move_to_large_pages() {}

#endif
