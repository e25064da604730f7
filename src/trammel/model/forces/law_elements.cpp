#include "trammel/model/forces/law_elements.h"

#include <algorithm>

#include "trammel/core/dense_factors.h"
#include "trammel/expression/callables.h"
#include "trammel/expression/scanner.h"
#include "trammel/model/forces/formula_text.h"

namespace trammel::model {
namespace {

LawSet implicit_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  return {.laws = {{.along = text(values, "coordinate"),
                    .formula = text(values, "equation"),
                    .quantity = "load",
                    .unknown = item.name + ".load",
                    .guess = number(values, "guess")}}};
}

// With a stiffness that reads coordinates there would be no energy to speak of.
void check_names_of_time(const Values& values, const char* field, const Description& description) {
  const auto& reserved = expression::reserved_names();
  for (const std::string_view name : expression::names_in(text(values, field))) {
    const bool known = name == "time" || description.parameters.contains(name) ||
                       std::find(reserved.begin(), reserved.end(), name) != reserved.end() ||
                       std::any_of(description.tables.begin(), description.tables.end(),
                                   [&](const auto& table) { return table->name() == name; });
    if (known) continue;
    throw core::InputError(fmt::format("'{}' reads '{}'", field, name),
                           "it may depend on time alone; for other laws use an actuator");
  }
}

LawSet parametric_laws(const Item& item, const Description& description) {
  const Values& values = item.values;
  for (const char* field : {"stiffness", "damping", "reference"}) {
    check_names_of_time(values, field, description);
  }
  const std::string& coordinate = text(values, "coordinate");
  const std::string K = plain(text(values, "stiffness"));
  const std::string B = plain(text(values, "damping"));
  const std::string e = fmt::format("(1*{} - {})", coordinate, plain(text(values, "reference")));
  const std::string rate = rate_of(coordinate);
  return {.laws = {{.along = coordinate,
                    .formula = fmt::format("-{}*{} - {}*{}", K, e, B, rate),
                    .quantity = "load",
                    .potential = fmt::format("0.5*{}*{}^2", K, e),
                    .loss = fmt::format("{}*{}^2", B, rate)}}};
}

// ---- matrix element

Eigen::MatrixXd square(const Values& values, const char* name, std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  if (!has(values, name)) return Eigen::MatrixXd::Zero(size, size);
  const std::vector<double>& list = numbers(values, name);
  if (list.size() != n * n) {
    throw core::InputError(
        fmt::format("'{}' has {} numbers for {} coordinates", name, list.size(), n),
        fmt::format("give {} rows of {} numbers, one after the other", n, n));
  }
  const Eigen::MatrixXd K = Eigen::Map<const Eigen::MatrixXd>(list.data(), size, size);
  const double scale = K.cwiseAbs().maxCoeff();
  if ((K - K.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    throw core::InputError(fmt::format("'{}' is not symmetric", name),
                           "give a symmetric matrix: only that has an energy");
  }
  if (std::string_view(name) == "damping" &&
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues()[0] < -1e-9 * scale) {
    throw core::InputError("'damping' would drive some motion: it has a negative eigenvalue",
                           "give a positive semi-definite matrix");
  }
  return 0.5 * (K + K.transpose());
}

LawSet matrix_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  const std::vector<std::string>& coordinates = texts(values, "coordinates");
  const std::size_t n = coordinates.size();
  const Eigen::MatrixXd K = square(values, "stiffness", n);
  const Eigen::MatrixXd B = square(values, "damping", n);
  std::vector<double> reference(n, 0.0);
  if (has(values, "reference")) reference = numbers(values, "reference");
  if (reference.size() != n) {
    throw core::InputError(fmt::format("'reference' has {} numbers", reference.size()),
                           fmt::format("give one for each of the {} coordinates", n));
  }
  LawSet set;
  for (std::size_t i = 0; i < n; ++i) {
    std::string stress = "0*time";
    std::string drag = "0*time";
    for (std::size_t j = 0; j < n; ++j) {
      const auto row = static_cast<Eigen::Index>(i);
      const auto column = static_cast<Eigen::Index>(j);
      if (K(row, column) != 0.0) {
        stress += fmt::format(" + {}*{}", digits(K(row, column)),
                              difference(coordinates[j], reference[j]));
      }
      if (B(row, column) != 0.0) {
        drag += fmt::format(" + {}*{}", digits(B(row, column)), rate_of(coordinates[j]));
      }
    }
    set.laws.push_back(
        {.along = coordinates[i],
         .formula = fmt::format("-({}) - ({})", stress, drag),
         .quantity = fmt::format("load_{}", i + 1),
         .potential = fmt::format("0.5*{}*({})", difference(coordinates[i], reference[i]), stress),
         .loss = fmt::format("{}*({})", rate_of(coordinates[i]), drag)});
  }
  return set;
}

}  // namespace

ForceKind implicit_force(Space space) {
  return {.name = "implicit_force",
          .space = space,
          .summary = "load along a coordinate that solves an equation",
          .fields = {coordinate_field(),
                     formula_field("equation",
                                   "zero for the right load, which it calls <name>.load, e.g. "
                                   "strut.load + 3*strut.load^3 + 50*pin.angle"),
                     number_field("guess", "load at which Newton's method begins, SI units", 0.0,
                                  Sign::any)},
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = implicit_laws};
}

ForceKind parametric_spring(Space space) {
  const Value zero = std::string("0");
  return {.name = "parametric_spring",
          .space = space,
          .summary = "spring and damper along a coordinate, varying in time",
          .fields = {coordinate_field(),
                     formula_field("stiffness", "K, a formula of time, e.g. 100 + 20*sin(5*time)"),
                     formula_field("damping", "B, a formula of time", zero),
                     formula_field("reference", "x0, a formula of time", zero)},
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = parametric_laws};
}

ForceKind matrix_element(Space space) {
  return {.name = "matrix_element",
          .space = space,
          .summary = "stiffness and damping matrix over any coordinates",
          .fields = {Field{.name = "coordinates",
                           .kind = FieldKind::quantities,
                           .description = "relevant variables, e.g. [side_a, side_b, pin.angle]"},
                     Field{.name = "stiffness",
                           .kind = FieldKind::numbers,
                           .description = "K, symmetric, row by row, SI units",
                           .optional = true},
                     Field{.name = "damping",
                           .kind = FieldKind::numbers,
                           .description = "B, symmetric, row by row, SI units",
                           .optional = true},
                     Field{.name = "reference",
                           .kind = FieldKind::numbers,
                           .description = "coordinates of the unloaded element, SI units",
                           .optional = true}},
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = matrix_laws};
}

}  // namespace trammel::model
