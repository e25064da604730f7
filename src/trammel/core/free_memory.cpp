#include "trammel/core/free_memory.h"

#include <fstream>

#include <fmt/format.h>

namespace trammel::core {

// Linux tells it in lines such as "MemAvailable:   21483648 kB".
std::optional<std::size_t> free_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view name = "MemAvailable:";
    if (!line.starts_with(name)) continue;
    return std::stoull(line.substr(name.size())) * 1024;
  }
  return std::nullopt;
}

std::string memory_text(double bytes) {
  constexpr double megabyte = 1e6;
  constexpr double gigabyte = 1e9;
  if (bytes < gigabyte) return fmt::format("{:.0f} MB", bytes / megabyte);
  return fmt::format("{:.1f} GB", bytes / gigabyte);
}

}  // namespace trammel::core
