#include "trammel/results/csv/line_reader.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "trammel/core/diagnostic.h"

namespace trammel::results::csv {

LineReader::LineReader(std::filesystem::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) fail(errno);
}

LineReader::~LineReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool LineReader::fill() {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  buffer_.resize(piece);
  position_ = 0;
  ssize_t count = -1;
  while ((count = ::read(descriptor_, buffer_.data(), piece)) < 0) {
    if (errno != EINTR) fail(errno);
  }
  buffer_.resize(static_cast<std::size_t>(count));
  return count > 0;
}

bool LineReader::next() {
  line_.clear();
  whole_ = false;
  while (position_ < buffer_.size() || fill()) {
    const std::size_t end = buffer_.find('\n', position_);
    line_.append(buffer_, position_, end - position_);
    if (end != std::string::npos) {
      position_ = end + 1;
      whole_ = true;
      return true;
    }
    position_ = buffer_.size();
  }
  return !line_.empty();
}

void LineReader::fail(int error_number) const {
  throw core::InputError(
      fmt::format("'{}' cannot be read: {}", path_.string(), std::strerror(error_number)),
      error_number == EIO ? "check the disk or network drive"
                          : "check that it is a file, and its "
                            "permissions");
}

}  // namespace trammel::results::csv
