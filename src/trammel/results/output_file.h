// A file that is being written, with these promises:
//
// - an existing file is never written over unless that was asked for, and then only by one of its
//   own kind, never when it is an input, never while another process writes it, and only once its
//   successor has been created without error;
// - under the final path there is never a half-made beginning: the first contents are prepared in a
//   file without a name (or a hidden sibling, where the file system has no such thing), which then
//   takes the path in one step (publish);
// - nobody is waited for: a file that others hold is refused;
// - every failed write is a core::RunError that names the file, the reason and the remedy, and so
// is
//   a file that was removed, moved or replaced while it was written;
// - standard input, output and error never become this file, even when they were closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/results/file_kind.h"

namespace trammel::results {

/// Throws InputError when `path` cannot become an output file of this kind: it exists and may not
/// be replaced, is no regular file, is of another kind, is one of the `inputs`, is being written by
/// another run, or its folder does not exist or may not be written. An empty file is of every kind.
void check_output_path(const std::filesystem::path& path,
                       FileKind kind,
                       bool overwrite,
                       const std::vector<std::filesystem::path>& inputs = {});

/// Under the path of a file that was written stands another one, or none.
class FileMoved : public core::RunError {
 public:
  using core::RunError::RunError;
};

class OutputFile {
 public:
  OutputFile(std::filesystem::path path, FileKind kind, bool overwrite);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Creates the file, still without its path. As long as this lives (and until the process ends,
  /// however it ends), others see that it is being written.
  void open();
  /// Gives it its final path, also on the disk. Refuses to replace a file that appeared meanwhile.
  /// `last_look` is called while a file that stands there waits to be replaced and nobody else can
  /// replace it: this one may still be written.
  void publish(const std::function<void()>& last_look = {});
  /// Its mode and, as far as one may, its owner.
  void take_permissions_of(const std::filesystem::path& other);
  /// The rest was written without error, or RunError. FileMoved when the file is whole but its path
  /// is not its own any more.
  void close();

  /// All of the bytes at this offset, or RunError.
  void write_at(std::uint64_t offset, const void* bytes, std::size_t count);
  void read_at(std::uint64_t offset, void* bytes, std::size_t count);
  void resize(std::uint64_t size);
  /// Waits until everything is on the disk itself, with the name of a published file; some file
  /// systems report a full disk only here.
  void sync();
  std::uint64_t size() const;

 private:
  void open_unnamed();
  void open_named();
  /// Under its own number or its hidden name: the file gets this name as well; -1 and errno else.
  int link_to(const std::filesystem::path& name) const;
  /// False when another file came in between.
  bool take_path(const std::function<void()>& last_look);
  /// Tries once more what publish() could not do: the name goes to the disk.
  void settle_name();
  [[noreturn]] void fail(int error_number) const;

  std::filesystem::path path_;
  std::filesystem::path place_;  ///< absolute, once published, where files can be told apart
  std::filesystem::path temporary_;
  FileKind kind_;
  bool overwrite_ = false;
  bool named_ = false;  ///< the hidden sibling exists
  bool published_ = false;
  int folder_trouble_ = 0;  ///< error number
  int descriptor_ = -1;
};

/// A whole file at once. Errors as above; after one nothing is left behind, and a file that was to
/// be replaced is as it was.
void write_whole(const std::filesystem::path& path,
                 FileKind kind,
                 std::string_view contents,
                 bool overwrite);

/// The same for a model that is replaced by another version of itself, with its permissions.
void rewrite_model(const std::filesystem::path& path, std::string_view contents);

}  // namespace trammel::results
