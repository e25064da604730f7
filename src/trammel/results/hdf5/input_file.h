// A file that is read at any place, without a position of its own.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trammel::results::hdf5 {

class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~InputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::uint64_t size() const {
    struct stat status {};
    return ::fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

  /// How many of these bytes there are; fewer at the end of the file or after an error.
  std::size_t read_some(std::uint64_t offset, char* bytes, std::size_t count) const {
    std::size_t done = 0;
    while (done < count) {
      const ssize_t got =
          ::pread(descriptor_, bytes + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }
  bool read_at(std::uint64_t offset, char* bytes, std::size_t count) const {
    return offset < std::uint64_t{1} << 62U && read_some(offset, bytes, count) == count;
  }

 private:
  int descriptor_;
};

}  // namespace trammel::results::hdf5
