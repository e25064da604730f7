// Reads a results file through the HDF5 library.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "trammel/results/hdf5/handle.h"
#include "trammel/results/reader.h"
#include "trammel/results/table.h"

namespace trammel::results::hdf5 {

class Hdf5Reader {
 public:
  /// InputError when the file is damaged, of another kind, or of a later format.
  explicit Hdf5Reader(std::filesystem::path path);

  const Contents& contents() const { return contents_; }
  Table read(const std::vector<std::string>& patterns) const;

 private:
  void check_format() const;
  void read_record();
  std::string read_text_dataset(const char* name) const;
  void read_information();
  void read_statistics();
  void read_channels();
  void read_extent();
  void read_column_block(std::size_t first,
                         std::size_t count,
                         const std::vector<std::size_t>& chosen,
                         Table& table) const;

  [[noreturn]] void damaged(const std::string& what) const;
  Handle open_dataset(const char* name) const;
  std::vector<hsize_t> extent(const Handle& dataset, const char* name, std::size_t rank) const;
  std::string read_text_attribute(hid_t object, const char* name) const;
  std::vector<std::string> read_texts(const char* name) const;
  std::vector<double> read_time(std::size_t first, std::size_t rows) const;

  Silence silence_;
  std::filesystem::path path_;
  Handle file_;
  Handle values_;
  std::size_t chunk_rows_ = 1;
  std::size_t chunk_columns_ = 1;
  Contents contents_;
};

}  // namespace trammel::results::hdf5
