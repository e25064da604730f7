// Drives, couplings and controllers in simulations, against closed forms.
#include <cmath>
#include <string>

#include "analysis_models.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::drives_test {
namespace {

using model::Description;
using model::Space;

struct Recorded {
  SimulationReport report;
  results::Table table;

  double last(const std::string& channel) const { return table.column(channel).back(); }
};

Recorded run(const Description& description) {
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  Recorded result;
  result.report = simulate(*system, description.simulation, options);
  EXPECT_EQ(result.report.outcome, results::Outcome::completed) << result.report.message;
  result.table = sink.take();
  return result;
}

model::Body rotor(const std::string& name, double inertia, double x, Space space) {
  model::Body body;
  body.name = name;
  body.mass.mass = 1.0;
  body.mass.inertia = inertia * Eigen::Matrix3d::Identity();
  body.position = {x, 0.0, 0.0};
  if (space == Space::planar) body.orientation.setIdentity();
  return body;
}

Description one_rotor(Space space) {
  Description d;
  d.space = space;
  d.bodies.push_back(rotor("rotor", 0.2, 0.0, space));
  d.add_joint("revolute", "pin", "ground", "rotor");
  d.simulation.until = 1.0;
  d.simulation.step = 1e-3;
  return d;
}

class Levels : public testing::TestWithParam<Space> {};

// theta = 3 t^2, so that the load is 6 J = 1.2 N m, whichever derivative is prescribed. Angles pass
// half a turn.
TEST_P(Levels, GiveTheSameMotionAndLoad) {
  const std::pair<const char*, const char*> levels[] = {
      {"position", "3 * time^2"}, {"velocity", "6 * time"}, {"acceleration", "6 * 1"}};
  for (const auto& [type, motion] : levels) {
    SCOPED_TRACE(type);
    Description d = one_rotor(GetParam());
    d.simulation.until = 1.5;
    d.add_drive(type, "motor",
                {{"coordinate", std::string("pin.angle")}, {"motion", std::string(motion)}});
    const Recorded result = run(d);
    // Second order in h on a motion whose third derivative is zero: the error starts with the
    // consistent start, at round-off of 1500 steps.
    EXPECT_NEAR(result.last("pin.angle"), 6.75, 1e-9);
    EXPECT_NEAR(result.last("pin.angle_rate"), 9.0, 1e-7);
    EXPECT_NEAR(result.last("motor.load"), 1.2, 1e-5);
    EXPECT_NEAR(result.last("motor.power"), 1.2 * 9.0, 1e-4);
    EXPECT_NEAR(result.report.energy.drives, 0.5 * 0.2 * 81.0, 1e-4);
    EXPECT_NEAR(result.report.energy.numerical_loss, 0.0, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         Levels,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

// A gear train is one rotor with the inertia J1 + r^2 J2.
TEST(Gears, ActAsOneRotor) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Description d = one_rotor(space);
    d.bodies.push_back(rotor("wheel", 0.05, 0.4, space));
    d.add_joint("revolute", "shaft", "ground", "wheel").at = Eigen::Vector3d(0.4, 0.0, 0.0);
    d.add_coupling(
        "gear", "mesh",
        {{"coordinates", std::vector<std::string>{"pin.angle", "shaft.angle"}}, {"ratio", -3.0}});
    d.add_force("actuator", "motor", {},
                {{"coordinate", std::string("pin.angle")}, {"formula", std::string("2 N m")}});
    const Recorded result = run(d);
    const double acceleration = 2.0 / (0.2 + 9.0 * 0.05);
    // The scheme is exact for constant accelerations; Newton's tolerance is left.
    EXPECT_NEAR(result.last("pin.angle"), 0.5 * acceleration, 1e-8);
    EXPECT_NEAR(result.last("shaft.angle"), -1.5 * acceleration, 1e-8);
    // The load along the wheel's angle drives the wheel alone.
    EXPECT_NEAR(result.last("mesh.load"), -3.0 * acceleration * 0.05, 1e-6);
    EXPECT_NEAR(result.report.energy.loads, 2.0 * 0.5 * acceleration, 1e-6);
  }
}

// A differential: twice the angle of the cage is the sum of the angles of both shafts. With
// constant torque on the cage, J a + c mu = tau and c^T a = 0.
TEST(Differentials, ShareTheTorque) {
  Description d;
  d.space = Space::planar;
  const Eigen::Vector3d inertia(0.2, 0.05, 0.1);
  const Eigen::Vector3d factors(1.0, 1.0, -2.0);
  const char* names[] = {"left", "right", "cage"};
  for (int i = 0; i < 3; ++i) {
    d.bodies.push_back(rotor(names[i], inertia[i], 0.1 * i, Space::planar));
    d.add_joint("revolute", std::string(names[i]) + "_shaft", "ground", names[i]).at =
        Eigen::Vector3d(0.1 * i, 0.0, 0.0);
  }
  d.add_coupling("linear", "differential",
                 {{"coordinates", std::vector<std::string>{"left_shaft.angle", "right_shaft.angle",
                                                           "cage_shaft.angle"}},
                  {"factors", std::vector<double>{1.0, 1.0, -2.0}}});
  d.add_force("actuator", "engine", {},
              {{"coordinate", std::string("cage_shaft.angle")}, {"formula", std::string("3 N m")}});
  d.simulation.until = 0.5;
  const Eigen::Vector3d free = Eigen::Vector3d(0.0, 0.0, 3.0).cwiseQuotient(inertia);
  const Eigen::Vector3d along = factors.cwiseQuotient(inertia);
  const Eigen::Vector3d acceleration = free - along * (factors.dot(free) / factors.dot(along));
  const Recorded result = run(d);
  // Constant accelerations: exact but for Newton's tolerance.
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(result.last(std::string(names[i]) + "_shaft.angle"), 0.125 * acceleration[i], 1e-8);
  }
}

// x'' = -k x - c x' + u, u' = -u / T: a mass behind a first-order lag, against the exact solution
// of the linear system by its series.
TEST(States, FollowTheExactSolutionWithOrderTwo) {
  Eigen::Matrix3d A;
  A << 0.0, 1.0, 0.0, -40.0, -0.8, 1.0, 0.0, 0.0, -5.0;
  Eigen::Vector3d exact(0.1, 0.0, 3.0);
  constexpr int parts = 1000;
  for (int i = 0; i < parts; ++i) {
    Eigen::Vector3d term = exact;
    for (int k = 1; k < 12; ++k) {
      term = A * term / (parts * static_cast<double>(k));
      exact += term;
    }
  }
  std::vector<double> errors;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    Description d;
    d.space = Space::planar;
    d.bodies.push_back(rotor("block", 1.0, 0.1, Space::planar));
    d.add_joint("prismatic", "rail", "ground", "block");
    d.add_state({.name = "lag", .rate = "-5*lag", .initial = 3.0});
    d.add_force(
        "actuator", "law", {},
        {{"coordinate", std::string("rail.displacement")},
         {"formula", std::string("lag - 40*rail.displacement - 0.8*rail.displacement_rate")}});
    d.simulation.until = 1.0;
    d.simulation.step = h;
    const Recorded result = run(d);
    errors.push_back(std::abs(result.last("rail.displacement") - exact[0]) +
                     std::abs(result.last("lag") - exact[2]));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
}

// An upside-down pendulum stays up when its pivot shakes fast enough, and falls when it does not
// [Kapitza 1951]: a^2 w^2 > 2 g l.
TEST(Kapitza, PendulumStandsOnAShakingPivot) {
  const double length = 0.2;
  const double amplitude = 0.02;
  const double limit = std::sqrt(2.0 * 9.81 * length) / amplitude;
  for (const double factor : {0.7, 1.5}) {
    Description d;
    d.space = Space::planar;
    d.gravity = {0.0, -9.81, 0.0};
    model::Body pivot;
    pivot.name = "pivot";
    pivot.kind = model::BodyKind::point;
    pivot.mass.mass = 0.1;
    model::Body bob = pivot;
    bob.name = "bob";
    bob.position = {length * std::sin(0.1), length * std::cos(0.1), 0.0};
    d.bodies = {pivot, bob};
    d.add_joint("distance", "rod", "pivot", "bob");
    d.parameters["w"] = {.value = factor * limit, .dimension = core::dimension::angular_velocity};
    d.add_drive("position", "guide",
                {{"coordinate", std::string("pivot.position.x")}, {"motion", std::string("0")}});
    d.add_drive("position", "shaker",
                {{"coordinate", std::string("pivot.position.y")},
                 {"motion", std::string("0.02 m * sin(w*time)")}});
    d.simulation.until = 2.0;
    d.simulation.step = 2e-4;
    const Recorded result = run(d);
    double lowest = length;
    const auto bob_y = result.table.column("bob.position.y");
    for (const double y : bob_y) lowest = std::min(lowest, y);
    if (factor > 1.0) {
      EXPECT_GT(lowest, 0.15) << "fell although it should stand";
    } else {
      EXPECT_LT(lowest, 0.0) << "stands although it should fall";
    }
  }
}

Description driven_block(const std::string& motion, double until) {
  Description d = described(R"(
trammel: 1
space: planar
bodies:
  block: {mass: 1 kg, inertia: 1}
joints:
  rail: {type: prismatic, between: [ground, block], axis: x}
)");
  d.add_drive("acceleration", "motor",
              {{"coordinate", std::string("rail.displacement")}, {"motion", motion}});
  d.simulation.until = until;
  d.simulation.output_step = until;
  d.simulation.integrator = "generalized-alpha";
  d.simulation.integrator_values = {};
  return d;
}

// x'' = cos t for a thousand periods: x = 1 - cos t and x' = sin t, as well as the method has it.
TEST(AccelerationDrives, HoldOverLongTimes) {
  const double until = 2.0 * M_PI * 1000.25;
  Description d = driven_block("1 m/s^2*cos(1 rad/s*time)", until);
  d.simulation.integrator = "dormand-prince";
  d.simulation.integrator_values = {{"relative_tolerance", 1e-9}, {"absolute_tolerance", 1e-9}};
  const Recorded result = run(d);
  EXPECT_NEAR(result.last("rail.displacement_rate"), 1.0, 1e-9);
  EXPECT_NEAR(result.last("rail.displacement"), 1.0, 1e-4);
}

// 400 jumps, +-1 m/s^2 for 50 ms each: 0.025 m/s on the average, and triangles of the rate.
TEST(AccelerationDrives, JumpAsOftenAsTheyAreTold) {
  for (const char* method : {"generalized-alpha", "dormand-prince", "bdf"}) {
    Description d = driven_block("if(mod(time, 0.1 s) < 0.05 s, 1 m/s^2, -1 m/s^2)", 20.0);
    d.simulation.integrator = method;
    d.simulation.step = 7e-3;
    const Recorded result = run(d);
    EXPECT_NEAR(result.last("rail.displacement"), 0.5, 1e-6) << method;
    EXPECT_NEAR(result.last("rail.displacement_rate"), 0.0, 1e-9) << method;
  }
}

// Rates are integrals to round-off, whatever the formula does between the ends.
TEST(AccelerationDrives, HaveTheIntegralOfTheirMotion) {
  struct Case {
    const char* motion;
    double until;
    double rate;
  };
  const Case cases[] = {
      {"1000 m/s^2*sin(1e5 rad/s*time)", 1.5, 0.01 * (1.0 - std::cos(1.5e5))},
      {"1 m/s^2*exp(-((time - 1 s)/0.01 s)^2)", 3.0, 0.01 * std::sqrt(M_PI)},
      {"2 m/s^2*max(0, sin(10 rad/s*time))", 10.0 * M_PI, 20.0},
      {"1 m/s^3*time", 1e6, 5e11},
  };
  for (const Case& each : cases) {
    const auto system = model::compile(driven_block(each.motion, each.until));
    system::State state = system->described_state();
    state.v.setZero();
    system::Vector rate;
    for (const double share : {1.0, 0.0}) {
      state.t = share * each.until;
      system->velocity_constraint(state, rate);
      // Gauss' rule to round-off; sin(1e5 t) is known to 1e5 t times that.
      EXPECT_NEAR(-rate[rate.size() - 1], share * each.rate, 2e-10 * std::abs(each.rate))
          << each.motion;
    }
  }
}

TEST(AccelerationDrives, ThatCannotBeIntegratedAreRefused) {
  EXPECT_THROW(model::compile(driven_block("1 m/s^2/(time - 0.7 s)^2*1 s^2", 1.0)),
               core::InputError);
}

}  // namespace
}  // namespace trammel::analysis::drives_test
