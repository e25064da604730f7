#include "trammel/model/forces/gravity_field.h"

#include <cmath>
#include <numbers>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model::gravity_field_test {
namespace {

constexpr double pi = std::numbers::pi;

Body satellite(const char* name, const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) {
  Body body;
  body.name = name;
  body.mass = {.mass = 3.0, .center = {0.1, 0, 0}, .inertia = Eigen::Matrix3d::Identity()};
  body.position = position - body.mass.center;
  body.velocity = velocity;
  return body;
}

TEST(CentralGravity, CircularOrbitClosesAfterItsPeriod) {
  // Kepler: T = 2 pi sqrt(r^3 / mu).
  const Eigen::Vector3d center(1, 2, 3);
  const double mu = 8.0;
  const double r = 2.0;
  const double v = std::sqrt(mu / r);
  Description d;
  d.add_body(satellite("moon", center + Eigen::Vector3d(r, 0, 0), {0, v, 0}));
  d.add_force("central_gravity", "earth", {}, {{"strength", mu}, {"center", center}});
  const auto system = compile(d);
  const system::State start = system->described_state();
  const system::Motion end =
      support::reference_motion(*system, start, 2.0 * pi * std::sqrt(r * r * r / mu), 2000);
  // Runge-Kutta with 2000 steps a turn: (2 pi/2000)^4 times 2 pi.
  EXPECT_LE((end.state.q.head<3>() - start.q.head<3>()).norm(), 1e-8);
  EXPECT_NEAR(system->energy(start).potential, -mu * 3.0 / r, 1e-12);
}

TEST(GravityField, HarmonicFieldHasItsPeriodAndKeepsEnergy) {
  Description d;
  d.space = Space::planar;
  d.add_body(satellite("one", {1, 0.5, 0}, {0, 0, 0}));
  d.add_body(satellite("other", {0, 1, 0}, {0, 0, 0}));
  d.add_force("gravity_field", "well", {},
              {{"field_x", std::string("-(4 s^-2)*x")},
               {"field_y", std::string("-(4 s^-2)*y")},
               {"potential", std::string("(2 s^-2)*(x^2 + y^2)")},
               {"bodies", std::vector<std::string>{"one"}}});
  const auto system = compile(d);
  const system::State start = system->described_state();
  // Half a period of 2 rad/s: the mirror image; the other body stays.
  const system::Motion half = support::reference_motion(*system, start, 0.5 * pi, 1000);
  EXPECT_LE((half.state.q.head<2>() + start.q.head<2>()).norm(), 1e-10);
  EXPECT_LE((half.state.q.segment<2>(3) - start.q.segment<2>(3)).norm(), 1e-15);
  const system::Motion quarter = support::reference_motion(*system, start, 0.25 * pi, 1000);
  const system::Energy energy = system->energy(quarter.state);
  EXPECT_NEAR(energy.kinetic, system->energy(start).potential, 1e-9);
  EXPECT_NEAR(energy.potential, 0.0, 1e-9);
  EXPECT_NEAR(system->power(quarter).loads, 0.0, 1e-8);
}

TEST(GravityField, WrongFieldsAreRefused) {
  const auto refused = [](const Values& values, const std::string& part) {
    Description d;
    d.add_body(satellite("moon", {1, 0, 0}, {0, 0, 0}));
    d.add_force("gravity_field", "well", {}, values);
    try {
      compile(d);
      FAIL() << "not refused: " << part;
    } catch (const core::InputError& error) {
      const std::string text = core::to_string(error.diagnostics().front());
      EXPECT_NE(text.find("forces.well"), std::string::npos) << text;
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  };
  refused({}, "no component");
  refused({{"field_x", std::string("(1 m/s)*2")}}, "m");
  refused({{"field_x", std::string("1 m/s^2")}, {"bodies", std::vector<std::string>{"mon"}}},
          "there is no body 'mon'");
}

}  // namespace
}  // namespace trammel::model::gravity_field_test
