// Reads HDF5 files that carry no checksums: results of earlier versions, and files of others. The
// HDF5 library may crash or go on forever on a damaged one, so it works in a process of its own,
// whose end is told as damage.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "trammel/results/row_source.h"

namespace trammel::results::hdf5 {

class GuardedReader : public RowSource {
 public:
  /// InputError when the file is damaged, of another kind, or of a later format.
  explicit GuardedReader(std::filesystem::path path);

  const Contents& contents() const override { return contents_; }
  void read(const std::vector<std::size_t>& chosen, const RowVisitor& visit) const override;

 private:
  std::filesystem::path path_;
  Contents contents_;
};

}  // namespace trammel::results::hdf5
