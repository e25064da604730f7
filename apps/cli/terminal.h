// What the program may assume about the place it writes to: a terminal with colours, or a file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trammel::cli {

/// Colours on a terminal, nothing elsewhere. NO_COLOR (no-color.org) and TERM=dumb are respected.
class Style {
 public:
  explicit Style(bool colours) : colours_(colours) {}

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string faint(std::string_view text) const { return wrap("2", text); }
  std::string red(std::string_view text) const { return wrap("1;31", text); }
  std::string yellow(std::string_view text) const { return wrap("1;33", text); }
  std::string green(std::string_view text) const { return wrap("1;32", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool colours_;
};

/// Style of standard output and of standard error.
Style output_style();
Style error_style();

bool error_is_terminal();

/// Longer lines are hard to read, however wide the terminal is.
inline constexpr std::size_t widest_line = 100;

/// Columns of the terminal behind standard error or output; 96 when there is none.
std::size_t terminal_width();

/// Breaks `text` at blanks into lines of at most `width` columns; lines after the first begin with
/// `indent` blanks. Line breaks in the text are kept.
std::string wrap_text(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace trammel::cli
