#include "trammel/report/body_color.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace trammel::report {
namespace {

using Eigen::Vector3d;

constexpr std::array<std::uint32_t, 8> own_colors = {0x6f93b8, 0xd9a54a, 0x7fab86, 0xc97b6b,
                                                     0x8f86b5, 0x5ea5a8, 0xa99d8e, 0xb58aa5};
constexpr std::array<std::uint32_t, 3> ramp = {0x4c7fb0, 0x6fb3a5, 0xe0b354};

Vector3d from_number(std::uint32_t color) {
  return Vector3d((color >> 16U) & 255U, (color >> 8U) & 255U, color & 255U) / 255.0;
}

}  // namespace

Vector3d body_color(std::size_t body, std::size_t count) {
  if (count <= own_colors.size()) return from_number(own_colors[body % own_colors.size()]);
  const double s = 2.0 * static_cast<double>(body) / static_cast<double>(count - 1);
  const std::size_t part = s < 1.0 ? 0 : 1;
  const double inside = s - static_cast<double>(part);
  return (1.0 - inside) * from_number(ramp[part]) + inside * from_number(ramp[part + 1]);
}

Vector3d color_of(const std::string& hexadecimal) {
  std::uint32_t number = 0;
  const char* end = hexadecimal.data() + hexadecimal.size();
  if (!hexadecimal.empty()) std::from_chars(hexadecimal.data() + 1, end, number, 16);
  return from_number(number);
}

Vector3d linear(const Vector3d& color) {
  return color.unaryExpr(
      [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); });
}

}  // namespace trammel::report
