#include "trammel/results/hdf5/sealed_dataset.h"

#include <algorithm>
#include <string_view>

#include "trammel/results/hdf5/seal.h"

namespace trammel::results::hdf5 {
namespace {

constexpr std::uint64_t nothing = ~std::uint64_t{0};

std::uint64_t number_at(const char* bytes, int count) {
  std::uint64_t number = 0;
  for (int k = count - 1; k >= 0; --k) {
    number = number << 8U | static_cast<unsigned char>(bytes[k]);
  }
  return number;
}

}  // namespace

bool SealedDataset::read_node(std::uint64_t address) {
  const std::size_t key = grid_.key_bytes();
  node_.resize(node_header_bytes + chunk_index_fanout * (key + 8) + key);
  return file_->read_at(address, node_.data(), node_.size()) &&
         std::string_view(node_.data(), 4) == "TREE" && node_[4] == 1;
}

std::size_t SealedDataset::used() const {
  return number_at(&node_[6], 2);
}

std::uint64_t SealedDataset::child(std::size_t index) const {
  const std::size_t key = grid_.key_bytes();
  return number_at(&node_[node_header_bytes + index * (key + 8) + key], 8);
}

bool SealedDataset::find_leaf(std::uint64_t number) {
  if (leaf_number_ == number / chunk_index_fanout) return true;
  leaf_number_ = nothing;
  if (!read_node(root_)) return false;
  auto level = static_cast<unsigned char>(node_[5]);
  constexpr unsigned char most_levels = 8;
  if (level >= most_levels) return false;
  std::uint64_t below = 1;  // chunks below one child
  for (unsigned char k = 0; k < level; ++k) below *= chunk_index_fanout;
  if (number / below >= chunk_index_fanout) return false;
  for (; level > 0; --level, below /= chunk_index_fanout) {
    const std::size_t index = number / below % chunk_index_fanout;
    if (index >= used() || !read_node(child(index))) return false;
    if (static_cast<unsigned char>(node_[5]) + 1 != level) return false;
  }
  leaf_number_ = number / chunk_index_fanout;
  return true;
}

bool SealedDataset::is_sealed(const std::vector<char>& bytes,
                              std::uint64_t number,
                              std::size_t rows) const {
  const std::size_t row_bytes = grid_.element_bytes * grid_.columns;
  const std::uint32_t seed = seal_seed(skeleton_checksum_, root_field_, number);
  for (std::size_t which = 0; which < 2; ++which) {
    const Seal seal = decode_seal(&bytes[grid_.chunk_bytes() + which * seal_bytes]);
    if (seal.rows < rows || seal.rows > grid_.rows) continue;
    if (checksum(seed, bytes.data(), seal.rows * row_bytes) == seal.checksum) return true;
  }
  return false;
}

bool SealedDataset::read_chunk(std::uint64_t number, std::size_t rows, std::vector<char>& bytes) {
  bytes.resize(grid_.chunk_bytes() + seals_bytes);
  // More than once: the file may be growing, and rows and seals are not read in one moment. So may
  // the leaf that was kept.
  constexpr int most_attempts = 5;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (find_leaf(number)) {
      const std::size_t index = number % chunk_index_fanout;
      if (index < used() && file_->read_at(child(index), bytes.data(), bytes.size()) &&
          is_sealed(bytes, number, rows)) {
        return true;
      }
    }
    leaf_number_ = nothing;
  }
  return false;
}

}  // namespace trammel::results::hdf5
