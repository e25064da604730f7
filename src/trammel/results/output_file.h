// A file that is being written, with three promises:
//
// - an existing file is never written over unless that was asked for, and then only once its
//   successor has been created without error;
// - under the final path there is never a half-made beginning: the first contents are prepared in a
//   hidden sibling, which then takes the path in one step (publish);
// - every failed write is a core::RunError that names the file, the reason and the remedy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace trammel::results {

/// Throws InputError when `path` cannot become an output file: it exists (and may not be replaced),
/// is no regular file, or its folder does not exist.
void check_output_path(const std::filesystem::path& path, bool overwrite);

class OutputFile {
 public:
  OutputFile(std::filesystem::path path, bool overwrite);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Creates the hidden sibling.
  void open();
  /// Gives the sibling its final path. Refuses to replace a file that appeared meanwhile.
  void publish();

  /// All of the bytes at this offset, or RunError.
  void write_at(std::uint64_t offset, const void* bytes, std::size_t count);
  void read_at(std::uint64_t offset, void* bytes, std::size_t count);
  void resize(std::uint64_t size);
  /// Waits until everything is on the disk itself; some file systems report a full disk only here.
  void sync();
  std::uint64_t size() const;

 private:
  [[noreturn]] void fail(int error_number) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool overwrite_ = false;
  bool published_ = false;
  int descriptor_ = -1;
};

}  // namespace trammel::results
