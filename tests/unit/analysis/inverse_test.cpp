// Inverse dynamics: against closed forms, and fed back into forward dynamics on ten mechanisms.
#include "trammel/analysis/inverse.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "analysis_models.h"
#include <gtest/gtest.h>

#include "trammel/analysis/recorded_motion.h"
#include "trammel/core/diagnostic.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::inverse_test {
namespace {

struct Solved {
  InverseReport report;
  results::Table table;
};

Solved by_drives(const model::Description& description) {
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions recording;
  recording.sink = &sink;
  Solved result;
  result.report = inverse_of_drives(*system, description.simulation,
                                    {.drives = drive_names(description)}, recording);
  result.table = sink.take();
  return result;
}

results::Table simulated(const model::Description& description) {
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const SimulationReport report = simulate(*system, description.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
  return sink.take();
}

// A driven pendulum theta = 0.5 sin(3 t): torque J theta'' + m g l sin(theta).
TEST(Inverse, TorqueOfAPendulumIsThatOnPaper) {
  const model::Description d = described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  rod: {mass: 2 kg, inertia: 0.1, position: [0, -0.5]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
drives:
  motor: {type: position, coordinate: pin.angle, motion: 0.5 rad * sin(3 rad/s * time)}
simulation: {until: 1 s, step: 10 ms}
)");
  const Solved solved = by_drives(d);
  EXPECT_EQ(solved.report.outcome, results::Outcome::completed) << solved.report.message;
  const auto load = solved.table.column("motor.load");
  for (std::size_t i = 0; i < solved.table.rows(); ++i) {
    const double theta = 0.5 * std::sin(3.0 * solved.table.time[i]);
    const double expected = -9.0 * theta * (0.1 + 2.0 * 0.25) + 2.0 * 9.81 * 0.5 * std::sin(theta);
    ASSERT_NEAR(load[i], expected, 1e-9) << solved.table.time[i];
  }
  ASSERT_EQ(solved.report.loads.size(), 1u);
  EXPECT_EQ(solved.report.loads[0].unit, "N m");
  EXPECT_TRUE(solved.report.not_unique.empty());
  EXPECT_FALSE(solved.report.over_actuated());
}

// Two motors on one shaft share the load; which way is not determined, and said.
TEST(Inverse, OverActuationIsSaid) {
  const model::Description d = described(R"(
trammel: 1
space: planar
bodies:
  rod: {mass: 2 kg, inertia: 0.5}
joints:
  pin: {type: revolute, between: [ground, rod]}
drives:
  first: {type: position, coordinate: pin.angle, motion: 3 * time^2}
  second: {type: position, coordinate: rod.angle, motion: 3 * time^2}
simulation: {until: 0.5 s, step: 10 ms}
)");
  const Solved solved = by_drives(d);
  EXPECT_TRUE(solved.report.over_actuated());
  EXPECT_EQ(solved.report.not_unique, (std::vector<std::string>{"first", "second"}));
  // The smallest solution shares evenly; the sum J theta'' is certain.
  EXPECT_NEAR(solved.table.column("first.load").back(), 1.5, 1e-6);
  EXPECT_NEAR(solved.table.column("second.load").back(), 1.5, 1e-6);
}

TEST(Inverse, TooFewDrivesAreNamed) {
  const model::Description d = described(R"(
trammel: 1
space: planar
bodies:
  upper: {mass: 2 kg, inertia: 0.5}
  lower: {mass: 2 kg, inertia: 0.5, position: [1, 0]}
joints:
  shoulder: {type: revolute, between: [ground, upper]}
  elbow: {type: revolute, between: [upper, lower], at: [0.5, 0]}
drives:
  motor: {type: position, coordinate: shoulder.angle, motion: 3 * time^2}
)");
  try {
    by_drives(d);
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(error.diagnostics().front().remedy.find("elbow.angle"), std::string::npos)
        << error.what();
  }
}

// A double pendulum swings under a known shoulder torque; the record gives the torque back. Along
// the elbow nothing acts, so that one actuator is enough for this motion.
const char* double_pendulum = R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  upper: {mass: 2 kg, inertia: 0.1, position: [0, -0.25]}
  lower: {mass: 1 kg, inertia: 0.05, position: [0, -0.75]}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0]}
  elbow: {type: revolute, between: [upper, lower], at: [0, -0.5]}
forces:
  motor: {type: actuator, coordinate: shoulder.angle, formula: 4 * sin(5 * time)}
simulation: {until: 0.5 s, step: 0.5 ms, output_step: 10 ms}
)";

TEST(Inverse, RecordedMotionGivesItsTorqueBack) {
  const model::Description d = described(double_pendulum);
  const results::Table record = simulated(d);
  model::Description without = d;
  without.forces.clear();
  const auto system = model::compile(without);
  const std::vector<system::Motion> motions = recorded_motion(without, *system, record);
  results::MemorySink sink;
  SimulationOptions recording;
  recording.sink = &sink;
  const InverseReport report = inverse_of_motion(
      *system, motions, {.actuators = {"shoulder.angle"}, .tolerance = 1e-2}, recording);
  EXPECT_EQ(report.freedoms, 2);
  EXPECT_EQ(report.missing, 1);
  const results::Table table = sink.take();
  const auto load = table.column("shoulder.angle.load");
  for (std::size_t i = 0; i < table.rows(); ++i) {
    // Accelerations of the second-order method at 0.5 ms: 1e-3 of the loads.
    ASSERT_NEAR(load[i], 4.0 * std::sin(5.0 * table.time[i]), 5e-3) << table.time[i];
  }
}

TEST(Inverse, UnderActuatedMotionIsRefusedByNameOrBalancedBest) {
  const model::Description d = described(double_pendulum);
  const results::Table record = simulated(d);
  model::Description without = d;
  without.forces.clear();
  const auto system = model::compile(without);
  const std::vector<system::Motion> motions = recorded_motion(without, *system, record);
  try {
    inverse_of_motion(*system, motions, {.actuators = {"elbow.angle"}}, {});
    FAIL() << "accepted";
  } catch (const core::RunError& error) {
    EXPECT_NE(std::string(error.what()).find("shoulder.angle"), std::string::npos) << error.what();
  }
  const InverseReport best = inverse_of_motion(
      *system, motions, {.actuators = {"elbow.angle"}, .least_squares = true}, {});
  EXPECT_EQ(best.missing_coordinates, std::vector<std::string>{"shoulder.angle"});
  EXPECT_GT(best.largest_missing, 0.01);
}

std::string mechanism(const std::string& name);

// Loads of the drives, fed back as actuators along the same coordinates, make the same motion.
class InverseThenForward : public testing::TestWithParam<const char*> {};

/// The largest difference of positions, m, of the motion that the loads make and the driven one.
double error_with_step(const std::string& name, double step) {
  model::Description driven = described(mechanism(name));
  driven.simulation.step = step;
  driven.simulation.output_step = step;
  const Solved inverse = by_drives(driven);
  EXPECT_EQ(inverse.report.outcome, results::Outcome::completed) << inverse.report.message;
  model::Description free = driven;
  free.drives.clear();
  for (const model::Item& drive : driven.drives) {
    const auto load = inverse.table.column(drive.name + ".load");
    free.tables.push_back(std::make_shared<expression::Table>(
        drive.name + "_load", inverse.table.time, std::vector<double>(load.begin(), load.end())));
    free.add_force("actuator", drive.name, {},
                   {{"coordinate", std::get<std::string>(drive.values.at("coordinate"))},
                    {"formula", "1 * table(" + drive.name + "_load, time)"}});
  }
  // The start moves as the drives say.
  const auto system = model::compile(driven);
  const Assembly start = assemble(*system);
  Observer observer(*system);
  const std::vector<double> values = observer.observe(start.motion);
  for (model::Body& body : free.bodies) {
    const bool planar = free.space == model::Space::planar;
    const auto find = [&](const std::string& channel) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (observer.quantities()[i].name == body.name + channel) return values[i];
      }
      ADD_FAILURE() << body.name << channel;
      return std::numeric_limits<double>::quiet_NaN();
    };
    body.position << find(".position.x"), find(".position.y"), planar ? 0.0 : find(".position.z");
    body.velocity << find(".velocity.x"), find(".velocity.y"), planar ? 0.0 : find(".velocity.z");
    if (body.kind == model::BodyKind::point) continue;
    if (planar) {
      body.angle = find(".angle");
      body.orientation = Eigen::AngleAxisd(body.angle, Eigen::Vector3d::UnitZ());
      body.angular_velocity.z() = find(".angular_velocity");
    } else {
      body.orientation = Eigen::Quaterniond(find(".orientation.e0"), find(".orientation.e1"),
                                            find(".orientation.e2"), find(".orientation.e3"));
      body.angular_velocity << find(".angular_velocity.x"), find(".angular_velocity.y"),
          find(".angular_velocity.z");
    }
  }
  const results::Table forward = simulated(free);
  EXPECT_EQ(forward.rows(), inverse.table.rows());
  double travel = 0.0;
  double error = 0.0;
  for (const model::Body& body : free.bodies) {
    for (const char* axis : {".position.x", ".position.y"}) {
      const auto there = inverse.table.column(body.name + axis);
      const auto back = forward.column(body.name + axis);
      for (std::size_t i = 0; i < there.size(); ++i) {
        travel = std::max(travel, std::abs(there[i] - there[0]));
        error = std::max(error, std::abs(back[i] - there[i]));
      }
    }
  }
  EXPECT_GT(travel, 0.01) << "it must move for this to mean anything";
  return error;
}

// Acceptance test 9 of [Sol1983]: to the tolerance of the integrator, whose order is two. The error
// falls to a quarter with half the step, so that nothing but the integration is left in it.
TEST_P(InverseThenForward, ReproducesTheMotion) {
  const double coarse = error_with_step(GetParam(), 2e-3);
  const double fine = error_with_step(GetParam(), 1e-3);
  // Second order at 1 ms on motions of a few rad/s and about one metre: 1e-5.
  EXPECT_LE(fine, 2e-5);
  // Round-off of assembly and Newton's tolerance may be left of errors below 1e-9.
  EXPECT_LE(fine, std::max(0.3 * coarse, 1e-9)) << coarse << " -> " << fine;
}

INSTANTIATE_TEST_SUITE_P(Mechanisms,
                         InverseThenForward,
                         testing::Values("pendulum",
                                         "double_pendulum",
                                         "slider_crank",
                                         "four_bar",
                                         "scotch_yoke",
                                         "geared_arm",
                                         "spatial_arm",
                                         "spatial_slider_crank",
                                         "gantry",
                                         "skate"),
                         [](const auto& info) { return std::string(info.param); });

std::string mechanism(const std::string& name) {
  const std::string planar = "trammel: 1\nspace: planar\ngravity: [0, -9.81]\n";
  const std::string spatial = "trammel: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n";
  const std::string times = "simulation: {until: 0.5 s, step: 1 ms}\n";
  if (name == "pendulum") {
    return planar + times + R"(
bodies:
  rod: {mass: 2 kg, inertia: 0.1, position: [0, -0.5]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
drives:
  motor: {type: position, coordinate: pin.angle, motion: 0.5 rad * sin(3 rad/s * time)}
)";
  }
  if (name == "double_pendulum") {
    return planar + times + R"(
bodies:
  upper: {mass: 2 kg, inertia: 0.1, position: [0, -0.25]}
  lower: {mass: 1 kg, inertia: 0.05, position: [0, -0.75]}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0]}
  elbow: {type: revolute, between: [upper, lower], at: [0, -0.5]}
drives:
  motor1: {type: position, coordinate: shoulder.angle, motion: 0.8 rad * sin(3 rad/s * time)}
  motor2: {type: position, coordinate: elbow.angle, motion: 0.5 rad * sin(4 rad/s * time)}
)";
  }
  if (name == "slider_crank") {
    return planar + times + R"(
bodies:
  crank: {mass: 1 kg, inertia: 0.01, position: [0.05, 0]}
  rod: {mass: 0.5 kg, inertia: 0.02, position: [0.25, 0]}
  piston: {mass: 0.7 kg, inertia: 0.01, position: [0.4, 0]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0]}
  big_end: {type: revolute, between: [crank, rod], at: [0.1, 0]}
  small_end: {type: revolute, between: [rod, piston], at: [0.4, 0]}
  bore: {type: prismatic, between: [ground, piston], axis: x}
drives:
  motor: {type: position, coordinate: main.angle, motion: 6 rad/s * time}
)";
  }
  if (name == "four_bar") {
    std::string text = four_bar("a.angle", "90 deg - time * 1 rad/s");
    const std::string old = "simulation: {until: 5 s, step: 10 ms, output_step: 10 ms}";
    text.replace(text.find(old), old.size(), times);
    return text;
  }
  if (name == "scotch_yoke") {
    return planar + times + R"(
bodies:
  crank: {mass: 1 kg, inertia: 0.01, frames: {pin: [0.1, 0]}}
  yoke: {mass: 2 kg, inertia: 0.1, position: [0.1, 0]}
joints:
  main: {type: revolute, between: [ground, crank]}
  slot: {type: pin_in_slot, between: [yoke, crank.pin], axis: y}
  guide: {type: prismatic, between: [ground, yoke], axis: x}
drives:
  motor: {type: position, coordinate: main.angle, motion: 4 rad/s * time + 0.5 rad}
)";
  }
  if (name == "geared_arm") {
    return planar + times + R"(
bodies:
  arm: {mass: 2 kg, inertia: 0.1, position: [0.3, 0]}
  rotor: {mass: 0.5 kg, inertia: 0.01, position: [-0.2, 0]}
joints:
  pin: {type: revolute, between: [ground, arm], at: [0, 0]}
  shaft: {type: revolute, between: [ground, rotor], at: [-0.2, 0]}
couplings:
  mesh: {type: gear, coordinates: [pin.angle, shaft.angle], ratio: -4}
drives:
  motor: {type: position, coordinate: shaft.angle, motion: 2 rad * sin(3 rad/s * time)}
)";
  }
  if (name == "spatial_arm") {
    return spatial + times + R"(
bodies:
  upper: {mass: 2 kg, inertia: [0.02, 0.1, 0.1], position: [0.25, 0, 0]}
  lower: {mass: 1 kg, inertia: [0.01, 0.04, 0.04], position: [0.75, 0, 0]}
joints:
  base: {type: revolute, between: [ground, upper], at: [0, 0, 0], axis: [0, 0.3, 1]}
  elbow: {type: revolute, between: [upper, lower], at: [0.5, 0, 0], axis: y}
drives:
  motor1: {type: position, coordinate: base.angle, motion: 1 rad * sin(3 rad/s * time)}
  motor2: {type: position, coordinate: elbow.angle, motion: 0.5 rad * sin(4 rad/s * time)}
)";
  }
  if (name == "spatial_slider_crank") {
    return spatial + times + R"(
bodies:
  crank: {mass: 1 kg, inertia: [0.02, 0.01, 0.02], position: [0, 0.1, 0.05]}
  rod: {mass: 0.5 kg, inertia: [0.02, 0.02, 0.02], position: [0.15, 0.05, 0.05]}
  slider: {mass: 0.7 kg, inertia: [0.01, 0.01, 0.01], position: [0.3, 0, 0]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0.1, 0], axis: x}
  ball: {type: spherical, between: [crank, rod], at: [0, 0.1, 0.1]}
  cross: {type: universal, between: [slider, rod], at: [0.3, 0, 0], axis: y, axis_b: z}
  guide: {type: prismatic, between: [ground, slider], axis: x}
drives:
  motor: {type: position, coordinate: main.angle, motion: 4 rad/s * time}
)";
  }
  if (name == "gantry") {
    return planar + times + R"(
bodies:
  trolley: {mass: 5 kg, inertia: 0.1}
  hoist: {mass: 2 kg, inertia: 0.1, position: [0, -1]}
joints:
  rail: {type: prismatic, between: [ground, trolley], axis: x}
  lift: {type: prismatic, between: [trolley, hoist], axis: y}
drives:
  drive_x: {type: position, coordinate: rail.displacement, motion: 0.3 m * sin(3 rad/s * time)}
  drive_y: {type: position, coordinate: lift.displacement, motion: -1 m + 0.2 m * sin(5 rad/s * time)}
)";
  }
  return "trammel: 1\nspace: planar\n" + times + R"(
bodies:
  blade: {mass: 1 kg, inertia: 0.1, velocity: [2, 0], angular_velocity: 0.5}
joints:
  edge: {type: skate, between: [ground, blade]}
drives:
  turn: {type: velocity, coordinate: blade.angle, motion: 0.5 rad/s + 1 rad/s^2 * time}
  ahead: {type: position, coordinate: blade.position.x, motion: 2 m/s * time + 1 m/s^2 * time^2}
)";
}

}  // namespace
}  // namespace trammel::analysis::inverse_test
