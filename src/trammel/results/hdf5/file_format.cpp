#include "trammel/results/hdf5/file_format.h"

#include <functional>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::results::hdf5 {
namespace {

constexpr int dataspace_message = 0x0001;
constexpr int layout_message = 0x0008;
constexpr int attribute_message = 0x000C;
constexpr int continuation_message = 0x0010;

[[noreturn]] void unexpected(const char* what) {
  throw core::RunError(
      fmt::format("HDF5: the library does not write {} as the file format of 1996 has it", what),
      "use HDF5 1.8 to 1.14, or write the results as CSV");
}

struct Message {
  int type = 0;
  std::uint64_t body = 0;
  std::size_t bytes = 0;
};

/// Calls `visit` for each message of a version 1 object header, through all its continuations.
void for_each_message(const std::vector<char>& image,
                      std::uint64_t header,
                      const std::function<void(const Message&)>& visit) {
  if (load(image, header, 1) != 1) unexpected("object headers");
  struct Block {
    std::uint64_t begin;
    std::uint64_t bytes;
  };
  std::vector<Block> blocks{{header + 16, load(image, header + 8, 4)}};
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const std::uint64_t end = blocks[k].begin + blocks[k].bytes;
    for (std::uint64_t at = blocks[k].begin; at + 8 <= end;) {
      const Message message{static_cast<int>(load(image, at, 2)), at + 8, load(image, at + 2, 2)};
      if (message.type == continuation_message) {
        blocks.push_back({load(image, message.body, 8), load(image, message.body + 8, 8)});
      } else {
        visit(message);
      }
      at = message.body + message.bytes;
    }
  }
}

std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

}  // namespace

std::uint64_t load(const std::vector<char>& image, std::uint64_t offset, int bytes) {
  if (offset > image.size() || image.size() - offset < static_cast<std::size_t>(bytes)) {
    unexpected("addresses");
  }
  std::uint64_t number = 0;
  for (int k = bytes - 1; k >= 0; --k) {
    number = number << 8U | static_cast<unsigned char>(image[offset + static_cast<std::size_t>(k)]);
  }
  return number;
}

void store(char* target, std::uint64_t number, int bytes) {
  for (int k = 0; k < bytes; ++k)
    target[k] = static_cast<char>(number >> (8U * unsigned(k)) & 0xFFU);
}

void check_superblock(const std::vector<char>& image) {
  // Version 0; addresses and lengths of 8 bytes; end of the file where it is said to be.
  const bool known = load(image, 8, 1) == 0 && load(image, 13, 1) == 8 && load(image, 14, 1) == 8 &&
                     load(image, end_of_file_field, 8) == image.size();
  if (!known) unexpected("the superblock");
}

DatasetFields find_dataset_fields(const std::vector<char>& image, std::uint64_t header) {
  DatasetFields fields;
  for_each_message(image, header, [&](const Message& message) {
    if (message.type == dataspace_message) {
      if (load(image, message.body, 1) != 1) unexpected("dataspaces");
      fields.extent = message.body + 8;
    } else if (message.type == layout_message) {
      const bool chunked_version_3 =
          load(image, message.body, 1) == 3 && load(image, message.body + 1, 1) == 2;
      if (!chunked_version_3) unexpected("chunked layouts");
      fields.index_root = message.body + 3;
    }
  });
  if (fields.extent == 0 || fields.index_root == 0) unexpected("datasets");
  if (load(image, fields.index_root, 8) != undefined_address) unexpected("empty datasets");
  return fields;
}

AttributeField find_attribute(const std::vector<char>& image,
                              std::uint64_t header,
                              std::string_view name) {
  AttributeField field;
  for_each_message(image, header, [&](const Message& message) {
    if (message.type != attribute_message) return;
    if (load(image, message.body, 1) != 1) unexpected("attributes");
    const std::uint64_t name_bytes = load(image, message.body + 2, 2);
    if (name_bytes != name.size() + 1 ||
        name.compare(0, name.size(), &image[message.body + 8], name.size()) != 0) {
      return;
    }
    const std::uint64_t type_bytes = load(image, message.body + 4, 2);
    const std::uint64_t space_bytes = load(image, message.body + 6, 2);
    const std::uint64_t before = 8 + padded(name_bytes) + padded(type_bytes) + padded(space_bytes);
    field = {message.body + before, message.bytes - before};
  });
  if (field.address == 0) unexpected("attributes");
  return field;
}

}  // namespace trammel::results::hdf5
