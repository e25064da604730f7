#include "trammel/core/json_string.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace trammel::core {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Number of bytes of the UTF-8 character at the start of the text; 0 when there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates and numbers beyond U+10FFFF.
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

void add_escaped(std::string& out, std::string_view character) {
  if (character == "\"" || character == "\\") {
    out += '\\';
    out += character;
  } else if (character == "\n") {
    out += "\\n";
  } else if (static_cast<std::uint8_t>(character[0]) < 0x20 || character == "\x7F") {
    out += fmt::format("\\u{:04x}", static_cast<std::uint8_t>(character[0]));
  } else {
    out += character;
  }
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    add_escaped(out, length == 0 ? replacement : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out += '"';
}

}  // namespace trammel::core
