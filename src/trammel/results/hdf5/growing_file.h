// Room at the end of an HDF5 file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trammel/results/hdf5/file_format.h"
#include "trammel/results/output_file.h"

namespace trammel::results::hdf5 {

class GrowingFile {
 public:
  /// `file` holds a complete HDF5 file.
  explicit GrowingFile(OutputFile& file) : file_(file), end_(file.size()) {}

  /// Address of new room of this size (zeros). It belongs to the file, also in the eyes of the HDF5
  /// library, before anything can point to it.
  std::uint64_t allocate(std::size_t bytes);

  void write_at(std::uint64_t address, const void* bytes, std::size_t count) {
    file_.write_at(address, bytes, count);
  }
  /// A little-endian number of 2 or 8 bytes, in one write.
  void write_number(std::uint64_t address, std::uint64_t number, int bytes);

 private:
  OutputFile& file_;
  std::uint64_t end_;
};

}  // namespace trammel::results::hdf5
