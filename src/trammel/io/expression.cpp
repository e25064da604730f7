#include "trammel/io/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/io/functions.h"
#include "trammel/io/units.h"

namespace trammel::io {
namespace {

using core::Dimension;

constexpr std::size_t longest = 4096;
constexpr int deepest = 64;
constexpr std::size_t longest_suggested = 64;
constexpr std::size_t most_suggested = 2000;  ///< names among which a near one is sought
constexpr int largest_exponent = 100;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

/// A quantity, and whether it was written with unit names alone ("N s/m").
struct Operand {
  Quantity quantity;
  bool only_units = false;
};

/// What an atom may be followed by.
enum class Atom { number, unit, group, name };

class Parser {
 public:
  Parser(std::string_view text, const Quantities& parameters)
      : text_(text), parameters_(parameters) {}

  Quantity parse() {
    if (text_.size() > longest) {
      fail(0, fmt::format("an expression of {} characters", text_.size()),
           fmt::format("split it into parameters; {} are allowed", longest));
    }
    skip_blanks();
    if (at_end()) fail(at_, "there is no value", "give a number, e.g. 0.5 or '20 mm'");
    const Quantity result = sum();
    if (!at_end()) fail_unexpected();
    return result;
  }

 private:
  // Characters -------------------------------------------------------------------------------
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }
  bool take(char c) {
    if (peek() != c || at_end()) return false;
    ++at_;
    skip_blanks();
    return true;
  }
  std::string_view peek_identifier() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || (end > at_ && is_digit(text_[end]))))
      ++end;
    return text_.substr(at_, end - at_);
  }
  std::string_view take_identifier() {
    const std::string_view name = peek_identifier();
    at_ += name.size();
    skip_blanks();
    return name;
  }
  /// "min" is a minute, "min(" a function.
  bool is_call(std::string_view name) const {
    std::size_t next = at_ + name.size();
    while (next < text_.size() && is_blank(text_[next])) ++next;
    return next < text_.size() && text_[next] == '(';
  }

  // Errors -----------------------------------------------------------------------------------
  [[noreturn]] static void fail(std::size_t position, std::string message, std::string remedy) {
    throw ExpressionError{position, std::move(message), std::move(remedy), false};
  }

  [[noreturn]] void fail_unexpected() const {
    if (at_end()) fail(at_, "the expression ends too early", "complete it");
    const char c = peek();
    if (static_cast<unsigned char>(c) >= 0x80U) {
      fail(at_, "a special character is not understood",
           "write 'deg' for the degree sign, 'um' for micrometres, 'm^2' for a raised 2");
    }
    if (c == ',') {
      fail(at_, "unexpected ','", "decimals are written with a point: 1.5");
    }
    if (is_letter(c)) {
      fail(at_, fmt::format("unexpected '{}'", clipped(peek_identifier())),
           "put an operator such as * before it");
    }
    fail(at_, fmt::format("unexpected '{}'", c),
         "use + - * / ^ ( ), numbers, units and parameters");
  }

  static std::string clipped(std::string_view name) {
    return std::string(name.substr(0, longest_suggested));
  }

  [[noreturn]] void fail_unknown(std::size_t position, std::string_view name, bool unit) const {
    std::vector<std::string> known;
    if (unit) {
      for (const Unit& each : units()) known.emplace_back(each.name);
    } else {
      known = function_names();
      for (const auto& [parameter, value] : parameters_) {
        if (known.size() < most_suggested) known.push_back(parameter);
      }
    }
    fail(position, fmt::format("'{}' is not a {}", clipped(name), unit ? "unit" : "parameter"),
         core::suggestion(clipped(name), known));
  }

  // Grammar ----------------------------------------------------------------------------------
  Quantity sum() {
    Quantity left = product();
    for (;;) {
      const std::size_t position = at_;
      if (take('+')) {
        left = add(left, product(), 1.0, position);
      } else if (take('-')) {
        left = add(left, product(), -1.0, position);
      } else {
        return left;
      }
    }
  }

  Quantity product() {
    Operand left = factor(false);
    for (;;) {
      const std::size_t position = at_;
      if (take('*')) {
        left = combine(left, factor(false), 1, position);
      } else if (take('/')) {
        left = combine(left, factor(true), -1, position);
      } else {
        return left.quantity;
      }
    }
  }

  Operand factor(bool after_division) {
    if (++depth_ > deepest) {
      fail(at_, fmt::format("nested more than {} levels deep", deepest),
           "split it into parameters");
    }
    Operand result;
    if (take('-')) {
      result = factor(after_division);
      result.quantity.value = -result.quantity.value;
      result.only_units = false;
    } else if (take('+')) {
      result = factor(after_division);
    } else {
      result = power_with_units(after_division);
    }
    --depth_;
    return result;
  }

  Operand power_with_units(bool after_division) {
    Atom kind = Atom::number;
    Operand result = atom(kind);
    if (take('^')) result = power(result, factor(false).quantity);
    if (kind == Atom::name) return result;
    int following = 0;
    while (is_letter(peek()) && !is_call(peek_identifier())) {
      const std::size_t position = at_;
      const std::string_view name = take_identifier();
      Operand unit = unit_value(position, name);
      if (take('^')) unit = power(unit, factor(false).quantity);
      result = combine(result, unit, 1, position);
      if (++following > 0 && after_division && kind == Atom::unit) {
        fail(position, fmt::format("it is not clear whether '{}' is divided by", name),
             "write N s/m or N/(m s)");
      }
    }
    return result;
  }

  Operand unit_value(std::size_t position, std::string_view name) const {
    const Unit* unit = find_unit(name);
    if (unit == nullptr) fail_unknown(position, name, true);
    return {{unit->size, unit->dimension, false}, true};
  }

  Operand atom(Atom& kind) {
    const char c = peek();
    if (is_digit(c) || c == '.') {
      kind = Atom::number;
      return {number(), false};
    }
    if (take('(')) {
      kind = Atom::group;
      const Quantity inside = sum();
      close_parenthesis();
      return {inside, false};
    }
    if (!is_letter(c)) fail_unexpected();
    kind = Atom::name;
    const std::size_t position = at_;
    const std::string_view name = peek_identifier();
    if (is_call(name)) return {call(), false};
    take_identifier();
    if (name == "pi") return {{std::numbers::pi, {}, false}, false};
    if (find_unit(name) != nullptr) {
      kind = Atom::unit;
      return unit_value(position, name);
    }
    return {parameter(position, name), false};
  }

  void close_parenthesis() {
    if (take(')')) return;
    if (!at_end()) fail_unexpected();
    fail(at_, "a ')' is missing",
         "close the parenthesis; inside [ ] or { } an expression with a comma needs quotes");
  }

  Quantity number() {
    const std::size_t position = at_;
    double value = 0.0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) {
      fail(position, "the number is too large or too small", "numbers range from 1e-307 to 1e308");
    }
    if (error != std::errc{}) fail_unexpected();
    at_ = static_cast<std::size_t>(end - text_.data());
    skip_blanks();
    return {value, {}, false};
  }

  Quantity parameter(std::size_t position, std::string_view name) const {
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) fail_unknown(position, name, false);
    if (!found->second) throw ExpressionError{position, "", "", true};
    return *found->second;
  }

  Quantity call() {
    const std::size_t position = at_;
    const std::string_view name = take_identifier();
    take('(');
    std::vector<Quantity> arguments;
    do {
      arguments.push_back(sum());
    } while (take(','));
    close_parenthesis();
    return finite(call_function(name, arguments, position), position);
  }

  // Arithmetic -------------------------------------------------------------------------------
  static Quantity finite(const Quantity& quantity, std::size_t position) {
    if (!std::isfinite(quantity.value)) {
      fail(position, "the result is not a finite number", "check for a division by zero");
    }
    for (const int exponent : {quantity.dimension.length, quantity.dimension.mass,
                               quantity.dimension.time, quantity.dimension.angle}) {
      if (std::abs(exponent) > largest_exponent) {
        fail(position, "the unit has an absurd power", "check the powers");
      }
    }
    return quantity;
  }

  static Quantity add(const Quantity& a, const Quantity& b, double sign, std::size_t position) {
    require_same_dimension(a, b, position, sign > 0 ? "add" : "subtract");
    const bool b_leads = a.dimension == Dimension{};
    return finite(
        {a.value + sign * b.value, b_leads ? b.dimension : a.dimension, a.any_angle || b.any_angle},
        position);
  }

  /// a b (exponent 1) or a / b (exponent -1).
  static Operand combine(const Operand& a, const Operand& b, int exponent, std::size_t position) {
    const Quantity& x = a.quantity;
    const Quantity& y = b.quantity;
    Quantity result;
    result.value = exponent > 0 ? x.value * y.value : x.value / y.value;
    result.dimension = exponent > 0 ? x.dimension * y.dimension : x.dimension / y.dimension;
    const bool both_quantities =
        !a.only_units && !b.only_units && x.dimension != Dimension{} && y.dimension != Dimension{};
    result.any_angle = x.any_angle || y.any_angle || both_quantities;
    return {finite(result, position), a.only_units && b.only_units};
  }

  Operand power(const Operand& base, const Quantity& exponent) const {
    const Quantity& x = base.quantity;
    Quantity result = x;
    result.value = std::pow(x.value, exponent.value);
    if (exponent.dimension != Dimension{}) {
      fail(at_, "a power must be a number without unit", "remove its unit");
    }
    if (x.dimension != Dimension{}) {
      const double n = std::round(exponent.value);
      if (n != exponent.value || std::abs(n) > 9.0) {
        fail(at_, "a quantity with a unit can only be raised to a whole power up to 9",
             "use sqrt() for roots");
      }
      const int times = static_cast<int>(n);
      result.dimension = {x.dimension.length * times, x.dimension.mass * times,
                          x.dimension.time * times, x.dimension.angle * times};
    }
    return {finite(result, at_), base.only_units};
  }

  std::string_view text_;
  const Quantities& parameters_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// A plain number, which most values are.
std::optional<double> plain_number(std::string_view text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const bool number = !text.empty() && (is_digit(text.back()) || text.back() == '.');
  if (!number) return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

bool Quantity::fits(const Dimension& wanted) const {
  if (dimension == wanted || dimension == Dimension{}) return true;
  if (!any_angle) return false;
  Dimension adjusted = dimension;
  adjusted.angle = wanted.angle;
  return adjusted == wanted;
}

Quantity evaluate(std::string_view text, const Quantities& parameters) {
  if (const std::optional<double> value = plain_number(text)) return {*value, {}, false};
  return Parser(text, parameters).parse();
}

std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    if (is_letter(text[i])) {
      while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]))) ++i;
      const std::string_view name = text.substr(start, i - start);
      if (name != "pi" && find_unit(name) == nullptr) names.push_back(name);
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

bool is_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name.front())) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace trammel::io
