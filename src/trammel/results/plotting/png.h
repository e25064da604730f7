// Packs pixels as a PNG file (ISO/IEC 15948): 8-bit colours, compressed by zlib.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trammel::results::plotting {

/// `pixels`: red, green, blue, row by row from the top. `pixels_per_unit` tells viewers the
/// resolution, where a unit is 1/96 inch.
std::string encode_png(const std::vector<std::uint8_t>& pixels,
                       int width,
                       int height,
                       double pixels_per_unit);

}  // namespace trammel::results::plotting
