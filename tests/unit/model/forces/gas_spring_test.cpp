#include "trammel/model/forces/gas_spring.h"

#include <cmath>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model {
namespace {

Description piston(double exponent) {
  Description d;
  Body body;
  body.name = "piston";
  body.kind = BodyKind::point;
  body.mass.mass = 2.0;
  body.position = {0, 0.3, 0};
  d.add_body(body);
  d.gravity = {0, -9.81, 0};
  d.add_force("gas_spring", "gas", {"ground", "piston"},
              {{"length", 0.3},
               {"area", 1e-3},
               {"volume", 3e-4},
               {"pressure", 2e5},
               {"exponent", exponent}});
  return d;
}

TEST(GasSpring, PushesByThePressureDifference) {
  // Half the volume at half the length.
  Description d = piston(1.4);
  d.bodies[0].position = {0, 0.15, 0};
  const auto system = compile(d);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  EXPECT_NEAR(seen.at("gas.tension"), -1e-3 * (2e5 * std::pow(2.0, 1.4) - 101325.0), 1e-9);
}

TEST(GasSpring, EnergyIsKeptThroughABounce) {
  for (const double exponent : {1.0, 1.4}) {
    const auto system = compile(piston(exponent));
    const system::State start = system->described_state();
    const auto total = [&](const system::State& state) {
      const system::Energy energy = system->energy(state);
      return energy.kinetic + energy.potential;
    };
    // Squeezes the gas to less than two thirds and comes back: gravity beats 98.7 N by nothing, so
    // a push starts it.
    system::State pushed = start;
    pushed.v[1] = -4.0;
    const system::Motion end = support::reference_motion(*system, pushed, 0.2, 2000);
    // Order four with h = 1e-4 and a frequency of some 20/s.
    EXPECT_NEAR(total(end.state), total(pushed), 1e-9 * std::abs(total(pushed)) + 1e-9);
  }
}

TEST(GasSpring, EmptyVolumeIsNotANumber) {
  Description d = piston(1.4);
  d.bodies[0].position = {0, -0.0001, 0};
  d.forces[0].values["volume"] = 1e-4;
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  EXPECT_FALSE(f.allFinite());
}

TEST(GasSpring, ExponentBelowOneIsRefused) {
  EXPECT_THROW(compile(piston(0.5)), core::InputError);
}

}  // namespace
}  // namespace trammel::model
