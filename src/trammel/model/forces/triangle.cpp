#include "trammel/model/forces/triangle.h"

#include <cmath>

#include <Eigen/Core>

#include "trammel/model/forces/formula_text.h"

namespace trammel::model {
namespace {

using core::dimension::pressure;

// The unloaded sheet: N2 = (l1, 0), N3 = (l3, l2).
struct Shape {
  double l1 = 0.0;
  double l2 = 0.0;
  double l3 = 0.0;
};

Shape shape_of(const Values& values) {
  const double a = number(values, "side_12");
  const double b = number(values, "side_13");
  const double c = number(values, "side_23");
  const double x = (a * a + b * b - c * c) / (2.0 * a);
  const double square = b * b - x * x;
  if (square <= 1e-12 * b * b) {
    throw core::InputError(fmt::format("sides of {:g}, {:g} and {:g} m make no triangle", a, b, c),
                           "each must be shorter than the sum of the others");
  }
  return {a, std::sqrt(square), x};
}

Eigen::Matrix3d stiffness_of(const Values& values, const Shape& s) {
  const double E = number(values, "youngs_modulus");
  const double nu = number(values, "poissons_ratio");
  if (nu <= -1.0 || nu >= 0.5) {
    throw core::InputError(fmt::format("poissons_ratio is {:g}", nu),
                           "give a number above -1 and below 0.5");
  }
  Eigen::Matrix3d D = Eigen::Matrix3d::Zero();
  if (text(values, "state") == "plane_stress") {
    D << 1, nu, 0, nu, 1, 0, 0, 0, 0.5 * (1 - nu);
    D *= E / (1 - nu * nu);
  } else {
    D << 1 - nu, nu, 0, nu, 1 - nu, 0, 0, 0, 0.5 - nu;
    D *= E / ((1 + nu) * (1 - 2 * nu));
  }
  Eigen::Matrix3d B;
  B << 1 / s.l1, 0, 0, 0, 1 / s.l2, 0, -s.l3 / (s.l1 * s.l2), 0, 1 / s.l2;
  return 0.5 * number(values, "thickness") * s.l1 * s.l2 * B.transpose() * D * B;
}

std::string side(const Item& item, const char* which) {
  return item.name + ".side_" + which;
}

LawSet triangle_laws(const Item& item, const Description& /*description*/) {
  const Shape s = shape_of(item.values);
  const Eigen::Matrix3d K = stiffness_of(item.values, s);
  const std::string a = fmt::format("(1*{})", side(item, "12"));
  const std::string b = fmt::format("(1*{})", side(item, "13"));
  const std::string c = fmt::format("(1*{})", side(item, "23"));
  const std::string x = fmt::format("(({}^2 + {}^2 - {}^2)/(2*{}))", a, b, c, a);
  const std::string y = fmt::format("sqrt({}^2 - {}^2)", b, x);
  const std::string eps[] = {fmt::format("({} - {}*1)", a, digits(s.l1)),
                             fmt::format("({} - {}*1)", y, digits(s.l2)),
                             fmt::format("({} - {}*1)", x, digits(s.l3))};
  std::string m[3];
  std::string energy = "0*time";
  for (int i = 0; i < 3; ++i) {
    m[i] = fmt::format("({}*{} + {}*{} + {}*{})", digits(K(i, 0)), eps[0], digits(K(i, 1)), eps[1],
                       digits(K(i, 2)), eps[2]);
    energy += fmt::format(" + 0.5*{}*{}", eps[i], m[i]);
  }
  // By the chain rule through x3 and y3: dy3 = (b db - x3 dx3)/y3.
  const std::string by_x = fmt::format("({} - {}*{}/{})", m[2], m[1], x, y);
  const auto law = [&](const char* which, const std::string& tension) {
    return LawText{.along = side(item, which),
                   .formula = fmt::format("-({})", tension),
                   .quantity = std::string("load_") + which,
                   .dimension = core::dimension::force};
  };
  LawSet set{.laws = {law("12", fmt::format("{} + {}*(1 - {}/{})", m[0], by_x, x, a)),
                      law("13", fmt::format("{}*{}/{} + {}*{}/{}", by_x, b, a, m[1], b, y)),
                      law("23", fmt::format("-{}*{}/{}", by_x, c, a))}};
  set.laws.front().potential = energy;
  return set;
}

std::vector<Item> sides(const Item& item) {
  const auto sensor = [&](const char* which, std::size_t first, std::size_t second) {
    return Item{.name = side(item, which),
                .type = "distance",
                .attachments = {item.attachments[first], item.attachments[second]}};
  };
  return {sensor("12", 0, 1), sensor("13", 0, 2), sensor("23", 1, 2)};
}

Field side_field(const char* name, const char* description) {
  Field field = number_field(name, description, std::nullopt, Sign::positive);
  field.dimension = core::dimension::length;
  return field;
}

}  // namespace

ForceKind triangle(Space space) {
  Field modulus = number_field("youngs_modulus", "of the sheet", std::nullopt, Sign::positive);
  modulus.dimension = pressure;
  return {.name = "triangle",
          .space = space,
          .summary = "triangle of elastic sheet between three points, constant strain",
          .fields = {side_field("side_12", "unloaded, from the first to the second point"),
                     side_field("side_13", "unloaded, from the first to the third point"),
                     side_field("side_23", "unloaded, from the second to the third point"),
                     side_field("thickness", "of the sheet"), modulus,
                     number_field("poissons_ratio", "of the sheet", 0.3, Sign::any),
                     Field{.name = "state",
                           .kind = FieldKind::choice,
                           .description = "free across the sheet (stress) or held (strain)",
                           .fallback = std::string("plane_stress"),
                           .choices = {"plane_stress", "plane_strain"}}},
          .mirroring = mirrored_by_fields(),
          .attachments = 3,
          .laws = triangle_laws,
          .sensors = sides};
}

}  // namespace trammel::model
