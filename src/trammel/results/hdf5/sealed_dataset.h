// Reads the chunks of a growing dataset and checks their seals (hdf5/seal.h), without the HDF5
// library. Nothing in the file is trusted: a wrong address or number ends in a chunk whose seal
// does not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trammel/results/hdf5/chunk_index.h"
#include "trammel/results/hdf5/file_format.h"
#include "trammel/results/hdf5/input_file.h"

namespace trammel::results::hdf5 {

class SealedDataset {
 public:
  /// `root` is the address of the root of its chunk index.
  SealedDataset(const InputFile& file,
                std::uint64_t root_field,
                std::uint64_t root,
                ChunkGrid grid,
                std::uint64_t skeleton_checksum)
      : file_(&file),
        root_field_(root_field),
        root_(root),
        grid_(grid),
        skeleton_checksum_(skeleton_checksum) {}

  const ChunkGrid& grid() const { return grid_; }

  /// Reads a chunk, at least `rows` rows of which are sealed; false when it is damaged. `bytes`
  /// grows to the size of a chunk with its seals.
  bool read_chunk(std::uint64_t number, std::size_t rows, std::vector<char>& bytes);

 private:
  bool find_leaf(std::uint64_t number);
  bool read_node(std::uint64_t address);
  std::uint64_t child(std::size_t index) const;
  std::size_t used() const;
  bool is_sealed(const std::vector<char>& bytes, std::uint64_t number, std::size_t rows) const;

  const InputFile* file_;
  std::uint64_t root_field_;
  std::uint64_t root_;
  ChunkGrid grid_;
  std::uint64_t skeleton_checksum_;
  std::vector<char> node_;                         ///< the last leaf
  std::uint64_t leaf_number_ = ~std::uint64_t{0};  ///< of all leaves of the index
};

}  // namespace trammel::results::hdf5
