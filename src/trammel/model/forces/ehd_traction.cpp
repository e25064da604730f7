#include "trammel/model/forces/ehd_traction.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trammel/model/forces/formula_text.h"

namespace trammel::model {
namespace {

using core::dimension::pressure;

// "contact" of "contact.contact_angle".
std::string joint_of(const std::string& coordinate) {
  return coordinate.substr(0, coordinate.rfind('.'));
}

double roller_radius(const std::string& joint, const Description& description) {
  const auto found = std::find_if(description.joints.begin(), description.joints.end(),
                                  [&](const Item& item) { return item.name == joint; });
  if (found == description.joints.end() || found->type != "cam_roller") {
    throw core::InputError(fmt::format("'{}' is not a joint of type cam_roller", joint),
                           "name a coordinate of a cam with a roller, e.g. contact.contact_angle");
  }
  const double radius = number(found->values, "roller_radius");
  if (!(radius > 0.0)) {
    throw core::InputError(
        fmt::format("the cam '{}' has a knife edge, which carries no film", joint),
        "give the joint a roller_radius above zero");
  }
  return radius;
}

// The film as formulas; powers of constants are taken beforehand.
struct Film {
  std::string load;       ///< N
  std::string slip;       ///< u_s
  std::string speed;      ///< u_m
  std::string bend;       ///< 1/R
  std::string hertz;      ///< p_H
  std::string thickness;  ///< h
  std::string traction;   ///< F

  Film(const Values& values, const std::string& joint, double radius) {
    const double length = number(values, "length");
    const double nu = number(values, "poissons_ratio");
    const double modulus = number(values, "youngs_modulus") / (1.0 - nu * nu);
    const double eta = number(values, "viscosity");
    const double alpha = number(values, "pressure_viscosity");
    const double tau = number(values, "eyring_stress");
    load = fmt::format("(1*{}.load)", joint);
    slip = fmt::format("(1*{}.slip)", joint);
    speed = fmt::format("(0.5*{0} + {1}*(1*{2}.angle_rate - 1*{2}.normal_angle_rate))", slip,
                        digits(radius), joint);
    bend = fmt::format("({:.17g} + 1*{}.curvature)", 1.0 / radius, joint);
    const std::string root = fmt::format("sqrt({}*{})", load, bend);
    const double stress = std::sqrt(modulus / (2.0 * std::numbers::pi * length));
    hertz = fmt::format("({}*{})", digits(stress), root);
    // h = c bend^-0.43 u_m^0.7 N^-0.13
    const double c = 2.65 * std::pow(eta / modulus, 0.7) * std::pow(alpha * modulus, 0.54) *
                     std::pow(length * modulus, 0.13);
    thickness =
        fmt::format("({}*{}^(-0.43)*({}^2 + 1e-12)^0.35*{}^(-0.13))", digits(c), bend, speed, load);
    const double mean = 0.25 * std::numbers::pi * stress;
    const std::string x = fmt::format("({}*exp({}*{})*{}/{})", digits(eta / tau),
                                      digits(alpha * mean), root, slip, thickness);
    traction = fmt::format(
        "({0}*sqrt({1}/{2})*if({3} > 0, log({4} + sqrt({4}^2 + 1)), -log(sqrt({4}^2 + 1) - {4})))",
        digits(tau / mean), load, bend, slip, x);
  }

  std::string pressed(const std::string& formula) const {
    return fmt::format("if({} > 0, {}, 0)", load, formula);
  }
};

LawSet ehd_traction_laws(const Item& item, const Description& description) {
  const std::string joint = joint_of(text(item.values, "coordinate"));
  if (!(number(item.values, "poissons_ratio") < 1.0)) {
    throw core::InputError("poissons_ratio is not below 1", "give a value such as 0.3 for steel");
  }
  const Film film(item.values, joint, roller_radius(joint, description));
  LawSet set;
  set.laws.push_back({.along = joint + ".slip",
                      .formula = film.pressed("-" + film.traction),
                      .quantity = "traction",
                      .dimension = core::dimension::force,
                      .dissipates = true});
  const auto output = [&](const char* name, const std::string& formula,
                          const core::Dimension& dimension) {
    set.outputs.push_back({item.name + "." + name, film.pressed(formula), dimension});
  };
  output("film_thickness", film.thickness, core::dimension::length);
  output("film_speed", film.speed, core::dimension::velocity);
  output("hertz_stress", film.hertz, pressure);
  output("coefficient", film.traction + "/" + film.load, core::dimension::none);
  return set;
}

Field positive(const char* name, const core::Dimension& dimension, const char* description) {
  return {.name = name, .dimension = dimension, .description = description, .sign = Sign::positive};
}

}  // namespace

ForceKind ehd_traction() {
  using namespace core::dimension;
  return {.name = "ehd_traction",
          .space = Space::planar,
          .summary =
              "traction of an oil film between a cam and its roller, with film thickness and "
              "Hertz stress",
          .fields = {Field{.name = "coordinate",
                           .kind = FieldKind::quantity,
                           .description = "of a cam_roller, e.g. contact.contact_angle"},
                     positive("length", length, "L of the line of contact"),
                     positive("youngs_modulus", pressure, "E of both bodies"),
                     Field{.name = "poissons_ratio",
                           .description = "nu of both bodies",
                           .fallback = 0.3,
                           .sign = Sign::non_negative},
                     positive("viscosity", pressure * core::dimension::time,
                              "eta of the oil at no pressure, Pa s"),
                     positive("pressure_viscosity", none / pressure,
                              "alpha_p: viscosity grows as exp(alpha_p p), 1/Pa"),
                     positive("eyring_stress", pressure, "tau_0, above which the film thins")},
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = ehd_traction_laws};
}

}  // namespace trammel::model
