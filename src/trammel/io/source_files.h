// The files that a model is made of besides its own (includes, meshes, tables): which of them may
// be read, and which were.
//
// A model that comes from somebody else must not reach for files that have nothing to do with it:
// only what lies below its own folder is read, links followed, unless it is allowed otherwise.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trammel::io {

/// A file that was read, with the hash of its content (core/content_hash.h).
struct SourceFile {
  std::string path;
  std::string hash;
};

class SourceFiles {
 public:
  /// `model` is the path of the model file, whether or not there is such a file.
  explicit SourceFiles(const std::string& model, bool allow_outside = false);

  /// The content of a regular file. InputError as of read_regular_file, and when it lies outside.
  std::string read(const std::filesystem::path& path, std::size_t most_bytes);
  std::string read_text(const std::filesystem::path& path);

  /// In the order in which they were read.
  const std::vector<SourceFile>& list() const { return list_; }

 private:
  void check_inside(const std::filesystem::path& path) const;

  std::filesystem::path folder_;  ///< without links
  bool allow_outside_;
  std::vector<SourceFile> list_;
};

}  // namespace trammel::io
