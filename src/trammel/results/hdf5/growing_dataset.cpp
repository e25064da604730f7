#include "trammel/results/hdf5/growing_dataset.h"

#include "trammel/results/hdf5/seal.h"

namespace trammel::results::hdf5 {

void GrowingDataset::prepare(std::uint64_t chunk_row) {
  while (index_.chunk_count() < (chunk_row + 1) * grid_.blocks) {
    const std::size_t block = index_.chunk_count() % grid_.blocks;
    addresses_[block] = file_.allocate(grid_.chunk_bytes() + seals_bytes);
    index_.append(addresses_[block]);
  }
}

void GrowingDataset::reserve() {
  const std::vector<char> zeros(grid_.chunk_bytes() + seals_bytes);
  for (const std::uint64_t address : addresses_) {
    file_.write_at(address, zeros.data(), zeros.size());
  }
}

void GrowingDataset::write_rows(std::size_t block,
                                const char* chunk,
                                std::size_t first,
                                std::size_t last) {
  const std::size_t row_bytes = grid_.element_bytes * grid_.columns;
  const char* rows = chunk + first * row_bytes;
  const std::size_t bytes = (last - first) * row_bytes;
  file_.write_at(addresses_[block] + first * row_bytes, rows, bytes);

  const std::uint64_t number = index_.chunk_count() - grid_.blocks + block;
  const std::uint32_t before =
      first == 0 ? seal_seed(skeleton_checksum_, fields_.index_root, number) : sealed_[block];
  pending_[block] = checksum(before, rows, bytes);
  const auto seal = encode(Seal{static_cast<std::uint32_t>(last), pending_[block]});
  file_.write_at(addresses_[block] + grid_.chunk_bytes() + free_seal_ * seal_bytes, seal.data(),
                 seal.size());
}

void GrowingDataset::commit() {
  sealed_ = pending_;
  free_seal_ = 1 - free_seal_;
}

}  // namespace trammel::results::hdf5
