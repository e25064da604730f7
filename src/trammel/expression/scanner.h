// The characters of an expression: blanks, names and numbers, and what to say of others.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/expression/quantity.h"

namespace trammel::expression {

/// Stands behind blanks, except at the start.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t position() const { return at_; }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  void skip_blanks();
  bool take(char c);
  bool take(std::string_view symbol);
  /// A word such as "and", not the start of a longer name.
  bool take_word(std::string_view word);
  bool at_name() const;
  bool at_number() const;
  /// "angle", "rod.angle", "chain.3.angle", "link[3].angle".
  std::string_view peek_name() const;
  std::string_view take_name();
  /// Whether the name here is followed by '(': "min" is a minute, "min(" a function.
  bool at_call() const;
  double take_number();

  [[noreturn]] static void fail(std::size_t position, std::string message, std::string remedy);
  /// About the character here.
  [[noreturn]] void fail_unexpected() const;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// The part of a name that is worth telling.
std::string clipped(std::string_view name);

/// Letters, digits and '_', not starting with a digit.
bool is_identifier(std::string_view name);

/// The names in an expression that are neither units nor "pi", in order. Never throws; wrong text
/// gives fewer names.
std::vector<std::string_view> names_in(std::string_view text);

/// The text with each of these names replaced by what `replacement` gives for it.
std::string with_names_replaced(
    std::string_view text, const std::function<std::string(std::string_view name)>& replacement);

}  // namespace trammel::expression
