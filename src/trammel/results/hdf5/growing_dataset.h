// A chunked dataset of an HDF5 file that gets longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trammel/results/hdf5/chunk_index.h"
#include "trammel/results/hdf5/file_format.h"
#include "trammel/results/hdf5/growing_file.h"

namespace trammel::results::hdf5 {

class GrowingDataset {
 public:
  GrowingDataset(GrowingFile& file, DatasetFields fields, ChunkGrid grid)
      : file_(file),
        extent_field_(fields.extent),
        grid_(grid),
        index_(file, fields.index_root, grid),
        addresses_(grid.blocks) {}

  std::uint64_t extent_field() const { return extent_field_; }
  const ChunkGrid& grid() const { return grid_; }

  /// Makes sure that the chunks of this row of chunks (the last one or its successor) exist. May be
  /// repeated after an exception.
  void prepare(std::uint64_t chunk_row) {
    while (index_.chunk_count() < (chunk_row + 1) * grid_.blocks) {
      const std::size_t block = index_.chunk_count() % grid_.blocks;
      addresses_[block] = file_.allocate(grid_.chunk_bytes());
      index_.append(addresses_[block]);
    }
  }

  /// Writes rows `first` to `last` of a block of the prepared row of chunks; `chunk` is the image
  /// of that chunk in memory. They become visible when the extent is set.
  void write_rows(std::size_t block, const char* chunk, std::size_t first, std::size_t last) {
    const std::size_t row_bytes = grid_.element_bytes * grid_.columns;
    file_.write_at(addresses_[block] + first * row_bytes, chunk + first * row_bytes,
                   (last - first) * row_bytes);
  }

  void set_extent(std::uint64_t rows) { file_.write_number(extent_field_, rows, 8); }

 private:
  GrowingFile& file_;
  std::uint64_t extent_field_;
  ChunkGrid grid_;
  ChunkIndex index_;
  std::vector<std::uint64_t> addresses_;
};

}  // namespace trammel::results::hdf5
