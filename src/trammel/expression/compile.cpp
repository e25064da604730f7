#include "trammel/expression/compile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/expression/builder.h"
#include "trammel/expression/callables.h"
#include "trammel/expression/scanner.h"
#include "trammel/expression/units.h"

namespace trammel::expression {
namespace {

constexpr std::size_t longest = 4096;
constexpr int deepest = 64;
constexpr std::size_t most_suggested = 2000;  ///< names among which a near one is sought

struct Comparison {
  std::string_view symbol;
  Operation operation;
  bool swapped;  ///< a > b is b < a
};
constexpr std::array<Comparison, 6> comparisons{{{"<=", Operation::less_equal, false},
                                                 {">=", Operation::less_equal, true},
                                                 {"==", Operation::equal, false},
                                                 {"!=", Operation::not_equal, false},
                                                 {"<", Operation::less, false},
                                                 {">", Operation::less, true}}};

/// What an atom may be followed by: units stand behind numbers, units and parentheses.
enum class Atom { number, unit, group, name };

/// Where a factor stands. Exponents take no unit: in kg m^2 s^-2 the seconds belong to the base.
enum class Place { factor, divisor, exponent };

bool is_word(std::string_view name) {
  return name == "and" || name == "or" || name == "not";
}

class Parser {
 public:
  Parser(std::string_view text, const Resolver& resolver)
      : text_(text), scanner_(text), resolver_(resolver) {}

  Operand parse() {
    if (text_.size() > longest) {
      Scanner::fail(0, fmt::format("an expression of {} characters", text_.size()),
                    fmt::format("split it into parameters; {} are allowed", longest));
    }
    scanner_.skip_blanks();
    if (scanner_.at_end()) {
      Scanner::fail(at(), "there is no value", "give a number, e.g. 0.5 or '20 mm'");
    }
    const Operand result = expression();
    if (!scanner_.at_end()) scanner_.fail_unexpected();
    return result;
  }

  Builder& builder() { return builder_; }

 private:
  std::size_t at() const { return scanner_.position(); }

  void descend() {
    if (++depth_ > deepest) {
      Scanner::fail(at(), fmt::format("nested more than {} levels deep", deepest),
                    "split it into parameters");
    }
  }

  // Conditions -------------------------------------------------------------------------------
  Operand expression() {
    Operand left = conjunction();
    for (;;) {
      const std::size_t position = at();
      if (!scanner_.take_word("or")) return left;
      left = builder_.logic(Operation::either, left, conjunction(), position);
    }
  }

  Operand conjunction() {
    Operand left = negation();
    for (;;) {
      const std::size_t position = at();
      if (!scanner_.take_word("and")) return left;
      left = builder_.logic(Operation::both, left, negation(), position);
    }
  }

  Operand negation() {
    const std::size_t position = at();
    if (!scanner_.take_word("not")) return comparison();
    descend();
    const Operand inside = negation();
    --depth_;
    return builder_.logic(Operation::invert, inside, inside, position);
  }

  Operand comparison() {
    const Operand left = sum();
    const std::size_t position = at();
    for (const Comparison& comparison : comparisons) {
      if (!scanner_.take(comparison.symbol)) continue;
      const Operand right = sum();
      return comparison.swapped ? builder_.compare(comparison.operation, right, left, position)
                                : builder_.compare(comparison.operation, left, right, position);
    }
    return left;
  }

  // Arithmetic -------------------------------------------------------------------------------
  Operand sum() {
    Operand left = product();
    for (;;) {
      const std::size_t position = at();
      if (scanner_.take('+')) {
        left = builder_.sum(left, product(), position);
      } else if (scanner_.take('-')) {
        left = builder_.difference(left, product(), position);
      } else {
        return left;
      }
    }
  }

  Operand product() {
    Operand left = factor(Place::factor);
    for (;;) {
      const std::size_t position = at();
      if (scanner_.take('*')) {
        left = builder_.product(left, factor(Place::factor), 1, position);
      } else if (scanner_.take('/')) {
        left = builder_.product(left, factor(Place::divisor), -1, position);
      } else {
        return without_unit_mark(left);
      }
    }
  }

  static Operand without_unit_mark(Operand operand) {
    operand.only_units = false;
    return operand;
  }

  Operand factor(Place place) {
    descend();
    const std::size_t position = at();
    Operand result;
    if (scanner_.take('-')) {
      result = without_unit_mark(builder_.negative(factor(place), position));
    } else if (scanner_.take('+')) {
      result = factor(place);
    } else {
      result = power_with_units(place);
    }
    --depth_;
    return result;
  }

  Operand raised(const Operand& base) {
    if (!scanner_.take('^')) return base;
    const Operand exponent = factor(Place::exponent);
    return builder_.power(base, exponent, at());
  }

  Operand power_with_units(Place place) {
    Atom kind = Atom::number;
    Operand result = atom(kind);
    result = raised(result);
    if (kind == Atom::name || place == Place::exponent) return result;
    while (scanner_.at_name() && !is_word(scanner_.peek_name()) && !scanner_.at_call()) {
      const std::size_t position = at();
      const std::string_view name = scanner_.take_name();
      const Operand unit = raised(unit_value(position, name));
      result = builder_.product(result, unit, 1, position);
      if (place == Place::divisor && kind == Atom::unit) {
        Scanner::fail(position, fmt::format("it is not clear whether '{}' is divided by", name),
                      "write N s/m or N/(m s)");
      }
    }
    return result;
  }

  Operand unit_value(std::size_t position, std::string_view name) const {
    const Unit* unit = find_unit(name);
    if (unit == nullptr) fail_unknown_unit(position, name);
    const std::optional<Symbol> symbol = resolver_.find(name);
    if (symbol && symbol->kind != Symbol::Kind::withheld) {
      Scanner::fail(position,
                    fmt::format("'{}' is a unit ({}) and a name of the model", name, unit->meaning),
                    "rename what the model calls so");
    }
    Operand operand = Builder::constant(unit->size, {unit->dimension, false, false, false});
    operand.only_units = true;
    return operand;
  }

  // Atoms ------------------------------------------------------------------------------------
  Operand atom(Atom& kind) {
    if (scanner_.at_number()) {
      kind = Atom::number;
      return Builder::constant(scanner_.take_number());
    }
    if (scanner_.take('(')) {
      kind = Atom::group;
      const Operand inside = expression();
      close_parenthesis();
      return inside;
    }
    if (!scanner_.at_name()) scanner_.fail_unexpected();
    kind = Atom::name;
    if (scanner_.at_call()) return call();
    const std::size_t position = at();
    const std::string_view name = scanner_.take_name();
    if (name == "pi") return Builder::constant(std::numbers::pi);
    // A name of the model that is a unit, too, has been told as a mistake.
    const bool is_unit = find_unit(name) != nullptr;
    const std::optional<Symbol> symbol = is_unit ? resolver_.find(name) : std::nullopt;
    if (is_unit && !(symbol && symbol->kind == Symbol::Kind::withheld)) {
      kind = Atom::unit;
      return unit_value(position, name);
    }
    return named(position, name);
  }

  void close_parenthesis() {
    if (scanner_.take(')')) return;
    if (!scanner_.at_end()) scanner_.fail_unexpected();
    Scanner::fail(
        at(), "a ')' is missing",
        "close the parenthesis; inside [ ] or { } an expression with a comma needs quotes");
  }

  Operand named(std::size_t position, std::string_view name) {
    const std::optional<Symbol> symbol = resolver_.find(name);
    if (!symbol) fail_unknown_name(position, name);
    switch (symbol->kind) {
      case Symbol::Kind::input:
        return builder_.input(name, *symbol);
      case Symbol::Kind::constant:
        break;
      case Symbol::Kind::withheld:
        throw ExpressionError{position, "", "", true};
    }
    if (!std::isfinite(symbol->quantity.value)) {
      Scanner::fail(position, fmt::format("'{}' is {}", clipped(name), symbol->quantity.value),
                    "give it a finite value");
    }
    return Builder::quantity(symbol->quantity);
  }

  Operand call() {
    const std::size_t position = at();
    const std::string_view name = scanner_.take_name();
    scanner_.take('(');
    if (name == "table") return table_lookup(position);
    std::vector<Operand> arguments;
    do {
      arguments.push_back(expression());
    } while (scanner_.take(','));
    close_parenthesis();
    if (auto function = resolver_.find_function(name)) {
      return builder_.call(std::move(function), arguments, position);
    }
    if (name != "if") {
      return expression::call(builder_, name, arguments, position, resolver_.user_function_names());
    }
    if (arguments.size() != 3) {
      Scanner::fail(position, fmt::format("if() got {} values", arguments.size()),
                    "it takes 3: if(condition, value, other value)");
    }
    return builder_.select(arguments[0], arguments[1], arguments[2], position);
  }

  Operand table_lookup(std::size_t position) {
    const std::size_t place = at();
    if (!scanner_.at_name()) {
      Scanner::fail(place, "table() needs the name of a table", "write table(name, x)");
    }
    const std::string_view name = scanner_.take_name();
    std::shared_ptr<const Table> table = resolver_.find_table(name);
    if (table == nullptr) {
      Scanner::fail(place, fmt::format("'{}' is not a table", clipped(name)),
                    core::suggestion(clipped(name), resolver_.table_names()));
    }
    if (!scanner_.take(',')) {
      Scanner::fail(at(), "table() needs a place to look up", "write table(name, x)");
    }
    const Operand x = expression();
    close_parenthesis();
    return builder_.lookup(std::move(table), x, position);
  }

  // Names that are not known -----------------------------------------------------------------
  [[noreturn]] void fail_unknown_unit(std::size_t position, std::string_view name) const {
    std::vector<std::string> known;
    for (const Unit& each : units()) known.emplace_back(each.name);
    Scanner::fail(position, fmt::format("'{}' is not a unit", clipped(name)),
                  resolver_.find(name) ? "put an operator such as * before it"
                                       : core::suggestion(clipped(name), known));
  }

  [[noreturn]] void fail_unknown_name(std::size_t position, std::string_view name) const {
    std::vector<std::string> known = function_names();
    for (std::string& each : resolver_.names()) {
      if (known.size() >= most_suggested) break;
      known.push_back(std::move(each));
    }
    Scanner::fail(position, fmt::format("'{}' is not a {}", clipped(name), resolver_.noun()),
                  name == "time" ? "give a constant: this value cannot change during the motion"
                                 : core::suggestion(clipped(name), known));
  }

  std::string_view text_;
  Scanner scanner_;
  const Resolver& resolver_;
  Builder builder_;
  int depth_ = 0;
};

/// Numbers and signs stand in a unit only as the power of a name.
void check_unit_text(std::string_view text) {
  Scanner scanner(text);
  scanner.skip_blanks();
  if (scanner.at_end()) Scanner::fail(0, "there is no unit", "give one, e.g. mm or N mm");
  bool power = false;
  while (!scanner.at_end()) {
    const std::size_t position = scanner.position();
    if (scanner.at_name() && !power && find_unit(scanner.peek_name()) != nullptr) {
      scanner.take_name();
      continue;
    }
    const bool sign = power && (scanner.take('-') || scanner.take('+'));
    if (power && scanner.at_number()) {
      scanner.take_number();
      power = false;
      continue;
    }
    power = scanner.take('^');
    const bool joins = !sign && (power || scanner.take('*') || scanner.take('/') ||
                                 scanner.take('(') || scanner.take(')'));
    if (!joins) Scanner::fail(position, "this is no unit", "give a unit such as deg, mm or N mm");
  }
}

/// A plain number, which most values are.
std::optional<double> plain_number(std::string_view text) {
  double value = 0.0;
  const bool ends_as_number =
      !text.empty() && ((text.back() >= '0' && text.back() <= '9') || text.back() == '.');
  if (!ends_as_number) return std::nullopt;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

Program compile(std::string_view text, const Resolver& resolver) {
  Parser parser(text, resolver);
  const Operand result = parser.parse();
  return parser.builder().finish(text, result);
}

Program compile(std::string_view text, const Resolver& resolver, const core::Dimension& wanted) {
  Program program = compile(text, resolver);
  if (program.type().fits(wanted)) return program;
  const std::string unit = core::si_unit(wanted);
  Scanner::fail(0, fmt::format("the result is {}", described(program.type())),
                unit.empty() ? "a number without unit is wanted"
                             : fmt::format("a value in {} is wanted", unit));
}

Quantity evaluate(std::string_view text, const Resolver& resolver) {
  if (const std::optional<double> value = plain_number(text)) return {*value, {}, false};
  const Operand result = Parser(text, resolver).parse();
  if (result.type().truth) {
    Scanner::fail(0, "the result is a condition", "use if(condition, value, other value)");
  }
  if (!result.constant()) {
    Scanner::fail(0, "the value changes during the motion", "use constants only");
  }
  return {result.value(), result.type().dimension, result.type().any_angle};
}

Quantity evaluate_unit(std::string_view text) {
  check_unit_text(text);
  return evaluate(text, Scope{});
}

}  // namespace trammel::expression
