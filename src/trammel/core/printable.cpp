#include "trammel/core/printable.h"

#include <fmt/format.h>

namespace trammel::core {
namespace {

/// A character of a text: its number and how many bytes it has; none when they are no UTF-8.
struct Character {
  char32_t number = 0;
  std::size_t bytes = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80U) return {first, 1};
  const std::size_t bytes = first < 0xC2U ? 0 : first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
  if (bytes == 0 || first > 0xF4U || at + bytes > text.size()) return {};
  char32_t number = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = at + 1; i < at + bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    number = (number << 6U) | (byte(i) & 0x3FU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = number >= 0xD800 && number <= 0xDFFF;
  if (number < least[bytes] || number > 0x10FFFF || surrogate) return {};
  return {number, bytes};
}

bool is_obeyed(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c < 0x20 || within(0x7F, 0x9F) || within(0x200E, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2066, 0x2069) || c == 0x061C;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = character_at(text, i);
    const bool stays = c.bytes > 0 && !is_obeyed(c.number);
    if (stays) {
      result += text.substr(i, c.bytes);
    } else if (c.bytes > 1) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c.number));
    } else if (text[i] == '\t') {
      result += ' ';
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    }
    i += c.bytes > 0 ? c.bytes : 1;
  }
  return result;
}

}  // namespace trammel::core
