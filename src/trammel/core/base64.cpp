#include "trammel/core/base64.h"

#include <algorithm>
#include <cstdint>

namespace trammel::core {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint32_t no_digit = 64;

std::uint32_t digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : no_digit;
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8U) | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? digits[(group >> (18U - 6U * k)) & 63U] : '=';
    }
  }
  return text;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding =
        last ? (text[i + 3] == '=' ? 1U : 0U) + (text.substr(i + 2) == "==" ? 1U : 0U) : 0U;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint32_t digit = k < 4 - padding ? digit_of(text[i + k]) : 0;
      if (digit == no_digit) return std::nullopt;
      group = (group << 6U) | digit;
    }
    for (std::size_t k = 0; k < 3 - padding; ++k) {
      bytes.push_back(static_cast<std::byte>((group >> (16U - 8U * k)) & 255U));
    }
  }
  return bytes;
}

}  // namespace trammel::core
