#include "trammel/results/output_file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trammel/results/hidden_sibling.h"

namespace trammel::results {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

core::InputError already_exists(const fs::path& path, bool same_kind) {
  return core::InputError(fmt::format("output file '{}' exists already", path.string()),
                          same_kind ? "give another name, remove the file, or ask for it to be "
                                      "overwritten (--force)"
                                    : "give another name, or remove the file");
}

core::InputError being_written(const fs::path& path) {
  return core::InputError(fmt::format("'{}' is being written by another run", path.string()),
                          "wait until it has ended, or give another name");
}

core::InputError cannot_create(const fs::path& path, int error_number) {
  const char* remedy =
      error_number == ENAMETOOLONG ? "give a shorter name: one has at most 255 bytes"
      : error_number == ELOOP ? "links there lead to each other: remove them, or give another name"
                              : "choose a folder in which you may write and whose disk has room";
  return core::InputError(
      fmt::format("cannot create '{}': {}", path.string(), std::strerror(error_number)), remedy);
}

/// Again when a signal came in between.
template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Descriptors 0 to 2 are what others print to, even if they were closed when the program began.
int above_standard_streams(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int higher = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error_number = errno;
  ::close(descriptor);
  errno = error_number;
  return higher;
}

/// A lock that belongs to the open file: the system removes it when the file is closed or the
/// process dies. Not flock(2), which the HDF5 library uses: others may read while we write.
struct flock lock_of(short type, off_t byte) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return lock;
}

constexpr off_t written_byte = 0;   ///< locked while the file is written
constexpr off_t replaced_byte = 1;  ///< locked while another file takes its place

void lock_for_writing(int descriptor) {
  struct flock lock = lock_of(F_WRLCK, written_byte);
  // A file system without locks is used without.
  static_cast<void>(::fcntl(descriptor, F_OFD_SETLK, &lock));
}

bool is_being_written(const fs::path& path) {
  const int descriptor =
      above_standard_streams(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor < 0) return false;
  struct flock lock = lock_of(F_RDLCK, written_byte);
  const bool known = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  ::close(descriptor);
  return known && lock.l_type != F_UNLCK;
}

bool same_file(int descriptor, const fs::path& path) {
  struct stat open_file {};
  struct stat named_file {};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(path.c_str(), &named_file) == 0 &&
         open_file.st_dev == named_file.st_dev && open_file.st_ino == named_file.st_ino;
}

bool is_elsewhere(int descriptor, const fs::path& place) {
  struct stat named_file {};
  if (::stat(place.c_str(), &named_file) != 0) return errno == ENOENT || errno == ENOTDIR;
  return !same_file(descriptor, place);
}

/// The right to replace this file, which only one process has at a time. Never waits for long: to
/// replace a file takes no time, so that whoever holds the right for seconds is stuck.
class Replacement {
 public:
  explicit Replacement(const fs::path& path) {
    constexpr int most_attempts = 400;
    constexpr std::chrono::milliseconds pause{5};
    for (int attempt = 1; !take(path); ++attempt) {
      if (attempt == most_attempts) throw being_written(path);
      std::this_thread::sleep_for(pause);
    }
  }
  ~Replacement() { release(); }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// False where the file may not be opened for writing, or the file system has no locks.
  bool exclusive() const { return exclusive_; }

 private:
  bool take(const fs::path& path) {
    release();
    descriptor_ = above_standard_streams(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    if (descriptor_ < 0) return true;
    struct flock lock = lock_of(F_WRLCK, replaced_byte);
    exclusive_ = ::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0;
    if (!exclusive_) return errno != EAGAIN && errno != EACCES;
    // Another one may have replaced it a moment ago.
    std::error_code ignored;
    return same_file(descriptor_, path) || !fs::exists(path, ignored);
  }

  void release() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    exclusive_ = false;
  }

  int descriptor_ = -1;
  bool exclusive_ = false;
};

/// The name of a file is on the disk only when its folder is. Gives the error number. Folders that
/// cannot be opened, and file systems that have no such thing, are left as they are.
int sync_folder(const fs::path& folder) {
  const int descriptor =
      above_standard_streams(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor < 0) return 0;
  const int status = uninterrupted([&] { return ::fsync(descriptor); });
  const int error_number = status == 0 ? 0 : errno;
  ::close(descriptor);
  const bool trouble = error_number == EIO || error_number == ENOSPC || error_number == EDQUOT;
  return trouble ? error_number : 0;
}

/// The first bytes of a file. InputError with the reason when they cannot be read.
std::string head_of(const fs::path& path) {
  const int descriptor =
      above_standard_streams(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  int error_number = descriptor < 0 ? errno : 0;
  std::string head;
  std::vector<char> piece(std::size_t{1} << 16U);
  while (error_number == 0 && head.size() < recognisable_head) {
    const ssize_t count =
        uninterrupted([&] { return ::read(descriptor, piece.data(), piece.size()); });
    if (count < 0) error_number = errno;
    if (count <= 0) break;
    head.append(piece.data(), static_cast<std::size_t>(count));
  }
  if (descriptor >= 0) ::close(descriptor);
  if (error_number == 0) return head;
  throw core::InputError(fmt::format("'{}' cannot be read, so that it is not replaced: {}",
                                     path.string(), std::strerror(error_number)),
                         "give another name, or remove the file if it is not needed");
}

bool may_take_the_place_of(FileKind kind, const fs::path& path) {
  const std::string head = head_of(path);
  return head.empty() || looks_like(kind, head);
}

void check_place(const fs::path& path) {
  if (path.filename().empty() || path.native().find('\0') != std::string::npos) {
    throw core::InputError(fmt::format("output path '{}' names no file", path.string()),
                           "add a file name, e.g. result.h5");
  }
  std::error_code error;
  const fs::path folder = folder_of(path);
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::none) throw cannot_create(path, error.value());
  if (!fs::is_directory(status)) {
    throw core::InputError(fmt::format("folder '{}' of the output file '{}' does not exist",
                                       folder.string(), path.filename().string()),
                           "create it, or choose an existing one");
  }
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) != 0 &&
      (errno == EACCES || errno == EROFS)) {
    throw cannot_create(path, errno);
  }
}

/// Whether something stands under the path. InputError when that cannot be found out.
bool is_taken(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw cannot_create(path, error.value());
  if (!fs::exists(status) && fs::is_symlink(fs::symlink_status(path, error))) {
    throw core::InputError(
        fmt::format("'{}' is a link to a file that does not exist", path.string()),
        "remove it, or give another name");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw core::InputError(fmt::format("output path '{}' is no regular file", path.string()),
                           "choose another name");
  }
  return fs::exists(status);
}

/// What has become of an open file that does not stand under its path any more.
FileMoved displacement(int descriptor, const fs::path& path, const fs::path& place) {
  struct stat status {};
  std::error_code error;
  const char* another = fs::exists(place, error) ? "; another file stands there now" : "";
  if (::fstat(descriptor, &status) == 0 && status.st_nlink == 0) {
    return {fmt::format("'{}' was removed while it was written: what it held is lost{}",
                        path.string(), another),
            "run it again, and leave the file alone until it is finished"};
  }
  constexpr int most_neighbours = 10'000;
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(place.parent_path(), error)) {
    if (++seen > most_neighbours) break;
    if (!same_file(descriptor, entry.path())) continue;
    const fs::path present = path.parent_path() / entry.path().filename();
    return {fmt::format("'{}' was moved while it was written: it is '{}' now{}", path.string(),
                        present.string(), another),
            "it holds all that was computed; look at it under that name"};
  }
  return {fmt::format("'{}' was moved away while it was written{}", path.string(), another),
          "it holds all that was computed, wherever it is now"};
}

}  // namespace

void check_output_path(const fs::path& path,
                       FileKind kind,
                       bool overwrite,
                       const std::vector<fs::path>& inputs) {
  check_place(path);
  if (!is_taken(path)) return;
  std::error_code ignored;
  for (const fs::path& input : inputs) {
    if (!fs::equivalent(path, input, ignored)) continue;
    throw core::InputError(
        fmt::format("'{}' is read here and cannot be written into itself", path.string()),
        "give another name (--output)");
  }
  const bool same_kind = may_take_the_place_of(kind, path);
  if (!overwrite) throw already_exists(path, same_kind);
  if (!same_kind) {
    throw core::InputError(fmt::format("'{}' is not {} and is not replaced by one, not even with "
                                       "--force",
                                       path.string(), description(kind)),
                           "give another name, or remove the file if it is not needed");
  }
  if (is_being_written(path)) throw being_written(path);
}

OutputFile::OutputFile(fs::path path, FileKind kind, bool overwrite)
    : path_(std::move(path)),
      temporary_(own_hidden_sibling(path_)),
      kind_(kind),
      overwrite_(overwrite) {
  check_output_path(path_, kind_, overwrite_);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (named_ && !published_) ::unlink(temporary_.c_str());
}

void OutputFile::open() {
  open_unnamed();
  if (descriptor_ < 0) open_named();
  if (descriptor_ < 0) throw cannot_create(path_, errno);
  lock_for_writing(descriptor_);
}

void OutputFile::open_unnamed() {
  // It gets its name by way of /proc.
  if (::access("/proc/self/fd", X_OK) != 0) return;
  descriptor_ = above_standard_streams(uninterrupted(
      [this] { return ::open(folder_of(path_).c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0666); }));
}

void OutputFile::open_named() {
  descriptor_ = above_standard_streams(uninterrupted(
      [this] { return ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }));
  named_ = descriptor_ >= 0;
}

int OutputFile::link_to(const fs::path& name) const {
  if (named_) return ::link(temporary_.c_str(), name.c_str());
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
}

void OutputFile::publish(const std::function<void()>& last_look) {
  // More than once: a file may appear, or disappear, in this moment.
  constexpr int most_attempts = 10;
  for (int attempt = 0; attempt < most_attempts && !published_; ++attempt) {
    published_ = take_path(last_look);
  }
  if (!published_) throw already_exists(path_, true);
  // The program may change its folder.
  std::error_code error;
  const fs::path place = fs::absolute(path_, error);
  if (!error && same_file(descriptor_, place)) place_ = place;
  folder_trouble_ = sync_folder(folder_of(path_));
}

bool OutputFile::take_path(const std::function<void()>& last_look) {
  if (!overwrite_ || !is_taken(path_)) {
    check_output_path(path_, kind_, overwrite_);
    // A new name by a link: it fails, instead of replacing, if a file appeared in this moment.
    if (link_to(path_) == 0) {
      if (named_) ::unlink(temporary_.c_str());
      return true;
    }
    if (errno == EEXIST) return false;
  }
  // Replacement was asked for, or the file system knows no links.
  const Replacement replacement(path_);
  check_output_path(path_, kind_, overwrite_);
  if (last_look) last_look();
  if (!named_) {
    // Always the same name, so that what a kill leaves behind here is removed the next time.
    temporary_ = replacement.exclusive() ? hidden_sibling(path_) : own_hidden_sibling(path_);
    ::unlink(temporary_.c_str());
    if (link_to(temporary_) != 0) throw cannot_create(path_, errno);
    named_ = true;
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw cannot_create(path_, errno);
  return true;
}

void OutputFile::take_permissions_of(const fs::path& other) {
  struct stat status {};
  if (::stat(other.c_str(), &status) != 0) fail(errno);
  // Only the superuser can give a file to others.
  [[maybe_unused]] const int ignored = ::fchown(descriptor_, status.st_uid, status.st_gid);
  if (::fchmod(descriptor_, status.st_mode) != 0) fail(errno);
}

void OutputFile::settle_name() {
  if (folder_trouble_ == 0) return;
  folder_trouble_ = sync_folder(folder_of(path_));
  if (folder_trouble_ != 0) fail(folder_trouble_);
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  settle_name();
  std::optional<FileMoved> moved;
  if (!place_.empty() && is_elsewhere(descriptor_, place_)) {
    moved = displacement(descriptor_, path_, place_);
  }
  const int descriptor = std::exchange(descriptor_, -1);
  // After EINTR the descriptor is closed all the same.
  if (::close(descriptor) != 0 && errno != EINTR) fail(errno);
  if (moved) throw FileMoved(*moved);
}

void OutputFile::write_at(std::uint64_t offset, const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = uninterrupted(
        [&] { return ::pwrite(descriptor_, next, count, static_cast<off_t>(offset)); });
    if (written <= 0) fail(written < 0 ? errno : ENOSPC);
    next += written;
    offset += static_cast<std::uint64_t>(written);
    count -= static_cast<std::size_t>(written);
  }
}

void OutputFile::read_at(std::uint64_t offset, void* bytes, std::size_t count) {
  char* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = uninterrupted(
        [&] { return ::pread(descriptor_, next, count, static_cast<off_t>(offset)); });
    if (got <= 0) fail(got < 0 ? errno : EIO);
    next += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

void OutputFile::resize(std::uint64_t size) {
  const int status =
      uninterrupted([&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)); });
  if (status != 0) fail(errno);
}

void OutputFile::sync() {
  // EINVAL, EROFS: a file system that has no such thing.
  const int status = uninterrupted([this] { return ::fsync(descriptor_); });
  if (status != 0 && errno != EINVAL && errno != EROFS) fail(errno);
  settle_name();
}

std::uint64_t OutputFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void OutputFile::fail(int error_number) const {
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  const bool limit = error_number == EFBIG;
  const char* remedy = full    ? "free some space, or write to another disk"
                       : limit ? "raise the limit (ulimit -f), or store less"
                               : "check the disk or network drive";
  throw core::RunError(
      fmt::format("cannot write to '{}': {}", path_.string(),
                  full ? "the disk is full" : std::strerror(error_number)),
      fmt::format("{}{}", remedy, published_ ? "; what was stored so far is readable" : ""));
}

void write_whole(const fs::path& path, FileKind kind, std::string_view contents, bool overwrite) {
  OutputFile file(path, kind, overwrite);
  file.open();
  file.write_at(0, contents.data(), contents.size());
  file.sync();
  file.publish();
  file.close();
}

void rewrite_model(const fs::path& path, std::string_view contents) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) throw cannot_create(path, error.value());
  OutputFile file(real, FileKind::model_part, true);
  file.open();
  file.write_at(0, contents.data(), contents.size());
  file.sync();
  file.take_permissions_of(path);
  file.publish();
  file.close();
}

}  // namespace trammel::results
