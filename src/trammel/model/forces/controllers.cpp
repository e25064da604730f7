#include "trammel/model/forces/controllers.h"

#include <cmath>

#include "trammel/model/forces/formula_text.h"

namespace trammel::model {
namespace {

// ---- pid

// u between the limits that are given.
std::string limited(const Values& values, const std::string& u) {
  std::string load = u;
  if (has(values, "lower"))
    load = fmt::format("max({}, {})", load, digits(number(values, "lower")));
  if (has(values, "upper"))
    load = fmt::format("min({}, {})", load, digits(number(values, "upper")));
  return load;
}

LawSet pid_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  const std::string& coordinate = text(values, "coordinate");
  const std::string error =
      fmt::format("({} - 1*{})", plain(text(values, "set_point")), coordinate);
  const double ki = number(values, "integral_gain");
  const double kd = number(values, "derivative_gain");
  const double filter = number(values, "filter_time");
  const bool has_limits = has(values, "lower") || has(values, "upper");
  if (has(values, "lower") && has(values, "upper") &&
      number(values, "lower") >= number(values, "upper")) {
    throw core::InputError(fmt::format("the lower limit {:g} is not below the upper one {:g}",
                                       number(values, "lower"), number(values, "upper")),
                           "give lower < upper");
  }
  LawSet set;
  std::string u = fmt::format("{}*{}", digits(number(values, "proportional_gain")), error);
  if (filter > 0.0 && kd != 0.0) {
    const std::string name = item.name + ".filter";
    const std::string slope = fmt::format("(({} - 1*{})*{})", error, name, digits(1.0 / filter));
    set.states.push_back(
        {.name = name, .rate = slope, .initial = number(values, "initial_filter")});
    u += fmt::format(" + {}*{}", digits(kd), slope);
  } else if (kd != 0.0) {
    u += fmt::format(" - {}*{}", digits(kd), rate_of(coordinate));
  }
  const std::string integral = item.name + ".integral";
  if (ki != 0.0) u += fmt::format(" + 1*{}", integral);
  u = "(" + u + ")";
  const std::string load = limited(values, u);
  if (ki != 0.0) {
    std::string rate = fmt::format("{}*{}", digits(ki), error);
    if (has_limits) {
      rate +=
          fmt::format(" + ({} - {})*{}", load, u, digits(1.0 / number(values, "tracking_time")));
    }
    set.states.push_back(
        {.name = integral, .rate = rate, .initial = number(values, "initial_integral")});
  }
  set.laws.push_back({.along = coordinate, .formula = load, .quantity = "load"});
  set.outputs.push_back({.name = item.name + ".error", .formula = error});
  return set;
}

std::vector<Field> pid_fields() {
  const auto limit = [](const char* name, const char* description) {
    return Field{.name = name, .description = description, .optional = true};
  };
  return {
      coordinate_field(),
      formula_field("set_point", "where the coordinate should be, e.g. 30 deg"),
      number_field("proportional_gain", "kp: load per error, SI units", 0.0, Sign::any),
      number_field("integral_gain", "ki: rate of the load per error, SI units", 0.0, Sign::any),
      number_field("derivative_gain", "kd: load per rate, SI units", 0.0, Sign::any),
      Field{.name = "filter_time",
            .dimension = core::dimension::time,
            .description = "T_f of the derivative; 0: the coordinate's own rate is used",
            .fallback = 0.0,
            .sign = Sign::non_negative},
      limit("lower", "smallest load, SI units"),
      limit("upper", "largest load, SI units"),
      Field{.name = "tracking_time",
            .dimension = core::dimension::time,
            .description = "T_t in which the integral gives way while a limit holds",
            .fallback = 0.1,
            .sign = Sign::positive},
      number_field("initial_integral", "integral part of the load at the start", 0.0, Sign::any),
      number_field("initial_filter", "filtered error at the start", 0.0, Sign::any)};
}

// ---- state space

// A matrix by rows with a known number of columns, as many rows as the list has.
class Rows {
 public:
  Rows(const Values& values, const char* name, std::size_t rows, std::size_t columns)
      : columns_(columns) {
    if (has(values, name)) list_ = numbers(values, name);
    if (list_.empty()) list_.assign(rows * columns, 0.0);
    if (list_.size() == rows * columns) return;
    throw core::InputError(
        fmt::format("'{}' has {} numbers", name, list_.size()),
        fmt::format("give {} rows of {} numbers, one after the other", rows, columns));
  }
  /// Adds the non-zero terms of the product of a row and names.
  void add(std::size_t row, const std::vector<std::string>& factors, std::string& sum) const {
    for (std::size_t j = 0; j < columns_; ++j) {
      const double entry = list_[row * columns_ + j];
      if (entry != 0.0) sum += fmt::format(" + {}*{}", digits(entry), factors[j]);
    }
  }

 private:
  std::size_t columns_;
  std::vector<double> list_;
};

LawSet state_space_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  const std::vector<std::string>& coordinates = texts(values, "coordinates");
  std::vector<std::string> inputs;
  for (const std::string& input : texts(values, "inputs")) inputs.push_back(plain(input));
  const std::size_t entries = has(values, "A") ? numbers(values, "A").size() : 0;
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(entries))));
  const Rows A(values, "A", n, n);
  const Rows B(values, "B", n, inputs.size());
  const Rows C(values, "C", coordinates.size(), n);
  const Rows D(values, "D", coordinates.size(), inputs.size());
  const std::vector<double> initial =
      has(values, "initial") ? numbers(values, "initial") : std::vector<double>(n, 0.0);
  if (initial.size() != n) {
    throw core::InputError(fmt::format("'initial' has {} numbers", initial.size()),
                           fmt::format("give one for each of the {} states", n));
  }
  LawSet set;
  std::vector<std::string> states;
  for (std::size_t i = 0; i < n; ++i)
    states.push_back(fmt::format("{}.state_{}", item.name, i + 1));
  for (std::size_t i = 0; i < n; ++i) {
    std::string rate = "0*time";
    A.add(i, states, rate);
    B.add(i, inputs, rate);
    set.states.push_back({.name = states[i], .rate = rate, .initial = initial[i]});
  }
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    std::string load = "0*time";
    C.add(i, states, load);
    D.add(i, inputs, load);
    set.laws.push_back({.along = coordinates[i],
                        .formula = load,
                        .quantity = coordinates.size() == 1 ? std::string("load")
                                                            : fmt::format("load_{}", i + 1)});
  }
  return set;
}

Field matrix_field(const char* name, const char* description) {
  return {.name = name, .kind = FieldKind::numbers, .description = description, .optional = true};
}

}  // namespace

ForceKind pid(Space space) {
  return {.name = "pid",
          .space = space,
          .summary = "controller with proportional, integral and derivative part, and limits",
          .fields = pid_fields(),
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = pid_laws};
}

ForceKind state_space(Space space) {
  return {
      .name = "state_space",
      .space = space,
      .summary = "loads along coordinates by a linear state space model A, B, C, D",
      .fields = {Field{.name = "coordinates",
                       .kind = FieldKind::quantities,
                       .description = "what the outputs act along, e.g. [pin.angle]"},
                 Field{.name = "inputs",
                       .kind = FieldKind::formulas,
                       .description = "any formulas, e.g. [\"0.2 - pin.angle\", \"sin(time)\"]"},
                 matrix_field("A", "states by states, row by row; left out: no states"),
                 matrix_field("B", "states by inputs, row by row; left out: zero"),
                 matrix_field("C", "outputs by states, row by row; left out: zero"),
                 matrix_field("D", "outputs by inputs, row by row; left out: zero"),
                 matrix_field("initial", "states at the start; left out: zero")},
      .mirroring = not_mirrored_with_quantities(),
      .attachments = 0,
      .laws = state_space_laws};
}

}  // namespace trammel::model
