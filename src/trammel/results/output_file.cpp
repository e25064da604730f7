#include "trammel/results/output_file.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trammel/core/diagnostic.h"

namespace trammel::results {
namespace {

namespace fs = std::filesystem;

fs::path hidden_sibling(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  const std::string name =
      fmt::format(".{}.{}-{}.part", path.filename().string(), ::getpid(), counter++);
  return path.parent_path() / name;
}

core::InputError already_exists(const fs::path& path) {
  return core::InputError(
      fmt::format("output file '{}' exists already", path.string()),
      "give another name, remove the file, or ask for it to be overwritten (--force)");
}

core::InputError cannot_create(const fs::path& path, int error_number) {
  return core::InputError(
      fmt::format("cannot create '{}': {}", path.string(), std::strerror(error_number)),
      "choose a folder in which you may write and whose disk has room");
}

}  // namespace

void check_output_path(const fs::path& path, bool overwrite) {
  if (path.filename().empty()) {
    throw core::InputError(fmt::format("output path '{}' names no file", path.string()),
                           "add a file name, e.g. result.h5");
  }
  std::error_code ignored;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    throw core::InputError(fmt::format("folder '{}' of the output file '{}' does not exist",
                                       folder.string(), path.filename().string()),
                           "create it, or choose an existing one");
  }
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status)) {
    throw core::InputError(fmt::format("output path '{}' is no regular file", path.string()),
                           "choose another name");
  }
  if (!overwrite) throw already_exists(path);
}

OutputFile::OutputFile(fs::path path, bool overwrite)
    : path_(std::move(path)), temporary_(hidden_sibling(path_)), overwrite_(overwrite) {
  check_output_path(path_, overwrite_);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!published_) ::unlink(temporary_.c_str());
}

void OutputFile::open() {
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw cannot_create(path_, errno);
}

void OutputFile::publish() {
  check_output_path(path_, overwrite_);
  // A new name by link(2): it fails, instead of replacing, if a file appeared in this moment.
  if (!overwrite_ && ::link(temporary_.c_str(), path_.c_str()) == 0) {
    ::unlink(temporary_.c_str());
    published_ = true;
    return;
  }
  if (!overwrite_ && errno == EEXIST) throw already_exists(path_);
  // Replacement was asked for, or the file system knows no links.
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw cannot_create(path_, errno);
  published_ = true;
}

void OutputFile::write_at(std::uint64_t offset, const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::pwrite(descriptor_, next, count, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(written < 0 ? errno : ENOSPC);
    next += written;
    offset += static_cast<std::uint64_t>(written);
    count -= static_cast<std::size_t>(written);
  }
}

void OutputFile::read_at(std::uint64_t offset, void* bytes, std::size_t count) {
  char* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, next, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(got < 0 ? errno : EIO);
    next += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

void OutputFile::resize(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(errno);
}

void OutputFile::sync() {
  // EINVAL, EROFS: a file system that has no such thing.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
}

std::uint64_t OutputFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void OutputFile::fail(int error_number) const {
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  const bool limit = error_number == EFBIG;
  const char* remedy =
      full    ? "free some space, or write to another disk; what was stored so far is readable"
      : limit ? "raise the limit (ulimit -f), or store less; what was stored so far is readable"
              : "check the disk or network drive; what was stored so far is readable";
  throw core::RunError(fmt::format("cannot write to '{}': {}", path_.string(),
                                   full ? "the disk is full" : std::strerror(error_number)),
                       remedy);
}

}  // namespace trammel::results
