#include "trammel/expression/callables.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/core/names.h"

namespace trammel::expression {
namespace {

using core::Dimension;
using Operands = std::vector<Operand>;

constexpr std::size_t longest_suggested = 64;
constexpr std::size_t most_arguments = 64;
constexpr PlainNumbers strict = PlainNumbers::need_unit;
constexpr PlainNumbers si = PlainNumbers::count_as_si;

/// (t - start) / (end - start).
Operand progress(Builder& builder,
                 const Operand& t,
                 const Operand& start,
                 const Operand& end,
                 std::size_t position) {
  if (start.constant() && end.constant() && !(start.value() < end.value())) {
    throw ExpressionError{
        position,
        fmt::format("the profile starts at {} and ends at {}", start.value(), end.value()),
        "let it end after its start", false};
  }
  const Operand done = builder.apply(Operation::subtract, t, start, {}, position);
  const Operand whole = builder.apply(Operation::subtract, end, start, {}, position);
  return builder.apply(Operation::divide, done, whole, {}, position);
}

/// y0 + (y1 - y0) shape(progress) of the arguments (t, t0, y0, t1, y1).
Operand profile(Builder& builder,
                std::string_view shape,
                const Operands& arguments,
                const Type& type,
                std::size_t position) {
  const Operand u = progress(builder, arguments[0], arguments[1], arguments[3], position);
  const Operand part = builder.apply(*find_unary(shape), u, {}, position);
  const Operand rise =
      builder.apply(Operation::subtract, arguments[4], arguments[2], type, position);
  const Operand gained = builder.apply(Operation::multiply, rise, part, type, position);
  return builder.apply(Operation::add, arguments[2], gained, type, position);
}

Operand step5(Builder& b, const Operands& arguments, const Type& type, std::size_t position) {
  return profile(b, "smooth5", arguments, type, position);
}
Operand haversine(Builder& b, const Operands& arguments, const Type& type, std::size_t position) {
  return profile(b, "haversine", arguments, type, position);
}
Operand ramp(Builder& b, const Operands& arguments, const Type& type, std::size_t position) {
  return profile(b, "saturate", arguments, type, position);
}

/// 1 from t0 to t1, else 0; with a fourth argument, the edges inside are smooth over that time.
Operand pulse(Builder& builder, const Operands& arguments, const Type&, std::size_t position) {
  const Operand& t = arguments[0];
  const Operand& start = arguments[1];
  const Operand& end = arguments[2];
  progress(builder, t, start, end, position);
  if (arguments.size() == 3) {
    const Type truth{{}, false, false, true};
    const Operand begun = builder.apply(Operation::less_equal, start, t, truth, position);
    const Operand running = builder.apply(Operation::less, t, end, truth, position);
    const Operand on = builder.apply(Operation::both, begun, running, truth, position);
    return builder.select(on, Builder::constant(1.0), Builder::constant(0.0), position);
  }
  const UnaryPrimitive& shape = *find_unary("smooth5");
  const Operand risen = builder.apply(Operation::add, start, arguments[3], {}, position);
  const Operand falls = builder.apply(Operation::subtract, end, arguments[3], {}, position);
  const Operand up =
      builder.apply(shape, progress(builder, t, start, risen, position), {}, position);
  const Operand down =
      builder.apply(shape, progress(builder, t, falls, end, position), {}, position);
  return builder.apply(Operation::subtract, up, down, {}, position);
}

Operand clamp(Builder& builder, const Operands& arguments, const Type& type, std::size_t position) {
  const Operand& low = arguments[1];
  const Operand& high = arguments[2];
  if (low.constant() && high.constant() && low.value() > high.value()) {
    throw ExpressionError{position,
                          fmt::format("clamp() between {} and {}", low.value(), high.value()),
                          "give the lower limit first", false};
  }
  const Operand raised = builder.apply(*find_binary("max"), arguments[0], low, type, position);
  return builder.apply(*find_binary("min"), raised, high, type, position);
}

Operand power_of(Builder& builder, const Operands& arguments, const Type&, std::size_t position) {
  return builder.power(arguments[0], arguments[1], position);
}

/// Primitive of the same name; a repeated last argument is taken in pairs.
Operand primitive(Builder& builder,
                  std::string_view name,
                  const Operands& arguments,
                  const Type& type,
                  std::size_t position) {
  if (const UnaryPrimitive* unary = find_unary(name)) {
    return builder.apply(*unary, arguments[0], type, position);
  }
  Operand result = arguments[0];
  result.term.type = type;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    result = builder.apply(*find_binary(name), result, arguments[i], type, position);
  }
  return result;
}

void check_count(const Callable& callable, std::size_t count, std::size_t position) {
  const std::size_t most = callable.repeats ? most_arguments : callable.kinds.size();
  if (count >= callable.least && count <= most) return;
  std::string remedy = fmt::format("it takes {}", callable.least);
  if (most > 1) remedy += fmt::format(": {}", callable.usage);
  throw ExpressionError{position, fmt::format("{}() got {} values", callable.name(), count),
                        std::move(remedy), false};
}

char kind_of(const Callable& callable, std::size_t argument) {
  return callable.kinds[std::min(argument, callable.kinds.size() - 1)];
}

void check_angle_or_number(const Callable& callable,
                           char kind,
                           const Operand& argument,
                           std::size_t position) {
  const bool angle = kind == 'a';
  if (argument.type().fits(angle ? core::dimension::angle : Dimension{})) return;
  throw ExpressionError{
      position, fmt::format("{}() got {}", callable.name(), described(argument.type())),
      angle ? "give an angle such as '30 deg'" : "give a number without unit", false};
}

/// The common type of the arguments with this letter.
Type type_of_kind(const Callable& callable,
                  char kind,
                  const Operands& arguments,
                  std::size_t position) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (kind_of(callable, i) == kind) terms.push_back(arguments[i].term);
  }
  return terms.empty() ? Type{} : common_type(terms, callable.plain_numbers, position, "compare");
}

Type result_type(const Callable& callable, const Type& x, const Type& y, std::size_t position) {
  switch (callable.gives) {
    case 'a':
      return {core::dimension::angle, true, false, false};
    case 'r':
      return root_type(x, position);
    case 'x':
      return x;
    case 'y':
      return y;
    default:
      return {};
  }
}

constexpr std::array<Callable, 28> table{{
    {"sin(x)", "a", 1, false, 'n', strict, {0.7}, "sine of an angle"},
    {"cos(x)", "a", 1, false, 'n', strict, {0.7}, "cosine of an angle"},
    {"tan(x)", "a", 1, false, 'n', strict, {0.7}, "tangent of an angle"},
    {"asin(x)", "n", 1, false, 'a', strict, {0.4}, "angle with the sine x, -90 to 90 deg"},
    {"acos(x)", "n", 1, false, 'a', strict, {0.4}, "angle with the cosine x, 0 to 180 deg"},
    {"atan(x)", "n", 1, false, 'a', strict, {0.4}, "angle with the tangent x, -90 to 90 deg"},
    {"atan2(y, x)", "xx", 2, false, 'a', strict, {0.4, -0.8}, "angle of the point (x, y)"},
    {"sqrt(x)", "x", 1, false, 'r', strict, {1.6}, "square root"},
    {"abs(x)", "x", 1, false, 'x', strict, {-0.6}, "magnitude"},
    {"min(x, y, ...)", "x", 1, true, 'x', strict, {0.6, 0.3}, "the least"},
    {"max(x, y, ...)", "x", 1, true, 'x', strict, {0.6, 0.3}, "the greatest"},
    {"exp(x)", "n", 1, false, 'n', strict, {0.6}, "e^x"},
    {"log(x)", "n", 1, false, 'n', strict, {1.6}, "natural logarithm"},
    {"sinh(x)", "n", 1, false, 'n', strict, {0.6}, "hyperbolic sine"},
    {"cosh(x)", "n", 1, false, 'n', strict, {0.6}, "hyperbolic cosine"},
    {"tanh(x)", "n", 1, false, 'n', strict, {0.6}, "hyperbolic tangent: a smooth sign"},
    {"log10(x)", "n", 1, false, 'n', strict, {1.6}, "decimal logarithm"},
    {"pow(x, y)", "xy", 2, false, '^', strict, {1.6, 2.3}, "x^y", power_of},
    {"hypot(x, y)", "xx", 2, false, 'x', strict, {0.6, -1.1}, "sqrt(x^2 + y^2)"},
    {"sign(x)", "x", 1, false, 'n', strict, {-0.6}, "-1, 0 or 1"},
    {"clamp(x, low, high)",
     "xxx",
     3,
     false,
     'x',
     si,
     {0.5, 0.2, 0.9},
     "x, kept within limits",
     clamp},
    {"floor(x)", "n", 1, false, 'n', strict, {1.6}, "next whole number below"},
    {"ceil(x)", "n", 1, false, 'n', strict, {1.6}, "next whole number above"},
    {"mod(x, y)", "xx", 2, false, 'x', strict, {7.3, 2.1}, "remainder x - y floor(x/y)"},
    {"step5(t, t0, y0, t1, y1)",
     "xxyxy",
     5,
     false,
     'y',
     si,
     {0.5, 0.1, 2.0, 1.2, 3.0},
     "from y0 to y1 without jumps of speed and acceleration",
     step5},
    {"haversine(t, t0, y0, t1, y1)",
     "xxyxy",
     5,
     false,
     'y',
     si,
     {0.5, 0.1, 2.0, 1.2, 3.0},
     "from y0 to y1 without jumps of speed",
     haversine},
    {"ramp(t, t0, y0, t1, y1)",
     "xxyxy",
     5,
     false,
     'y',
     si,
     {0.5, 0.1, 2.0, 1.2, 3.0},
     "from y0 to y1 in a straight line",
     ramp},
    {"pulse(t, t0, t1, rise)",
     "xxxx",
     3,
     false,
     'n',
     si,
     {0.3, 0.1, 1.2, 0.5},
     "1 between t0 and t1, else 0; without `rise` the edges are jumps",
     pulse},
}};

}  // namespace

std::span<const Callable> callables() {
  return table;
}

Operand call(Builder& builder,
             std::string_view name,
             const std::vector<Operand>& arguments,
             std::size_t position,
             const std::vector<std::string>& more) {
  const auto* const found = std::find_if(table.begin(), table.end(), [&](const Callable& callable) {
    return callable.name() == name;
  });
  if (found == table.end()) {
    const std::string clipped(name.substr(0, longest_suggested));
    std::vector<std::string> known = function_names();
    known.insert(known.end(), more.begin(), more.end());
    throw ExpressionError{position, fmt::format("there is no function '{}'", clipped),
                          core::suggestion(clipped, known), false};
  }
  check_count(*found, arguments.size(), position);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const char kind = kind_of(*found, i);
    if (kind == 'a' || kind == 'n') check_angle_or_number(*found, kind, arguments[i], position);
  }
  const Type x = type_of_kind(*found, 'x', arguments, position);
  const Type y = type_of_kind(*found, 'y', arguments, position);
  const Type type = result_type(*found, x, y, position);
  if (found->build != nullptr) return found->build(builder, arguments, type, position);
  return primitive(builder, name, arguments, type, position);
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"pi"};
    for (const Callable& callable : callables()) list.emplace_back(callable.name());
    list.insert(list.end(), {"if", "table"});
    return list;
  }();
  return names;
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = function_names();
    list.insert(list.end(), {"time", "and", "or", "not"});
    return list;
  }();
  return names;
}

}  // namespace trammel::expression
