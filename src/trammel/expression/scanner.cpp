#include "trammel/expression/scanner.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "trammel/expression/units.h"

namespace trammel::expression {
namespace {

constexpr std::size_t longest_told = 64;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}
bool is_name_character(char c) {
  return is_letter(c) || is_digit(c);
}

/// End of an index "[3]" that starts here, or `start`.
std::size_t end_of_index(std::string_view text, std::size_t start) {
  std::size_t end = start + 1;
  while (end < text.size() && is_digit(text[end])) ++end;
  const bool closed = end > start + 1 && end < text.size() && text[end] == ']';
  return closed ? end + 1 : start;
}

/// End of the dotted name that starts here with a letter.
std::size_t end_of_name(std::string_view text, std::size_t start) {
  std::size_t end = start;
  for (;;) {
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end < text.size() && text[end] == '[') end = end_of_index(text, end);
    const bool goes_on =
        end + 1 < text.size() && text[end] == '.' && is_name_character(text[end + 1]);
    if (!goes_on) return end;
    ++end;
  }
}

std::string_view remedy_for(char c) {
  switch (c) {
    case ',':
      return "decimals are written with a point: 1.5";
    case '=':
      return "compare with ==";
    case '&':
    case '|':
    case '!':
      return "write and, or, not";
    case '%':
      return "write mod(x, y) for the remainder";
    default:
      return "use + - * / ^ ( ), numbers, units and parameters";
  }
}

}  // namespace

void Scanner::skip_blanks() {
  while (!at_end() && is_blank(text_[at_])) ++at_;
}

bool Scanner::take(char c) {
  if (at_end() || peek() != c) return false;
  ++at_;
  skip_blanks();
  return true;
}

bool Scanner::take(std::string_view symbol) {
  if (text_.substr(at_, symbol.size()) != symbol) return false;
  at_ += symbol.size();
  skip_blanks();
  return true;
}

bool Scanner::take_word(std::string_view word) {
  return at_name() && peek_name() == word && take(word);
}

bool Scanner::at_name() const {
  return is_letter(peek());
}

bool Scanner::at_number() const {
  return is_digit(peek()) || peek() == '.';
}

std::string_view Scanner::peek_name() const {
  return text_.substr(at_, end_of_name(text_, at_) - at_);
}

std::string_view Scanner::take_name() {
  const std::string_view name = peek_name();
  at_ += name.size();
  skip_blanks();
  return name;
}

bool Scanner::at_call() const {
  std::size_t next = at_ + peek_name().size();
  while (next < text_.size() && is_blank(text_[next])) ++next;
  return next < text_.size() && text_[next] == '(';
}

double Scanner::take_number() {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range) {
    fail(at_, "the number is too large or too small", "numbers range from 1e-307 to 1e308");
  }
  if (error != std::errc{}) fail_unexpected();
  at_ = static_cast<std::size_t>(end - text_.data());
  skip_blanks();
  return value;
}

void Scanner::fail(std::size_t position, std::string message, std::string remedy) {
  throw ExpressionError{position, std::move(message), std::move(remedy), false};
}

void Scanner::fail_unexpected() const {
  if (at_end()) fail(at_, "the expression ends too early", "complete it");
  const char c = peek();
  if (static_cast<unsigned char>(c) >= 0x80U) {
    fail(at_, "a special character is not understood",
         "write 'deg' for the degree sign, 'um' for micrometres, 'm^2' for a raised 2");
  }
  if (at_name()) {
    fail(at_, fmt::format("unexpected '{}'", clipped(peek_name())),
         "put an operator such as * before it");
  }
  fail(at_, fmt::format("unexpected '{}'", c), std::string(remedy_for(c)));
}

std::string clipped(std::string_view name) {
  return std::string(name.substr(0, longest_told));
}

bool is_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name.front())) return false;
  return std::all_of(name.begin(), name.end(), is_name_character);
}

std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < text.size();) {
    if (is_letter(text[i])) {
      const std::size_t end = end_of_name(text, i);
      const std::string_view name = text.substr(i, end - i);
      if (name != "pi" && find_unit(name) == nullptr) names.push_back(name);
      i = end;
    } else if (is_digit(text[i])) {
      // A number with its exponent, so that the e of 1e3 is no name.
      double value = 0.0;
      i = static_cast<std::size_t>(
          std::from_chars(text.data() + i, text.data() + text.size(), value).ptr - text.data());
    } else {
      ++i;
    }
  }
  return names;
}

std::string with_names_replaced(
    std::string_view text, const std::function<std::string(std::string_view name)>& replacement) {
  std::string result;
  const char* copied = text.data();
  for (const std::string_view name : names_in(text)) {
    result.append(copied, name.data());
    result += replacement(name);
    copied = name.data() + name.size();
  }
  result.append(copied, text.data() + text.size());
  return result;
}

}  // namespace trammel::expression
