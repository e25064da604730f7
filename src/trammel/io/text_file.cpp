#include "trammel/io/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

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

// Closes itself.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(::open(path.c_str(), flags)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void throw_unreadable(const std::string& path, int error) {
  throw core::InputError(fmt::format("'{}' cannot be read: {}", path, std::strerror(error)),
                         "check that it is a file, and its permissions");
}

// A pipe without a name, as shells make them (`generate | trammel check /dev/stdin`): somebody
// writes, or its end is there.
bool is_shell_pipe(int descriptor, const struct stat& status) {
  struct statfs system {};
  return S_ISFIFO(status.st_mode) && ::fstatfs(descriptor, &system) == 0 &&
         system.f_type == PIPEFS_MAGIC;
}

std::string read(const std::string& path, std::size_t most_bytes, bool regular) {
  // Opening a pipe must not wait for somebody who writes.
  const Descriptor file(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file.number() < 0 && errno == ENOENT) throw_missing(path);
  if (file.number() < 0) throw_unreadable(path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) throw_unreadable(path, errno);
  if (S_ISDIR(status.st_mode)) {
    throw core::InputError(fmt::format("'{}' is a folder", path), "name a file in it");
  }
  const bool pipe = !regular && is_shell_pipe(file.number(), status);
  if (pipe) ::fcntl(file.number(), F_SETFL, O_RDONLY);  // from now on it may wait
  if (!pipe && !S_ISREG(status.st_mode)) {
    throw core::InputError(fmt::format("'{}' is no regular file but a pipe or device", path),
                           "name a file");
  }
  // Piece by piece, as a pipe has no size.
  std::string text;
  std::vector<char> piece(std::size_t{1} << 20U);
  while (true) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_unreadable(path, errno);
    if (count == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > most_bytes) {
      throw core::InputError(fmt::format("'{}' is too large", path),
                             fmt::format("such files have at most {} MB", most_bytes >> 20U));
    }
  }
}

}  // namespace

std::string read_file(const std::string& path, std::size_t most_bytes) {
  return read(path, most_bytes, false);
}

std::string read_regular_file(const std::string& path, std::size_t most_bytes) {
  return read(path, most_bytes, true);
}

std::string read_text_file(const std::string& path) {
  return read_file(path, largest_text);
}

}  // namespace trammel::io
