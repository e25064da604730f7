// The little of the HDF5 file format that is needed to extend datasets in place.
//
// Source: "HDF5 File Format Specification Version 3.0", The HDF Group: II.A superblock (version 0),
// IV.A.1.a object header (version 1), IV.A.2.b dataspace message (0x0001), IV.A.2.i data layout
// message (0x0008, version 3), IV.A.2.m attribute message (0x000C, version 1). All numbers are
// little-endian; addresses count from the beginning of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace trammel::results::hdf5 {

inline constexpr std::uint64_t undefined_address = ~std::uint64_t{0};
inline constexpr std::uint64_t end_of_file_field = 40;  ///< in the superblock

/// Where in the file the two numbers stand that change when a chunked dataset grows.
struct DatasetFields {
  std::uint64_t extent = 0;      ///< its current length along the first dimension
  std::uint64_t index_root = 0;  ///< address of the root of its chunk index
};

/// Where the value of an attribute stands.
struct AttributeField {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};

std::uint64_t load(const std::vector<char>& image, std::uint64_t offset, int bytes);
void store(char* target, std::uint64_t number, int bytes);

/// Where things stand in a file, `image` being all its bytes and `header` the address of the object
/// header of the dataset or group. All throw RunError when the format is not the one described
/// above.
void check_superblock(const std::vector<char>& image);
DatasetFields find_dataset_fields(const std::vector<char>& image, std::uint64_t header);
AttributeField find_attribute(const std::vector<char>& image,
                              std::uint64_t header,
                              std::string_view name);

}  // namespace trammel::results::hdf5
