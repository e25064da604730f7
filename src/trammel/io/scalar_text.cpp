#include "trammel/io/scalar_text.h"

#include <algorithm>

namespace trammel::io {

std::string scalar_text(std::string_view text, bool quoted) {
  if (!quoted && text.find('\n') == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        result += c;
    }
  }
  return result + "\"";
}

bool is_block_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\n');
  if (text.find('\n') == std::string_view::npos || first != 0) return false;
  const bool control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20U && c != '\n';
  });
  return !control && text.front() != ' ' && text.find(" \n") == std::string_view::npos &&
         text.back() != ' ';
}

std::string block_header(std::string_view text) {
  if (text.back() != '\n') return "|-";
  return text.size() > 1 && text[text.size() - 2] == '\n' ? "|+" : "|";
}

std::vector<std::string> block_lines(std::string_view text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

}  // namespace trammel::io
