#include "trammel/io/text_check.h"

#include <fmt/format.h>

namespace trammel::io {
namespace {

constexpr int most_open_brackets = 1000;

core::Diagnostic refused_at(int line, int column, std::string message, std::string remedy) {
  return {core::Severity::error, {}, std::move(message), std::move(remedy), {}, line, column};
}

/// The number of bytes that a first byte of a UTF-8 sequence announces, or 0 for any other byte.
std::size_t announced_length(unsigned first) {
  if (first < 0x80U) return 1;
  if (first < 0xC2U || first > 0xF4U) return 0;
  return first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
}

/// Bytes of the UTF-8 sequence that starts at `text[at]`, or 0 if it is not valid (overlong forms
/// and surrogates included).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  const std::size_t length = announced_length(first);
  if (length <= 1) return length;
  if (at + length > text.size()) return 0;
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // The second byte has a smaller range after these four.
  const unsigned second = byte(at + 1);
  const unsigned least = first == 0xE0U ? 0xA0U : first == 0xF0U ? 0x90U : 0x80U;
  const unsigned most = first == 0xEDU ? 0x9FU : first == 0xF4U ? 0x8FU : 0xBFU;
  return second < least || second > most ? 0 : length;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20U && c != '\n' && c != '\r' && c != '\t') || byte == 0x7FU;
}

/// +1 for an opening, -1 for a closing bracket.
int bracket(char c) {
  if (c == '[' || c == '{') return 1;
  return c == ']' || c == '}' ? -1 : 0;
}

core::Diagnostic bad_byte(int line, int column, char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (is_control(c)) {
    return refused_at(line, column,
                      fmt::format("byte 0x{:02x} does not belong in a text file", byte),
                      "is this really a model file? Save it as plain UTF-8 text");
  }
  return refused_at(line, column, fmt::format("byte 0x{:02x} is not valid UTF-8", byte),
                    "save the file as UTF-8 text");
}

}  // namespace

std::string normalised_lines(std::string text) {
  const std::size_t start = text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0;
  std::size_t end = 0;
  for (std::size_t i = start; i < text.size(); ++i) {
    if (text[i] == '\r') {
      text[end++] = '\n';
      if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
    } else {
      text[end++] = text[i];
    }
  }
  text.resize(end);
  return text;
}

std::optional<core::Diagnostic> check_text(std::string_view text) {
  if (text.size() > largest_text) {
    return refused_at(0, 0, fmt::format("the file has {} MB", text.size() >> 20U),
                      fmt::format("model files have at most {} MB", largest_text >> 20U));
  }
  int line = 1;
  int open_brackets = 0;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const int column = static_cast<int>(i - line_start) + 1;
    const std::size_t length = utf8_length(text, i);
    if (is_control(c) || length == 0) return bad_byte(line, column, c);
    open_brackets += bracket(c);
    if (open_brackets > most_open_brackets) {
      return refused_at(
          line, column,
          fmt::format("more than {} brackets are opened in one line", most_open_brackets),
          "close them, or remove the line");
    }
    if (c == '\n') {
      ++line;
      line_start = i + 1;
      open_brackets = 0;
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace trammel::io
