#include "printing.h"

#include <atomic>
#include <cerrno>
#include <cstdio>

namespace trammel::cli {
namespace {

std::atomic<int> first_trouble{0};

void remember(int error_number) noexcept {
  int none = 0;
  first_trouble.compare_exchange_strong(none, error_number == 0 ? EIO : error_number);
}

}  // namespace

void put_output(std::string_view text) noexcept {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember(errno);
}

void put_message(std::string_view text) noexcept {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void flush_output() noexcept {
  errno = 0;
  if (std::fflush(stdout) != 0) remember(errno);
}

std::streamsize OutputBuffer::xsputn(const char* text, std::streamsize count) {
  put_output({text, static_cast<std::size_t>(count)});
  return output_trouble() == 0 ? count : 0;
}

OutputBuffer::int_type OutputBuffer::overflow(int_type letter) {
  const char text = traits_type::to_char_type(letter);
  return xsputn(&text, 1) == 1 ? letter : traits_type::eof();
}

int OutputBuffer::sync() {
  flush_output();
  return output_trouble() == 0 ? 0 : -1;
}

int output_trouble() noexcept {
  return first_trouble.load();
}

}  // namespace trammel::cli
