#include "trammel/io/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/io/text_check.h"

namespace trammel::io {
namespace {

constexpr std::size_t most_neighbours = 1000;

[[noreturn]] void throw_missing(const std::filesystem::path& path) {
  std::vector<std::string> neighbours;
  std::error_code error;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (neighbours.size() < most_neighbours) neighbours.push_back(entry.path().filename().string());
  }
  const std::string near = core::nearest_name(path.filename().string(), neighbours);
  throw core::InputError(
      fmt::format("there is no file '{}'", path.string()),
      near.empty() ? "check the path"
                   : fmt::format("did you mean '{}'?", (path.parent_path() / near).string()));
}

}  // namespace

std::string read_file(const std::string& path, std::size_t most_bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw_missing(path);
  if (std::filesystem::is_directory(status)) {
    throw core::InputError(fmt::format("'{}' is a folder", path), "name a file in it");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw core::InputError(fmt::format("'{}' cannot be read: {}", path, std::strerror(errno)),
                           "check its permissions");
  }
  // Piece by piece, as a pipe or device has no size.
  std::string text;
  std::vector<char> piece(std::size_t{1} << 20U);
  while (stream) {
    stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most_bytes) {
      throw core::InputError(fmt::format("'{}' is too large", path),
                             fmt::format("such files have at most {} MB", most_bytes >> 20U));
    }
  }
  return text;
}

std::string read_text_file(const std::string& path) {
  return read_file(path, largest_text);
}

}  // namespace trammel::io
