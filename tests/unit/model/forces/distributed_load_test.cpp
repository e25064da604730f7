// Loads over surfaces and volumes against closed forms.
#include "trammel/model/forces/distributed_load.h"

#include <cmath>
#include <numbers>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/forces/quadrature.h"

namespace trammel::model::distributed_load_test {
namespace {

using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;

Description one_body(Space space) {
  Description d;
  d.space = space;
  Body body;
  body.name = "plate";
  body.mass = {.mass = 2.0, .inertia = Vector3d(0.3, 0.4, 0.5).asDiagonal()};
  d.add_body(body);
  return d;
}

support::Observation at_start(Description d) {
  const auto system = compile(std::move(d));
  return support::observe(*system, support::at_rest(*system, system->described_state()));
}

Vector3d resultant(const support::Observation& seen, const char* what) {
  return support::observed_vector(seen, std::string("load.") + what);
}

std::string formula(const char* text) {
  return text;
}

TEST(GaussPoints, IntegratePolynomialsOfTwiceTheirNumber) {
  for (int n = 1; n <= 16; ++n) {
    for (int degree = 0; degree < 2 * n; ++degree) {
      double sum = 0.0;
      for (const Abscissa& point : gauss_points(n, -0.5, 1.5)) {
        sum += point.weight * std::pow(point.x, degree);
      }
      const double exact = (std::pow(1.5, degree + 1) - std::pow(-0.5, degree + 1)) / (degree + 1);
      EXPECT_NEAR(sum, exact, 1e-13 * std::max(1.0, exact)) << n << " " << degree;
    }
  }
}

// A gate under water: F = rho g h_c A acts h^2/(12 h_c) below the middle.
TEST(SurfaceLoad, WaterOnAGate) {
  Description d = one_body(Space::spatial);
  const double depth = 4.0;
  const double width = 2.0;
  const double height = 3.0;
  // x across, y up, so that the normal looks along -y of the world, into the water.
  d.bodies[0].frames.push_back({"face", Vector3d(0.1, 0.0, 0.2),
                                Eigen::Quaterniond(Eigen::AngleAxisd(pi / 2, Vector3d::UnitX()))});
  d.bodies[0].position = Vector3d(-0.1, 7.0, -depth - 0.2);
  d.add_force("surface_load", "load", {"plate.face"},
              {{"shape", formula("rectangle")},
               {"size", std::vector<double>{width, height}},
               {"order", 2.0},
               {"pressure", formula("(9810 N/m^3)*(-z)")}});
  const support::Observation seen = at_start(d);
  const double force = 9810.0 * depth * width * height;
  // Along y of the world, and lower than the middle of the face.
  const Vector3d expected(0, force, 0);
  EXPECT_LE((resultant(seen, "force") - expected).norm(), 1e-11 * force);
  const Vector3d center(0.1, 0.0, 0.2 - height * height / (12.0 * depth));
  EXPECT_LE((resultant(seen, "torque") - center.cross(expected)).norm(), 1e-11 * force);
}

TEST(SurfaceLoad, AtAPointOfTheWorldIsTheSame) {
  Description d = one_body(Space::spatial);
  d.bodies[0].orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
  d.bodies[0].position = Vector3d(0.3, -0.2, 0.5);
  Item& load = d.add_force("surface_load", "load", {"plate"},
                           {{"shape", formula("rectangle")},
                            {"size", std::vector<double>{1.0, 2.0}},
                            {"axes", formula("world")},
                            {"traction_x", formula("(3 Pa/m)*y")}});
  load.at = Vector3d(1.0, 2.0, 3.0);
  const support::Observation seen = at_start(d);
  // Integral of 3 y over y from 1 to 3, x from 0.5 to 1.5; its torque about the middle is
  // -integral of 3 y (y - 2) = -3 * 2^3/12 about z.
  EXPECT_LE((resultant(seen, "force") - Vector3d(12, 0, 0)).norm(), 1e-12);
  const Vector3d arm = *load.at - d.bodies[0].position;
  const Vector3d torque = Vector3d(0, 0, -2.0) + arm.cross(Vector3d(12, 0, 0));
  EXPECT_LE((resultant(seen, "torque") - torque).norm(), 1e-12);
}

// Uniform pressure on a closed surface is no load; a linear one is the buoyancy of its volume.
TEST(SurfaceLoad, ClosedSurfaces) {
  const Vector3d slope(0.3, -0.5, -2.0);
  const double radius = 0.7;
  const Vector3d size(0.4, 0.9, 1.3);
  for (const std::string shape : {"sphere", "box"}) {
    for (const bool linear : {false, true}) {
      Description d = one_body(Space::spatial);
      d.bodies[0].orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
      d.bodies[0].position = Vector3d(0.3, -0.2, 0.5);
      Values values{{"shape", shape}, {"order", 2.0}, {"pressure", formula("5 Pa")}};
      if (linear) {
        values["pressure"] = formula("5 Pa + (0.3 Pa/m)*x - (0.5 Pa/m)*y - (2 Pa/m)*z");
      }
      if (shape == "box") {
        values["size"] = std::vector<double>{size.x(), size.y(), size.z()};
      } else {
        values["radius"] = radius;
      }
      d.add_force("surface_load", "load", {"plate"}, values);
      const support::Observation seen = at_start(d);
      const double volume = shape == "box" ? size.prod() : 4.0 / 3.0 * pi * std::pow(radius, 3);
      const Vector3d expected = linear ? Vector3d(-volume * slope) : Vector3d::Zero();
      EXPECT_LE((resultant(seen, "force") - expected).norm(), 1e-13) << shape;
      EXPECT_LE(resultant(seen, "torque").norm(), 1e-13) << shape;
    }
  }
}

TEST(SurfaceLoad, DiscAndCylinder) {
  Description d = one_body(Space::spatial);
  d.add_force("surface_load", "load", {"plate"},
              {{"shape", formula("disc")},
               {"radius", 0.5},
               {"inner_radius", 0.2},
               {"pressure", formula("(8 Pa) + (3 Pa/m^2)*(u^2 + v^2)")}});
  // Integral of p over the ring; no torque for a load that is round.
  const double ring = 8.0 * pi * (0.25 - 0.04) + 3.0 * pi / 2.0 * (0.0625 - 0.0016);
  support::Observation seen = at_start(d);
  EXPECT_LE((resultant(seen, "force") - Vector3d(0, 0, -ring)).norm(), 1e-13);
  EXPECT_LE(resultant(seen, "torque").norm(), 1e-13);

  d.forces[0].values = {{"shape", formula("cylinder")},
                        {"radius", 0.5},
                        {"length", 1.2},
                        {"pressure", formula("(3 Pa/m^2)*u*w")}};
  // F = -grad: none; the torque about y of -p n: integral of 3 z x (-x/r) z over the side.
  const double torque = -3.0 * (pi * 0.25) * (std::pow(1.2, 3) / 12.0);
  seen = at_start(d);
  EXPECT_LE(resultant(seen, "force").norm(), 1e-13);
  EXPECT_LE((resultant(seen, "torque") - Vector3d(0, torque, 0)).norm(), 1e-13);
}

// A plate that spins about an axis in its plane with a pressure that follows it: m v' = F n(t).
TEST(SurfaceLoad, PressureFollowsARotatingPlate) {
  Description d = one_body(Space::spatial);
  const double w = 3.0;
  d.bodies[0].angular_velocity = Vector3d(w, 0, 0);
  d.add_force("surface_load", "load", {"plate"},
              {{"shape", formula("rectangle")},
               {"size", std::vector<double>{0.5, 0.4}},
               {"pressure", formula("20 Pa")}});
  const auto system = compile(d);
  const double t = 1.1;
  const system::Motion end = support::reference_motion(*system, system->described_state(), t, 2000);
  const double a = -20.0 * 0.2 / 2.0;
  // n = (0, -sin w t, cos w t), integrated once. Runge-Kutta of fourth order: (w h)^4.
  EXPECT_NEAR(end.state.v[1], a * (std::cos(w * t) - 1.0) / w, 1e-10);
  EXPECT_NEAR(end.state.v[2], a * std::sin(w * t) / w, 1e-10);
  // The energy balance: power = F . v.
  const Vector3d n(0, -std::sin(w * t), std::cos(w * t));
  EXPECT_NEAR(system->power(end).loads, 2.0 * a * n.dot(end.state.v.head<3>()), 1e-9);
}

// Wind on a sign that turns about its edge: p = c (U.n - v.n) grows with the distance.
TEST(SurfaceLoad, WindFeelsTheMotionOfEveryPoint) {
  Description d = one_body(Space::planar);
  d.bodies[0].angular_velocity = Vector3d(0, 0, 2.0);
  d.bodies[0].frames.push_back({"middle", Vector3d(1.0, 0.0, 0.0)});
  d.add_force("surface_load", "load", {"plate.middle"},
              {{"shape", formula("segment")},
               {"length", 2.0},
               {"pressure", formula("(5 N s/m^2)*(vn - (3 m/s)*ny)")}});
  const support::Observation seen = at_start(d);
  // v.n = 2 (u + 1), along from -1 to 1; the force against the normal +y.
  EXPECT_NEAR(seen.at("load.force.y"), -5.0 * (2.0 * 2.0 - 3.0 * 2.0), 1e-12);
  EXPECT_NEAR(seen.at("load.force.x"), 0.0, 1e-12);
  // About the edge: integral of -p (u + 1).
  EXPECT_NEAR(seen.at("load.torque"), -5.0 * (2.0 * 8.0 / 3.0 - 3.0 * 2.0), 1e-12);
}

TEST(SurfaceLoad, ArcsInThePlane) {
  Description d = one_body(Space::planar);
  d.add_force("surface_load", "load", {"plate"},
              {{"shape", formula("arc")},
               {"radius", 0.5},
               {"from", 0.0},
               {"to", pi},
               {"order", 12.0},
               {"pressure", formula("4")}});
  // Projected length 2 r, pushed down.
  EXPECT_NEAR(at_start(d).at("load.force.y"), -4.0, 1e-13);
  d.forces[0].values["to"] = 2.0 * pi;
  EXPECT_NEAR(at_start(d).at("load.force.y"), 0.0, 1e-13);
}

TEST(VolumeLoad, UniformOneIsWeight) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Description d = one_body(space);
    const bool planar = space == Space::planar;
    Values values{{"shape", formula(planar ? "rectangle" : "box")},
                  {"force_y", formula(planar ? "-30 N/m^2" : "-30 N/m^3")}};
    values["size"] = planar ? std::vector<double>{0.5, 0.4} : std::vector<double>{0.5, 0.4, 2.0};
    d.add_force("volume_load", "load", {"plate"}, values);
    const support::Observation seen = at_start(d);
    EXPECT_NEAR(seen.at("load.force.y"), -30.0 * 0.2 * (planar ? 1.0 : 2.0), 1e-13);
    EXPECT_NEAR(seen.at("load.force.x"), 0.0, 1e-13);
  }
}

// A field that grows with the place turns an extended body: what gravity_field leaves out.
TEST(VolumeLoad, GradientTurnsTheBody) {
  Description d = one_body(Space::spatial);
  d.bodies[0].orientation = Eigen::AngleAxisd(0.6, Vector3d::UnitZ());
  d.add_force("volume_load", "load", {"plate"},
              {{"shape", formula("box")},
               {"size", std::vector<double>{1.0, 0.2, 0.3}},
               {"order", 2.0},
               {"force_y", formula("(7 N/m^4)*x")}});
  // Torque z = 7 integral of x^2 with x = c u - s v: V/12 (c^2 a^2 + s^2 b^2).
  const double c = std::cos(0.6);
  const double s = std::sin(0.6);
  const double volume = 0.06;
  const support::Observation seen = at_start(d);
  EXPECT_NEAR(seen.at("load.torque.z"), 7.0 * volume / 12.0 * (c * c + s * s * 0.04), 1e-14);

  // A ball and a tube: integrals of w^2, with the body's own axes.
  d.forces[0].values = {{"shape", formula("ball")},
                        {"radius", 0.6},
                        {"order", 2.0},
                        {"axes", formula("body")},
                        {"force_x", formula("(1 N/m^5)*w^2")}};
  EXPECT_LE(
      (resultant(at_start(d), "force") - 4.0 * pi / 15.0 * std::pow(0.6, 5) * Vector3d(c, s, 0))
          .norm(),
      1e-14);
  d.forces[0].values = {{"shape", formula("cylinder")}, {"radius", 0.6},
                        {"inner_radius", 0.5},          {"length", 2.0},
                        {"axes", formula("body")},      {"force_x", formula("(1 N/m^5)*w^2")}};
  EXPECT_LE((resultant(at_start(d), "force") - pi * 0.11 * 8.0 / 12.0 * Vector3d(c, s, 0)).norm(),
            1e-14);
}

TEST(SurfaceLoad, MistakesAreRefused) {
  const auto refused = [](const char* kind, const Values& values, const std::string& part,
                          const char* on = "plate") {
    Description d = one_body(Space::spatial);
    d.add_force(kind, "load", {on}, values);
    try {
      compile(d);
      FAIL() << "not refused: " << part;
    } catch (const core::InputError& error) {
      std::string text;
      for (const auto& each : error.diagnostics()) text += core::to_string(each) + "\n";
      EXPECT_NE(text.find("forces.load"), std::string::npos) << text;
      EXPECT_NE(text.find(part), std::string::npos) << text;
      EXPECT_LE(error.diagnostics().size(), 2U) << text;
    }
  };
  const Values disc{{"shape", formula("disc")}, {"radius", 1.0}, {"pressure", formula("1 Pa")}};
  const auto with = [&](const char* name, const Value& value) {
    Values values = disc;
    values[name] = value;
    return values;
  };
  refused("surface_load", with("shape", formula("disk")), "did you mean");
  refused("surface_load", with("radius", -1.0), "radius");
  refused("surface_load", with("inner_radius", 1.5), "not below the radius");
  refused("surface_load", with("order", 17.0), "1 to 16");
  refused("surface_load", with("order", 2.5), "whole number");
  refused("surface_load", with("shape", formula("rectangle")), "needs 'size'");
  refused("surface_load", with("shape", formula("cylinder")), "needs 'length'");
  refused("surface_load", with("pressure", formula("3 N")), "m");
  refused("surface_load", with("pressure", formula("depth*(1 Pa/m)")), "depth");
  refused("surface_load", with("traction_x", formula("1 Pa")), "both");
  refused("surface_load", {{"shape", formula("disc")}, {"radius", 1.0}}, "no load");
  refused("volume_load", {{"shape", formula("ball")}, {"radius", 1.0}}, "no load");
  refused("surface_load", disc, "ground", "ground");
}

}  // namespace
}  // namespace trammel::model::distributed_load_test
