#include "support/mechanisms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::support {

using Eigen::Vector3d;
using model::Body;
using model::Description;
using model::Frame;
using model::Space;

namespace {

using std::numbers::pi;

void place(Body& body, const Vector3d& position, double angle) {
  body.position = position;
  body.angle = angle;
  body.orientation = Eigen::AngleAxisd(angle, Vector3d::UnitZ());
}

Description empty(std::string name, Space space, const Vector3d& gravity) {
  Description d;
  d.name = std::move(name);
  d.space = space;
  d.gravity = gravity;
  return d;
}

}  // namespace

Body bar(std::string name, double length, double mass, Space space) {
  Body body;
  body.name = std::move(name);
  body.mass.mass = mass;
  const double across = mass * length * length / 12.0;
  const double along = space == Space::planar ? 0.0 : mass * length * length * 1e-4;
  body.mass.inertia = Vector3d(along, across, across).asDiagonal();
  body.frames = {Frame{"left", Vector3d(-0.5 * length, 0, 0)},
                 Frame{"right", Vector3d(0.5 * length, 0, 0)}};
  return body;
}

Description pendulum() {
  Description d = empty("pendulum", Space::planar, {0, -9.81, 0});
  Body bob;
  bob.name = "bob";
  bob.kind = model::BodyKind::point;
  bob.mass.mass = 1.0;
  bob.position = {-1, 0, 0};
  d.add_body(bob);
  d.add_joint("distance", "rod", "ground", "bob");
  return d;
}

Description four_bars(int n) {
  Description d = empty("four-bars", Space::planar, {0, -9.81, 0});
  for (int i = 0; i <= n; ++i) {
    const std::string number = std::to_string(i);
    d.ground_frames.push_back({"pivot" + number, Vector3d(i, 0, 0)});
    Body rocker = bar("rocker" + number, 1.0, 1.0, d.space);
    place(rocker, Vector3d(i, 0.5, 0), pi / 2);
    rocker.velocity = {0.5, 0, 0};
    rocker.angular_velocity = {0, 0, -1};
    d.add_body(rocker);
  }
  for (int i = 0; i < n; ++i) {
    Body coupler = bar("coupler" + std::to_string(i), 1.0, 1.0, d.space);
    place(coupler, Vector3d(i + 0.5, 1, 0), 0.0);
    coupler.velocity = {1, 0, 0};
    d.add_body(coupler);
  }
  for (int i = 0; i <= n; ++i) {
    const std::string number = std::to_string(i);
    d.add_joint("revolute", "base" + number, "ground.pivot" + number, "rocker" + number + ".left");
  }
  for (int i = 0; i < n; ++i) {
    const std::string number = std::to_string(i);
    const std::string next = std::to_string(i + 1);
    d.add_joint("revolute", "left" + number, "rocker" + number + ".right",
                "coupler" + number + ".left");
    d.add_joint("revolute", "right" + number, "coupler" + number + ".right",
                "rocker" + next + ".right");
  }
  return d;
}

double four_bars_angular_acceleration(int n, double theta) {
  return -9.81 * (0.5 * (n + 1) + n) * std::cos(theta) / ((n + 1) / 3.0 + n);
}

Description slider_crank() {
  Description d = empty("slider-crank", Space::planar, {0, -9.81, 0});
  const double angle = pi / 4;
  const double crank_length = 0.15;
  const double rod_length = 0.45;
  const double rod_angle = -std::asin(crank_length * std::sin(angle) / rod_length);
  const Vector3d along(std::cos(angle), std::sin(angle), 0);
  const Vector3d rod_along(std::cos(rod_angle), std::sin(rod_angle), 0);
  Body crank = bar("crank", crank_length, 0.5, d.space);
  place(crank, 0.5 * crank_length * along, angle);
  crank.angular_velocity = {0, 0, 10};
  crank.fixed_velocity[5] = true;
  Body rod = bar("rod", rod_length, 1.0, d.space);
  place(rod, crank_length * along + 0.5 * rod_length * rod_along, rod_angle);
  Body slider;
  slider.name = "slider";
  slider.mass.mass = 0.7;
  slider.mass.inertia = Vector3d(1e-3, 1e-3, 1e-3).asDiagonal();
  place(slider, crank_length * along + rod_length * rod_along, 0.0);
  d.add_body(crank);
  d.add_body(rod);
  d.add_body(slider);
  d.add_joint("revolute", "main", "ground", "crank.left");
  d.add_joint("revolute", "crank_pin", "crank.right", "rod.left");
  d.add_joint("revolute", "wrist", "rod.right", "slider");
  d.add_joint("prismatic", "guide", "ground", "slider");
  return d;
}

namespace {

// Bars of total length 1 m and mass 1 kg, hinged about z, at rest; inclined by angle(s) where s is
// the length from the first hinge to a bar's middle.
Description hinged_bars(int n, Space space, double (*angle)(double s)) {
  Description d = empty("chain", space, {0, -9.81, 0});
  const double length = 1.0 / n;
  Vector3d left = Vector3d::Zero();
  std::string last = "ground";
  for (int i = 0; i < n; ++i) {
    const double inclination = angle((i + 0.5) * length);
    const Vector3d along = length * Vector3d(std::cos(inclination), std::sin(inclination), 0);
    Body link = bar("link" + std::to_string(i), length, length, space);
    place(link, left + 0.5 * along, inclination);
    d.add_joint("revolute", "hinge" + std::to_string(i), last, link.name + ".left");
    last = link.name + ".right";
    left += along;
    d.add_body(std::move(link));
  }
  return d;
}

}  // namespace

Description chain(int n, Space space) {
  return hinged_bars(n, space, [](double) { return 0.0; });
}

Description hanging_chain(int n, Space space) {
  return hinged_bars(n, space, [](double s) { return 0.5 * s - 0.5 * std::numbers::pi; });
}

Description taut_chain(int n) {
  Description d = empty("taut chain", Space::spatial, Vector3d::Zero());
  constexpr double length = 0.01;
  constexpr double mass = 0.01;
  constexpr double tension = 30.0;
  constexpr double wave_number = 2.0 * pi / 20.0;
  const double frequency = wave_number * std::sqrt(tension / (mass * length));
  Vector3d left = Vector3d::Zero();
  Vector3d left_velocity = Vector3d::Zero();
  std::string last = "ground";
  for (int i = 0; i < n; ++i) {
    // A wave that runs keeps the chain's ends at their distance; it begins and ends gently.
    const double amplitude = 0.1 * std::min({1.0, i / 20.0, (n - 1 - i) / 20.0});
    const double angle = amplitude * std::sin(wave_number * i);
    const double rate = -amplitude * frequency * std::cos(wave_number * i);
    const Vector3d along = length * Vector3d(std::cos(angle), std::sin(angle), 0);
    const Vector3d turning = length * rate * Vector3d(-std::sin(angle), std::cos(angle), 0);
    Body link = bar("link" + std::to_string(i), length, mass, d.space);
    place(link, left + 0.5 * along, angle);
    link.velocity = left_velocity + 0.5 * turning;
    link.angular_velocity = {0, 0, rate};
    d.add_joint("revolute", "hinge" + std::to_string(i), last, link.name + ".left");
    last = link.name + ".right";
    left += along;
    left_velocity += turning;
    d.add_body(std::move(link));
  }
  d.add_force("force", "pull", {last}, {{"force", Vector3d(tension, 0, 0)}});
  return d;
}

Description heavy_top() {
  Description d = empty("heavy top", Space::spatial, {0, 0, -9.81});
  Body top;
  top.name = "top";
  top.mass.mass = 15.0;
  top.mass.inertia = Vector3d(0.234375, 0.46875, 0.234375).asDiagonal();
  top.mass.center = {0, 1, 0};
  top.angular_velocity = {0, 150, -4.61538};
  d.add_body(top);
  d.add_joint("spherical", "tip", "ground", "top");
  return d;
}

Description asymmetric_top() {
  Description d = empty("asymmetric top", Space::spatial, {0, 0, 0});
  Body top;
  top.name = "top";
  top.mass.mass = 1.0;
  top.mass.inertia = Vector3d(1, 2, 3).asDiagonal();
  top.angular_velocity = {0.1, 5.0, 0.1};
  d.add_body(top);
  return d;
}

Description bricard() {
  // Bars along the edges of the unit cube; consecutive hinge axes are perpendicular to the bar they
  // end and to the next one.
  Description d = empty("Bricard linkage", Space::spatial, {0, -9.81, 0});
  const std::vector<Vector3d> corners{{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                      {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const std::vector<Vector3d> axes{{0, 1, 0}, {0, 0, 1}, {1, 0, 0},
                                   {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  for (int i = 0; i < 5; ++i) {
    const Vector3d& from = corners[static_cast<std::size_t>(i)];
    const Vector3d& to = corners[static_cast<std::size_t>(i) + 1];
    Body link = bar("bar" + std::to_string(i), 1.0, 1.0, d.space);
    link.position = 0.5 * (from + to);
    link.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), to - from);
    d.add_body(link);
  }
  for (int i = 0; i < 6; ++i) {
    const std::string a = i == 0 ? "ground" : "bar" + std::to_string(i - 1);
    const std::string b = i == 5 ? "ground" : "bar" + std::to_string(i);
    const auto index = static_cast<std::size_t>(i);
    d.add_joint("revolute", "hinge" + std::to_string(i), a, b, {{"axis", axes[index]}}).at =
        corners[index];
  }
  return d;
}

Description spatial_slider_crank() {
  // [Haug 1989, sec. 12.2] in proportions: crank of 0.08 m turning about x at (0, 0.1, 0.12), rod
  // of 0.3 m, slider along x.
  Description d = empty("spatial slider-crank", Space::spatial, {0, 0, -9.81});
  const Vector3d pivot(0, 0.1, 0.12);
  const Vector3d pin(0, 0.1, 0.2);
  const double reach = std::sqrt(0.3 * 0.3 - pin.y() * pin.y() - pin.z() * pin.z());
  const Vector3d end(reach, 0, 0);
  Body crank = bar("crank", 0.08, 0.12, d.space);
  crank.mass.inertia = Vector3d(1e-4, 1e-4, 1e-5).asDiagonal();
  crank.position = 0.5 * (pivot + pin);
  crank.angular_velocity = {6, 0, 0};
  crank.fixed_velocity[3] = true;
  Body rod = bar("rod", 0.3, 0.5, d.space);
  rod.mass.inertia = Vector3d(4e-4, 4e-3, 4e-3).asDiagonal();
  rod.position = 0.5 * (pin + end);
  rod.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), end - pin);
  Body slider;
  slider.name = "slider";
  slider.mass.mass = 2.0;
  slider.mass.inertia = Vector3d(1e-4, 1e-4, 1e-4).asDiagonal();
  slider.position = end;
  d.add_body(crank);
  d.add_body(rod);
  d.add_body(slider);
  d.add_joint("revolute", "main", "ground", "crank", {{"axis", Vector3d(1, 0, 0)}}).at = pivot;
  d.add_joint("spherical", "crank_pin", "crank", "rod").at = pin;
  const Vector3d along = (end - pin).normalized();
  const Vector3d first = Vector3d::UnitZ();
  const Vector3d second = first.cross(along).normalized();
  d.add_joint("universal", "wrist", "slider", "rod", {{"axis", first}, {"axis_b", second}}).at =
      end;
  d.add_joint("prismatic", "guide", "ground", "slider", {{"axis", Vector3d(1, 0, 0)}});
  return d;
}

model::Description ancf_pendulum(int n) {
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0.0, -9.81, 0.0};
  model::FlexibleBody body;
  body.name = "beam";
  body.formulation = "ancf";
  body.elements = n;
  body.material = {.density = 5540.0, .youngs_modulus = 0.7e6, .poissons_ratio = 0.3};
  body.section = {.area = 0.0018, .second_moment = 1.215e-8};
  body.tip = {1.2, 0.0, 0.0};
  model::add_flexible_body(body, d);
  d.add_joint("revolute", "hinge", "ground", "beam.start");
  return d;
}

model::Description geared_servo() {
  model::Description d;
  d.space = model::Space::spatial;
  d.gravity = {0, -9.81, 0};
  for (const char* name : {"one", "two"}) {
    model::Body body = bar(name, 0.4, 1.0, d.space);
    body.position.x() = d.bodies.empty() ? 0.0 : 1.0;
    d.bodies.push_back(body);
    d.add_joint("revolute", std::string(name) + "_pin", "ground", name).at = body.position;
  }
  d.add_coupling("gear", "mesh",
                 {{"coordinates", std::vector<std::string>{"one_pin.angle", "two_pin.angle"}},
                  {"ratio", -2.0}});
  d.add_state({.name = "lag", .rate = "3*(one_pin.angle - lag)"});
  d.add_force("actuator", "motor", {},
              {{"coordinate", std::string("one_pin.angle")},
               {"formula", std::string("2*sin(5*time) - 0.1*two_pin.angle_rate + 0.3*lag")}});
  return d;
}

}  // namespace trammel::support
