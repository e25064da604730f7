#include "terminal.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace trammel::cli {
namespace {

constexpr std::size_t widest_plain_line = 96;

bool environment_allows_colours() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

Style style_of(int descriptor) {
  return Style(::isatty(descriptor) != 0 && environment_allows_colours());
}

}  // namespace

std::string Style::wrap(std::string_view code, std::string_view text) const {
  return colours_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

Style output_style() {
  return style_of(STDOUT_FILENO);
}

Style error_style() {
  return style_of(STDERR_FILENO);
}

bool error_is_terminal() {
  return ::isatty(STDERR_FILENO) != 0;
}

std::size_t terminal_width() {
  for (const int descriptor : {STDERR_FILENO, STDOUT_FILENO}) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  }
  return widest_plain_line;
}

std::string wrap_text(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (column > indent && column + 1 + word.size() > width) {
      out.append("\n").append(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    if (end < text.size() && text[end] == '\n') {
      out.append("\n").append(indent, ' ');
      column = indent;
    }
    begin = end + 1;
  }
  return out;
}

}  // namespace trammel::cli
