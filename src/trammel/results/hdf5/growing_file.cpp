#include "trammel/results/hdf5/growing_file.h"

namespace trammel::results::hdf5 {

std::uint64_t GrowingFile::allocate(std::size_t bytes) {
  const std::uint64_t address = (end_ + 7) / 8 * 8;
  file_.resize(address + bytes);
  write_number(end_of_file_field, address + bytes, 8);
  end_ = address + bytes;
  return address;
}

void GrowingFile::write_number(std::uint64_t address, std::uint64_t number, int bytes) {
  char encoded[8];
  store(encoded, number, bytes);
  file_.write_at(address, encoded, static_cast<std::size_t>(bytes));
}

}  // namespace trammel::results::hdf5
