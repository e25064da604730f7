// The index of the chunks of a dataset that only grows, kept valid on disk at every moment.
//
// HDF5 finds the chunks of a dataset by a B-tree (version 1, node type 1; specification III.A.1):
//
//   node = "TREE", type, level, entries used, left sibling, right sibling,
//          key 0, child 0, key 1, child 1, ..., key 64        (64 = 2K children, K = 32)
//   key  = bytes of a chunk (4), filter mask (4), position of the chunk in the dataset (8 each)
//
// Chunks are added in the order of their positions, so nodes fill up one after the other and never
// split. That fixes every key beforehand: child i of the j-th node of level l begins at chunk
// number (64 j + i) 64^l. Adding a chunk therefore takes two small writes: the address of the
// child, in a place that is not in use yet, and then the number of entries used (2 bytes). A full
// node gets a neighbour and a full root a new root, both complete before anything points to them.
// Whoever reads the file between two writes finds a valid tree; so does whoever opens it after the
// writer died.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trammel/results/hdf5/growing_file.h"

namespace trammel::results::hdf5 {

/// Children of a full node.
inline constexpr std::size_t chunk_index_fanout = 64;
/// What stands before the first key of a node.
inline constexpr std::size_t node_header_bytes = 24;

/// How a dataset is cut: rank 1 or 2; a row of chunks has `blocks` chunks side by side.
struct ChunkGrid {
  int rank = 1;
  std::size_t element_bytes = sizeof(double);
  std::size_t rows = 1;     ///< of a chunk
  std::size_t columns = 1;  ///< of a chunk (rank 2)
  std::size_t blocks = 1;

  std::size_t chunk_bytes() const { return element_bytes * rows * columns; }
  /// Of a key: sizes and filters, then one position per dimension and one, always 0, for the
  /// element's bytes.
  std::size_t key_bytes() const { return 8 + 8 * (static_cast<std::size_t>(rank) + 1); }
};

class ChunkIndex {
 public:
  /// `root_field` is where the dataset's header keeps the address of the root.
  ChunkIndex(GrowingFile& file, std::uint64_t root_field, ChunkGrid grid);

  std::uint64_t chunk_count() const { return chunk_count_; }
  /// Makes the chunk that lies at this address the next one of the dataset. After an exception the
  /// index is as before, on disk and here. Allocates no memory.
  void append(std::uint64_t chunk_address);

 private:
  static constexpr std::size_t fanout = chunk_index_fanout;
  static constexpr std::size_t most_levels = 8;

  /// The node of each level, leaves first, in which there may be room.
  struct Node {
    std::uint64_t address = undefined_address;
    std::size_t used = 0;
  };

  void add_child(std::size_t level, std::uint64_t child);
  Node make_node(std::size_t level,
                 std::uint64_t first_chunk,
                 std::uint64_t left_sibling,
                 std::span<const std::uint64_t> children);
  void grow_root(std::uint64_t child);
  void write_key(char* target, std::uint64_t chunk_number) const;

  GrowingFile& file_;
  std::uint64_t root_field_;
  ChunkGrid grid_;
  std::uint64_t chunk_count_ = 0;
  std::size_t levels_ = 0;
  std::array<Node, most_levels> spine_;
  std::vector<char> node_bytes_;
};

}  // namespace trammel::results::hdf5
