// Reads a results file through the HDF5 library: only where damage does no harm, which is in a
// process of its own (hdf5/guarded_reader.h), or once checksums agree (hdf5/sealed_reader.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "trammel/results/hdf5/handle.h"
#include "trammel/results/row_source.h"

namespace trammel::results::hdf5 {

class Hdf5Reader : public RowSource {
 public:
  /// InputError when the file is damaged, of another kind, or of a later format.
  explicit Hdf5Reader(std::filesystem::path path);

  /// The same for the beginning of a file, which lies in memory; `path` is for messages.
  Hdf5Reader(std::filesystem::path path, std::vector<char>& image);

  const Contents& contents() const override { return contents_; }
  void read(const std::vector<std::size_t>& chosen, const RowVisitor& visit) const override;

  std::size_t chunk_rows() const { return chunk_rows_; }
  std::size_t chunk_columns() const { return chunk_columns_; }

 private:
  void read_all();
  void check_format() const;
  void read_record();
  std::string read_text_dataset(hid_t parent, const char* name) const;
  void read_information();
  void read_statistics();
  void read_channels();
  void read_extent();
  void read_columns(std::size_t row,
                    std::size_t rows,
                    const std::vector<std::size_t>& chosen,
                    std::vector<std::vector<double>>& columns) const;

  [[noreturn]] void damaged(const std::string& what) const;
  Handle open_dataset(hid_t parent, const char* name) const;
  std::vector<hsize_t> extent(const Handle& dataset, const char* name, std::size_t rank) const;
  std::string read_text_attribute(hid_t object, const char* name) const;
  std::vector<std::string> read_texts(const char* name) const;
  std::vector<double> read_time(std::size_t first, std::size_t rows) const;

  Silence silence_;
  std::filesystem::path path_;
  bool sealed_ = false;
  Handle file_;
  Handle values_;
  std::size_t chunk_rows_ = 1;
  std::size_t chunk_columns_ = 1;
  Contents contents_;
};

}  // namespace trammel::results::hdf5
