// Reads a results file that carries checksums (hdf5/seal.h; format version 2 and later). Damage is
// told, whatever it is; the file may be growing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "trammel/results/hdf5/input_file.h"
#include "trammel/results/hdf5/seal.h"
#include "trammel/results/hdf5/sealed_dataset.h"
#include "trammel/results/row_source.h"

namespace trammel::results::hdf5 {

/// Whether the file carries a manifest, intact or not.
bool is_sealed(const std::filesystem::path& path);

class SealedReader : public RowSource {
 public:
  /// InputError when the file is damaged or of a later format.
  explicit SealedReader(std::filesystem::path path);

  const Contents& contents() const override { return contents_; }
  void read(const std::vector<std::size_t>& chosen, const RowVisitor& visit) const override;

 private:
  [[noreturn]] void damaged(const std::string& what) const;
  void read_state();
  void read_skeleton();
  void read_end();
  void read_statistics();
  void read_notes();
  void read_times();
  SealedDataset dataset(const DatasetFields& fields, const ChunkGrid& grid) const;
  ChunkGrid time_grid() const;
  ChunkGrid values_grid() const;
  std::size_t rows_of_chunk(std::uint64_t chunk_row) const;
  void read_block(SealedDataset& values,
                  std::uint64_t chunk_row,
                  const std::vector<std::size_t>& chosen,
                  std::size_t at,
                  std::vector<std::vector<double>>& columns,
                  std::vector<char>& bytes) const;

  std::filesystem::path path_;
  InputFile file_;
  std::vector<char> page_;
  Manifest manifest_;
  RunState state_;
  std::size_t chunk_rows_ = 1;
  std::size_t chunk_columns_ = 1;
  Contents contents_;
};

}  // namespace trammel::results::hdf5
