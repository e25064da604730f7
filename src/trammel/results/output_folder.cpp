#include "trammel/results/output_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/hidden_sibling.h"

namespace trammel::results {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(fs::path path, bool overwrite, Recognise is_ours)
    : path_(std::move(path)), work_(own_hidden_sibling(path_)), is_ours_(std::move(is_ours)) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path_, error);
  replaces_ = fs::exists(status);
  if (replaces_ && !overwrite) {
    throw core::InputError(fmt::format("'{}' exists", path_.string()),
                           "remove it, choose another name, or replace it by --force");
  }
  if (replaces_ && !fs::is_directory(status)) {
    throw core::InputError(fmt::format("'{}' is no folder", path_.string()),
                           "move it away, or choose another name");
  }
  for (const auto& entry : fs::directory_iterator(replaces_ ? path_ : fs::path(), error)) {
    if (is_ours_(entry.path())) continue;
    throw core::InputError(
        fmt::format("'{}' is no file of an earlier export, and its folder is not replaced, not "
                    "even with --force",
                    entry.path().string()),
        "move it away, or choose another name");
  }
  if (!fs::create_directory(work_, error)) {
    throw core::InputError(fmt::format("'{}' cannot be made: {}", path_.string(), error.message()),
                           "choose a folder in which you may write and whose disk has room");
  }
}

OutputFolder::~OutputFolder() {
  if (published_ && !kept_) {
    // Where there was nothing before, nothing has to come back: a disk that gives no name any more
    // may still take one away.
    if (!replaces_) {
      remove_ours(path_);
      return;
    }
    // Nobody is left to hear it when this fails; the hidden name then holds what was before.
    if (exchange() != 0) return;
  }
  remove_ours(work_);
}

// What others have put there in the meantime stays, under the hidden name.
void OutputFolder::remove_ours(const fs::path& folder) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (is_ours_(entry.path())) fs::remove(entry.path(), ignored);
  }
  fs::remove(folder, ignored);
}

// The two folders change names: at once, or over a third name where the file system cannot do that.
int OutputFolder::exchange() {
  if (::renameat2(AT_FDCWD, work_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return -1;
  const fs::path third = own_hidden_sibling(path_);
  if (std::rename(path_.c_str(), third.c_str()) != 0) return -1;
  if (std::rename(work_.c_str(), path_.c_str()) == 0) {
    return std::rename(third.c_str(), work_.c_str());
  }
  const int error_number = errno;
  std::rename(third.c_str(), path_.c_str());
  errno = error_number;
  return -1;
}

void OutputFolder::publish() {
  if ((replaces_ ? exchange() : std::rename(work_.c_str(), path_.c_str())) != 0) {
    throw core::RunError(
        fmt::format("'{}' cannot be made: {}", path_.string(), std::strerror(errno)),
        "check the disk; nothing was changed");
  }
  published_ = true;
}

void OutputFolder::keep() {
  kept_ = true;
}

}  // namespace trammel::results
