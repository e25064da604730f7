#include "trammel/model/flexible/geometrically_exact.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/model/flexible/beam_line.h"
#include "trammel/model/flexible/flexible_color.h"
#include "trammel/model/flexible/reissner_beam.h"
#include "trammel/model/flexible/section_frame.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Of a piece of the line, in a frame with x along it: as thick as the section.
PlacedShape piece_of_beam(const SpatialBeam& flexible, double from, double to) {
  PlacedShape placed{.position = {0.5 * (from + to), 0.0, 0.0}, .color = flexible.color};
  const CrossSection& section = flexible.section;
  const SpatialSection& across = flexible.across;
  if (across.width > 0.0) {
    placed.shape = math::Box{to - from, section.height, across.width};
  } else {
    const double height = section.height;
    // Of sections known by their stiffness alone: a hundredth of the length.
    const double fallback = 0.01 * beam_length(flexible);
    const double area = height > 0.0         ? M_PI_4 * height * height
                        : section.area > 0.0 ? section.area
                                             : M_PI_4 * fallback * fallback;
    placed.shape = math::Rod{.length = to - from, .area = area};
  }
  return placed;
}

class BeamBuilder {
 public:
  BeamBuilder(const SpatialBeam& body, Description& description)
      : body_(body),
        description_(description),
        section_(section_of(body)),
        line_(beam_line(body)) {}

  void build() {
    for (std::size_t k = 0; k < line_.nodes.size(); ++k) add_node(k);
    for (std::size_t k = 0; k < line_.elements.size(); ++k) add_element(k);
    for (const FlexibleFrame& frame : body_.frames) add_frame(frame);
  }

 private:
  std::string name_of_node(std::size_t k) const { return node_name(body_, static_cast<int>(k)); }

  Body placed_body(std::string name, const Vector3d& p, const Matrix3d& R) const {
    Body body;
    body.name = std::move(name);
    body.part_of = body_.name;
    body.mass = {};
    body.position = p;
    body.orientation = Eigen::Quaterniond(R).normalized();
    body.velocity = body_.velocity + body_.angular_velocity.cross(p - body_.start);
    body.angular_velocity = R.transpose() * body_.angular_velocity;
    body.turn_counts = false;
    body.stated_pose.fill(true);
    body.stated_velocity.fill(true);
    return body;
  }

  /// Half of an element at one of its ends.
  void add_half(const BeamLine::Element& element,
                const Matrix3d& axes,
                const Matrix3d& node,
                math::MassProperties& mass) const {
    const double half = 0.5 * element.length;
    const Matrix3d R = node.transpose() * axes;
    mass.mass += half * section_.mass;
    mass.inertia += half * R * section_.inertia.asDiagonal() * R.transpose();
  }

  void add_node(std::size_t k) {
    const BeamLine::Node& node = line_.nodes[k];
    Body body = placed_body(name_of_node(k), node.p, node.R);
    body.mass.mass = 0.0;
    body.mass.inertia.setZero();
    if (k > 0) {
      const BeamLine::Element& before = line_.elements[k - 1];
      add_half(before, before.second, node.R, body.mass);
      body.shapes.push_back(piece_of_beam(body_, -0.5 * before.length, 0.0));
    }
    if (k < line_.elements.size()) {
      const BeamLine::Element& after = line_.elements[k];
      add_half(after, after.first, node.R, body.mass);
      PlacedShape shape = piece_of_beam(body_, 0.0, 0.5 * after.length);
      const Matrix3d turn = node.R.transpose() * after.first;
      shape.position = turn * shape.position;
      shape.rotation = Eigen::Quaterniond(turn).normalized();
      body.shapes.push_back(std::move(shape));
    }
    description_.bodies.push_back(std::move(body));
  }

  ReissnerPlace place(std::size_t k) const {
    const BeamLine::Element& element = line_.elements[k];
    return {.length = element.length,
            .way = line_.nodes[k + 1].p - line_.nodes[k].p,
            .first = element.first,
            .second = element.second,
            .first_node = line_.nodes[k].R,
            .second_node = line_.nodes[k + 1].R};
  }

  void add_element(std::size_t k) {
    if (!line_.elements[k].repeats) {
      element_ = reissner_beam(section_, place(k),
                               {.shear = body_.shear,
                                .viscosity = body_.viscosity,
                                .coupled_mass = body_.beam_mass == BeamMass::consistent});
    }
    description_.elements.push_back({.name = element_name(body_, static_cast<int>(k)),
                                     .bodies = {name_of_node(k), name_of_node(k + 1)},
                                     .spatial = element_});
  }

  void add_frame(const FlexibleFrame& frame) {
    const auto after = std::upper_bound(
        line_.nodes.begin() + 1, line_.nodes.end() - 1, frame.along,
        [](double along, const BeamLine::Node& node) { return along < node.along; });
    const auto k = static_cast<std::size_t>(after - line_.nodes.begin()) - 1;
    const BeamLine::Node& first = line_.nodes[k];
    const BeamLine::Node& second = line_.nodes[k + 1];
    const double xi =
        std::clamp((frame.along - first.along) / (second.along - first.along), 0.0, 1.0);
    const ReissnerPlace at = place(k);
    const auto carried = section_frame(xi, at.first_node.transpose() * at.first,
                                       at.second_node.transpose() * at.second);
    Carrier carrier{.bodies = {name_of_node(k), name_of_node(k + 1)}};
    carrier.spatial = carried;
    const Eigen::AngleAxisd turn(Matrix3d(at.first.transpose() * at.second));
    const Matrix3d R =
        at.first * Eigen::AngleAxisd(xi * turn.angle(), turn.axis()).toRotationMatrix();
    Body body = placed_body(body_.name + "." + frame.name,
                            (1.0 - xi) * first.p + xi * second.p + R * frame.position, R);
    body.mass.center = -frame.position;
    PlacedShape shape = piece_of_beam(body_, -0.05 * at.length, 0.05 * at.length);
    shape.position = -frame.position;
    body.shapes.push_back(std::move(shape));
    body.carrier = std::move(carrier);
    description_.bodies.push_back(std::move(body));
  }

  const SpatialBeam& body_;
  Description& description_;
  BeamSection section_;
  BeamLine line_;
  std::shared_ptr<const BlockElement<Spatial>> element_;
};

/// A straight beam, the same about y and z.
SpatialBeam plain_beam(const FlexibleBody& body) {
  SpatialBeam beam;
  static_cast<FlexibleBody&>(beam) = body;
  beam.across.second_moment_y = body.section.second_moment;
  beam.across.torsion_constant = 2.0 * body.section.second_moment;
  return beam;
}

void build_plain_beam(const FlexibleBody& body, Description& description) {
  const SpatialBeam beam = plain_beam(body);
  BeamBuilder(beam, description).build();
}

/// Mistakes of a beam that a body in the plane cannot have.
class BeamCheck {
 public:
  BeamCheck(const SpatialBeam& beam, core::Diagnostics& diagnostics)
      : beam_(beam), diagnostics_(diagnostics) {}

  void run() {
    check_section();
    const bool finite = beam_.start.allFinite() && beam_.tip.allFinite();
    if (beam_.elements < 1 || !finite || !(beam_.length() > 0.0)) return;  // which is told
    const LineMistake mistake = line_mistake(beam_);
    if (!mistake.key.empty()) error(mistake.key, mistake.message, mistake.remedy);
  }

 private:
  void error(const std::string& key, std::string message, std::string remedy) {
    diagnostics_.error("flexible." + beam_.name + "." + key, std::move(message), std::move(remedy));
  }
  void positive(const char* what, double value, const char* unit) {
    if (value > 0.0 && std::isfinite(value)) return;
    error("section", fmt::format("the {} is {:g} {}", what, value, unit),
          "give a value above zero");
  }

  void check_section() {
    if (!beam_.across.given) {
      positive("second moment of area about y", beam_.across.second_moment_y, "m^4");
      positive("torsion constant", beam_.across.torsion_constant, "m^4");
      return;
    }
    const BeamSection& section = *beam_.across.given;
    for (int i = 0; i < 3; ++i) {
      positive(i == 0 ? "axial stiffness" : "shear stiffness", section.force[i], "N");
      positive(i == 0 ? "torsional stiffness" : "bending stiffness", section.moment[i], "N m^2");
      positive("inertia of a metre", section.inertia[i], "kg m");
    }
    positive("mass of a metre", section.mass, "kg/m");
    if (2.0 * section.inertia.maxCoeff() > section.inertia.sum() * (1.0 + 1e-9)) {
      error("section",
            fmt::format("no section has the inertia {:g}, {:g}, {:g} kg m: the largest exceeds the "
                        "sum of the others",
                        section.inertia[0], section.inertia[1], section.inertia[2]),
            "that about x is at most the sum of those about y and z");
    }
  }

  const SpatialBeam& beam_;
  core::Diagnostics& diagnostics_;
};

}  // namespace

BeamSection section_of(const SpatialBeam& beam) {
  if (beam.across.given) return *beam.across.given;
  const CrossSection& section = beam.section;
  const double E = beam.material.youngs_modulus;
  const double G = beam.material.shear_modulus();
  const double rho = beam.material.density;
  const double I_y = beam.across.second_moment_y;
  const double I_z = section.second_moment;
  const double kappa_y = section.shear_factor;
  const double kappa_z = beam.across.shear_factor_z > 0.0 ? beam.across.shear_factor_z : kappa_y;
  return {.force = {E * section.area, kappa_y * G * section.area, kappa_z * G * section.area},
          .moment = {G * beam.across.torsion_constant, E * I_y, E * I_z},
          .mass = rho * section.area,
          .inertia = rho * Vector3d(I_y + I_z, I_y, I_z)};
}

void check(const SpatialBeam& beam, core::Diagnostics& diagnostics) {
  FlexibleBody body = static_cast<const FlexibleBody&>(beam);
  if (beam.across.given) {
    // Neither material nor shape: values that do.
    body.material = {.density = 1.0, .youngs_modulus = 1.0};
    body.section = {.area = 1.0, .second_moment = 1.0};
  }
  check(body, Space::spatial, diagnostics);
  BeamCheck(beam, diagnostics).run();
}

void add_spatial_beam(SpatialBeam beam, Description& description) {
  core::Diagnostics diagnostics;
  check(beam, diagnostics);
  diagnostics.throw_if_errors();
  if (beam.color.empty()) beam.color = flexible_color(description.flexible_bodies.size());
  BeamBuilder(beam, description).build();
  description.flexible_bodies.push_back(static_cast<FlexibleBody&&>(beam));
}

FlexibleKind geometrically_exact() {
  return {.name = "geometrically_exact",
          .space = Space::spatial,
          .summary =
              "nodes are rigid bodies; stretch, shear, twist and bends of any size between "
              "them (Simo and Reissner)",
          .elements = {"reissner"},
          .build = build_plain_beam};
}

}  // namespace trammel::model
