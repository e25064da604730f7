#include "trammel/io/source_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/core/content_hash.h"
#include "trammel/core/diagnostic.h"
#include "trammel/io/text_check.h"
#include "trammel/io/text_file.h"

namespace trammel::io {
namespace {

namespace fs = std::filesystem;

// Absolute and without links, as far as it exists.
fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  fs::path real = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : real;
}

}  // namespace

SourceFiles::SourceFiles(const std::string& model, bool allow_outside)
    : allow_outside_(allow_outside) {
  const fs::path folder = fs::path(model).parent_path();
  folder_ = real_path(folder.empty() ? fs::path(".") : folder);
}

void SourceFiles::check_inside(const fs::path& path) const {
  if (allow_outside_) return;
  const fs::path real = real_path(path);
  const auto [end, ignored] =
      std::mismatch(folder_.begin(), folder_.end(), real.begin(), real.end());
  // "/models/" ends with an empty part.
  if (end == folder_.end() || (std::next(end) == folder_.end() && end->empty())) return;
  throw core::InputError(
      fmt::format("'{}' lies outside the folder of the model", path.string()),
      "move it there, or allow it with --allow-outside (in Python: allow_outside=True)");
}

std::string SourceFiles::read(const fs::path& path, std::size_t most_bytes) {
  check_inside(path);
  std::string content = read_regular_file(path.string(), most_bytes);
  list_.push_back({path.string(), core::content_hash(content)});
  return content;
}

std::string SourceFiles::read_text(const fs::path& path) {
  return read(path, largest_text);
}

}  // namespace trammel::io
