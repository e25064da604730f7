// registry: integrators
// Laws of jumps in time that are known beforehand, for every integrator of the registry, on systems
// written by hand: no step goes over one, none sees the other side, and the motion goes on from a
// consistent state.
#include <cmath>

#include "registered.h"
#include "runge_kutta.h"
#include "switched_system.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/integrators/march.h"

namespace trammel::integrators::testing::switch_laws_test {
namespace {

class SwitchLaws : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Integrator> start(system::MechanicalSystem& system, const State& state) const {
    auto integrator = find_integrator_kind(GetParam())->make(system, {}, "auto");
    integrator->start(consistent_motion(system, state));
    return integrator;
  }
};

std::vector<std::string> all_kinds() {
  std::vector<std::string> names;
  for (const IntegratorKind& kind : integrator_kinds()) names.push_back(kind.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Integrators, SwitchLaws, ::testing::ValuesIn(all_kinds()), test_name);

MarchReport march_over(March& march, double until, double h) {
  const long steps = std::lround(until / h);
  return march.advance(until / static_cast<double>(steps), steps);
}

// At grid points, beside them by round-off, and anywhere.
TEST_P(SwitchLaws, ImpulsesComeOutWhole) {
  for (const double begin : {0.5, 0.5 + 1e-15, 0.5 - 1e-12, 0.5 + 1e-7, 0.503, 0.51}) {
    for (const double width : {1e-2, 1e-4, 1e-9}) {
      SCOPED_TRACE(fmt::format("from {:.17g} s for {} s", begin, width));
      SwitchedSystem system = struck_mass(begin, width, 1.0);
      const auto integrator = start(system, {0.0, vector({0.0}), vector({0.0}), {}});
      March march(*integrator);
      const MarchReport report = march_over(march, 1.0, 0.02);
      ASSERT_TRUE(report.ok) << to_string(report.failure) << " at " << report.time;
      const State& end = integrator->motion().state;
      // The width itself is known to the round-off of the times: 1e-16 of 1e-9 s.
      EXPECT_NEAR(end.v[0], 1.0, 1e-9 + 2e-16 / width);
      // Newton's tolerance, or that of the error.
      EXPECT_NEAR(end.q[0], 1.0 - begin - 0.5 * width, integrator->adaptive() ? 1e-5 : 1e-7);
      EXPECT_NEAR(end.t, 1.0, 1e-14);
    }
  }
}

TEST_P(SwitchLaws, StepsEndAtSwitchesAndResultsAreThoseBehind) {
  SwitchedSystem system = struck_mass(0.5, 0.01, 1.0);
  const auto integrator = start(system, {0.0, vector({0.0}), vector({0.0}), {}});
  March march(*integrator);
  std::vector<double> times;
  const auto note = [&] {
    times.push_back(integrator->motion().state.t);
    return true;
  };
  ASSERT_TRUE(march.advance(0.02, 25, note).ok);
  EXPECT_DOUBLE_EQ(integrator->motion().state.t, 0.5);
  EXPECT_NEAR(integrator->motion().a[0], 100.0, 1e-9);
  EXPECT_NEAR(integrator->motion().state.v[0], 0.0, 1e-12);
  ASSERT_TRUE(march.advance(0.02, 25, note).ok);
  // Once with what was before, and once with what follows.
  EXPECT_EQ(std::count(times.begin(), times.end(), 0.5), 2);
  EXPECT_EQ(std::count(times.begin(), times.end(), 0.51), 2);
}

TEST_P(SwitchLaws, VelocitiesThatArePrescribedToJumpDo) {
  SwitchedSystem system = ramp_driven_pair();
  const auto integrator = start(system, {0.0, vector({0, 0}), vector({0, 0}), {}});
  March march(*integrator);
  for (int i = 1; i <= 10; ++i) {
    const MarchReport report = march_over(march, 0.1, 1e-3);
    ASSERT_TRUE(report.ok) << to_string(report.failure) << " at " << report.time;
    const double s = std::max(0.0, 0.1 * i - 0.3);
    const Motion& m = integrator->motion();
    EXPECT_NEAR(m.state.q[0], 2.0 * s, 1e-9) << i;
    EXPECT_NEAR(m.state.v[0], i < 3 ? 0.0 : 2.0, 1e-9) << i;
    // y = 2 s - 2/3 sin(3 s), and the drive pulls the spring: lambda = -9 (x - y).
    EXPECT_NEAR(m.state.q[1], 2.0 * s - 2.0 / 3.0 * std::sin(3.0 * s), 1e-5) << i;
    EXPECT_NEAR(m.lambda[0], -6.0 * std::sin(3.0 * s), 2e-3) << i;
  }
}

TEST_P(SwitchLaws, PositionsThatArePrescribedToJumpEndTheRun) {
  SwitchedSystem system = jumping_mass();
  const auto integrator = start(system, {0.0, vector({0.0}), vector({0.0}), {}});
  March march(*integrator);
  const MarchReport report = march_over(march, 1.0, 7e-3);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.failure, Failure::jump);
  EXPECT_NEAR(report.time, 0.3, 1e-9);
}

}  // namespace
}  // namespace trammel::integrators::testing::switch_laws_test
