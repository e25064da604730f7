#include "trammel/results/plotting/png.h"

#include <cmath>
#include <cstdlib>
#include <new>
#include <string_view>

#include <zlib.h>

namespace trammel::results::plotting {
namespace {

void add_big_endian(std::string& bytes, std::uint32_t number) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    bytes += static_cast<char>(number >> shift & 0xFFU);
  }
}

void add_block(std::string& file, const char* kind, std::string_view data) {
  add_big_endian(file, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = file.size();
  file += kind;
  file += data;
  const uLong check = crc32(0, reinterpret_cast<const Bytef*>(file.data() + begin),
                            static_cast<uInt>(file.size() - begin));
  add_big_endian(file, static_cast<std::uint32_t>(check));
}

/// Each row as its difference from the row above (filter 2), which suits large plain areas.
std::string filtered(const std::vector<std::uint8_t>& pixels, std::size_t row_bytes) {
  std::string rows;
  rows.reserve(pixels.size() + pixels.size() / row_bytes);
  for (std::size_t begin = 0; begin < pixels.size(); begin += row_bytes) {
    rows += '\2';
    for (std::size_t k = begin; k < begin + row_bytes; ++k) {
      const int above = k < row_bytes ? 0 : pixels[k - row_bytes];
      rows += static_cast<char>((pixels[k] - above) & 0xFF);
    }
  }
  return rows;
}

}  // namespace

std::string encode_png(const std::vector<std::uint8_t>& pixels,
                       int width,
                       int height,
                       double pixels_per_unit) {
  std::string header;
  add_big_endian(header, static_cast<std::uint32_t>(width));
  add_big_endian(header, static_cast<std::uint32_t>(height));
  header += std::string_view("\x08\x02\0\0\0", 5);  // 8 bits, colours, deflate, filters, in order

  constexpr double units_per_metre = 96.0 / 0.0254;
  const auto density = static_cast<std::uint32_t>(std::lround(units_per_metre * pixels_per_unit));
  std::string resolution;
  add_big_endian(resolution, density);
  add_big_endian(resolution, density);
  resolution += '\1';

  const std::string rows = filtered(pixels, 3 * static_cast<std::size_t>(width));
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(rows.data()), static_cast<uLong>(rows.size()),
                Z_BEST_COMPRESSION) != Z_OK) {
    throw std::bad_alloc();
  }
  packed.resize(size);

  std::string file = "\x89PNG\r\n\x1a\n";
  add_block(file, "IHDR", header);
  add_block(file, "pHYs", resolution);
  add_block(file, "IDAT", packed);
  add_block(file, "IEND", {});
  return file;
}

}  // namespace trammel::results::plotting
