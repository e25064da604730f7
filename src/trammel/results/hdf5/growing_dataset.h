// A chunked dataset of an HDF5 file that gets longer, with seals behind its chunks (hdf5/seal.h).
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
  GrowingDataset(GrowingFile& file,
                 DatasetFields fields,
                 ChunkGrid grid,
                 std::uint64_t skeleton_checksum)
      : file_(file),
        fields_(fields),
        grid_(grid),
        skeleton_checksum_(skeleton_checksum),
        index_(file, fields.index_root, grid),
        addresses_(grid.blocks),
        sealed_(grid.blocks),
        pending_(grid.blocks) {}

  std::uint64_t extent_field() const { return fields_.extent; }
  const ChunkGrid& grid() const { return grid_; }

  /// Makes sure that the chunks of this row of chunks (the last one or its successor) exist. May be
  /// repeated after an exception.
  void prepare(std::uint64_t chunk_row);

  /// Writes zeros to all of the prepared row of chunks: room that a full disk cannot take away.
  void reserve();

  /// Writes rows `first` to `last` of a block of the prepared row of chunks, and the seal of all
  /// its rows up to there; `chunk` is the image of that chunk in memory, of which the rows before
  /// `first` have been committed. They become visible when the extent is set.
  void write_rows(std::size_t block, const char* chunk, std::size_t first, std::size_t last);

  /// What was written since the last commit is now counted on.
  void commit();

  void set_extent(std::uint64_t rows) { file_.write_number(fields_.extent, rows, 8); }

 private:
  GrowingFile& file_;
  DatasetFields fields_;
  ChunkGrid grid_;
  std::uint64_t skeleton_checksum_;
  ChunkIndex index_;
  std::vector<std::uint64_t> addresses_;
  std::vector<std::uint32_t> sealed_;   ///< checksums of the rows that are counted on, by block
  std::vector<std::uint32_t> pending_;  ///< likewise with what was written since
  std::size_t free_seal_ = 0;           ///< the one of the two that nobody counts on
};

}  // namespace trammel::results::hdf5
