#include "trammel/results/hdf5/chunk_index.h"

#include <algorithm>

namespace trammel::results::hdf5 {
namespace {

constexpr std::uint64_t used_field = 6;
constexpr std::uint64_t right_sibling_field = 16;
constexpr std::size_t address_bytes = 8;

std::uint64_t chunks_below_child(std::size_t level, std::uint64_t fanout) {
  std::uint64_t count = 1;
  for (std::size_t k = 0; k < level; ++k) count *= fanout;
  return count;
}

}  // namespace

ChunkIndex::ChunkIndex(GrowingFile& file, std::uint64_t root_field, ChunkGrid grid)
    : file_(file),
      root_field_(root_field),
      grid_(grid),
      node_bytes_(node_header_bytes + fanout * (grid.key_bytes() + address_bytes) +
                  grid.key_bytes()) {}

void ChunkIndex::write_key(char* target, std::uint64_t chunk_number) const {
  store(target, grid_.chunk_bytes(), 4);
  store(target + 4, 0, 4);
  store(target + 8, chunk_number / grid_.blocks * grid_.rows, 8);
  if (grid_.rank > 1) store(target + 16, chunk_number % grid_.blocks * grid_.columns, 8);
  store(target + 8 + 8 * grid_.rank, 0, 8);
}

ChunkIndex::Node ChunkIndex::make_node(std::size_t level,
                                       std::uint64_t first_chunk,
                                       std::uint64_t left_sibling,
                                       std::span<const std::uint64_t> children) {
  const std::size_t key = grid_.key_bytes();
  const std::size_t stride = key + address_bytes;
  std::vector<char>& bytes = node_bytes_;
  std::copy_n("TREE", 4, bytes.begin());
  bytes[4] = 1;  // of raw data chunks
  bytes[5] = static_cast<char>(level);
  store(&bytes[used_field], children.size(), 2);
  store(&bytes[8], left_sibling, 8);
  store(&bytes[right_sibling_field], undefined_address, 8);
  const std::uint64_t step = chunks_below_child(level, fanout);
  for (std::size_t i = 0; i <= fanout; ++i) {
    char* entry = &bytes[node_header_bytes + i * stride];
    write_key(entry, first_chunk + i * step);
    if (i == fanout) break;
    store(entry + key, i < children.size() ? children[i] : undefined_address, 8);
  }
  const Node node{file_.allocate(bytes.size()), children.size()};
  file_.write_at(node.address, bytes.data(), bytes.size());
  if (left_sibling != undefined_address) {
    file_.write_number(left_sibling + right_sibling_field, node.address, 8);
  }
  return node;
}

void ChunkIndex::add_child(std::size_t level, std::uint64_t child) {
  Node& node = spine_[level];
  const std::size_t key = grid_.key_bytes();
  const std::size_t stride = key + address_bytes;
  const std::uint64_t place = node.address + node_header_bytes + node.used * stride + key;
  file_.write_number(place, child, 8);
  file_.write_number(node.address + used_field, node.used + 1, 2);
  ++node.used;
}

void ChunkIndex::grow_root(std::uint64_t child) {
  // The first root has the first chunk as its only child; later ones the old root and the new
  // child.
  const std::array<std::uint64_t, 2> both{levels_ > 0 ? spine_[levels_ - 1].address : child, child};
  const std::span<const std::uint64_t> children(both.data(), levels_ > 0 ? 2 : 1);
  const Node root = make_node(levels_, 0, undefined_address, children);
  file_.write_number(root_field_, root.address, 8);
  spine_.at(levels_++) = root;
}

void ChunkIndex::append(std::uint64_t chunk_address) {
  // Lowest level with room; every level below it gets a new node with one entry.
  std::size_t level = 0;
  while (level < levels_ && spine_[level].used == fanout) ++level;
  std::array<Node, most_levels> fresh;
  std::uint64_t child = chunk_address;
  for (std::size_t below = 0; below < level; ++below) {
    fresh[below] = make_node(below, chunk_count_, spine_[below].address, {&child, 1});
    child = fresh[below].address;
  }
  if (level < levels_) {
    add_child(level, child);
  } else {
    grow_root(child);
  }
  std::copy_n(fresh.begin(), level, spine_.begin());
  ++chunk_count_;
}

}  // namespace trammel::results::hdf5
