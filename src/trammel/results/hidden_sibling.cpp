#include "trammel/results/hidden_sibling.h"

#include <atomic>

#include <fmt/format.h>
#include <unistd.h>

#include "trammel/core/content_hash.h"

namespace trammel::results {

std::filesystem::path hidden_sibling(const std::filesystem::path& path, const std::string& mark) {
  constexpr std::size_t longest = 200;
  std::string name = path.filename().string();
  if (name.size() > longest) name = "trammel-" + core::content_hash(name);
  return path.parent_path() / fmt::format(".{}{}.part", name, mark);
}

std::filesystem::path own_hidden_sibling(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  return hidden_sibling(path, fmt::format(".{}-{}", ::getpid(), counter++));
}

}  // namespace trammel::results
