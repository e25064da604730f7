// The one place through which the program prints. Printing never throws and never ends the program:
//
// - what could not be written to standard output is remembered, and makes the exit code 1 in the
//   end (output_trouble); the work goes on, since results are worth more than a summary of them;
// - of what could not be written to standard error nobody can be told; the exit code says the rest.
#pragma once

#include <streambuf>
#include <string_view>

#include <fmt/format.h>

namespace trammel::cli {

/// To standard output.
void put_output(std::string_view text) noexcept;
/// To standard error, at once.
void put_message(std::string_view text) noexcept;

template <typename... Values>
void print_output(fmt::format_string<Values...> format, Values&&... values) {
  put_output(fmt::vformat(format, fmt::make_format_args(values...)));
}

template <typename... Values>
void print_message(fmt::format_string<Values...> format, Values&&... values) {
  put_message(fmt::vformat(format, fmt::make_format_args(values...)));
}

/// Writes what is still waiting to be written to standard output.
void flush_output() noexcept;

/// Standard output for what writes to a stream, by the same way.
class OutputBuffer : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int_type overflow(int_type letter) override;
  int sync() override;
};

/// Number (errno) of the first trouble with standard output; 0 when all of it was written, as far
/// as it was flushed.
int output_trouble() noexcept;

}  // namespace trammel::cli
