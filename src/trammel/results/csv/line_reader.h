// The lines of a text file, one after the other, however long the file is. An error of the disk is
// an error and never taken for the end of the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace trammel::results::csv {

class LineReader {
 public:
  /// InputError with the reason when the file cannot be opened.
  explicit LineReader(std::filesystem::path path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// False at the end of the file. InputError with the reason when it cannot be read on.
  bool next();
  /// The present one, without its line break.
  const std::string& line() const { return line_; }
  /// Whether it has a line break; only the last one may have none.
  bool is_whole() const { return whole_; }

 private:
  /// False at the end of the file.
  bool fill();
  [[noreturn]] void fail(int error_number) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string buffer_;
  std::size_t position_ = 0;  ///< of what has not been given yet
  std::string line_;
  bool whole_ = false;
};

}  // namespace trammel::results::csv
