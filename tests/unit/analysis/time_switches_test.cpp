// registry: integrators
// Loads and drives that jump or have kinks at times that are known in advance, through every
// integrator of the registry: impulses come out whole, drives that jump strike, and nothing is
// stepped over.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "recorded_run.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/kinematics.h"
#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/kinds.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::time_switches_test {
namespace {

using expression::Extrapolation;
using expression::Interpolation;
using model::Description;

std::shared_ptr<const expression::Table> table(const std::string& name,
                                               std::vector<double> x,
                                               std::vector<double> y,
                                               Interpolation interpolation,
                                               Extrapolation extrapolation = Extrapolation::hold) {
  expression::TableOptions options;
  options.interpolation = interpolation;
  options.extrapolation = extrapolation;
  return std::make_shared<expression::Table>(name, std::move(x), std::move(y), options);
}

/// A mass of 1 kg on a rail, at rest.
Description mass_on_rail() {
  Description d;
  d.space = model::Space::planar;
  model::Body body;
  body.name = "m";
  body.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "m", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.simulation.until = 10.0;
  d.simulation.output_step = 0.5;
  return d;
}

Description pushed(const std::string& force) {
  Description d = mass_on_rail();
  d.tables = {
      table("peak", {0, 5, 5.01, 5.02, 10}, {0, 0, 1000, 0, 0}, Interpolation::linear),
      table("saw", {0, 0.3, 1.0}, {0, 1, 0}, Interpolation::linear, Extrapolation::periodic),
      table("hump", {0, 5, 5.01, 5.02, 10}, {0, 0, 1000, 0, 0}, Interpolation::pchip)};
  d.add_force("actuator", "f", {},
              {{"coordinate", std::string("rail.displacement")}, {"formula", force}});
  return d;
}

/// How a load goes on between its switches.
enum class Pieces { constant, straight, curved, shorter_than_steps };

struct Push {
  std::string force;
  double impulse = 0.0;  ///< until 10 s, N s
  Pieces pieces = Pieces::constant;
};

const std::vector<Push> pushes{
    {"100 N * pulse(time, 5 s, 5.01 s)", 1.0},
    {"100 N * pulse(time, 5.0031 s, 5.0131 s)", 1.0},
    {"1e6 N * pulse(time, 5.0031 s, 5.003101 s)", 1.0},
    {"if(time > 2.003 s and time <= 2.5 s, 1 N, 0 N) + 1 N * pulse(time, 7 s, 8 s)", 1.497},
    {"if(mod(time, 2 s) < 0.05 s, 1 N, 0 N)", 0.25},
    {"1 N * floor(time / (3.3 s))", 3.3 + 2.0 * 3.3 + 3.0 * 0.1},
    {"1 N * sign(sin(1 rad/s * time))", std::numbers::pi - (10.0 - 3.0 * std::numbers::pi)},
    {"1e3 N * if(sin(100 rad/s*time) > 0.99, 1, 0)", 159.0 * 20.0 * std::acos(0.99)},
    {"500 N * if((time - 5.03 s)^2 < 1e-6 s^2, 1, 0)", 1.0},
    {"500 N * if(min(time - 3 s, 3.002 s - time) > 0 s, 1, 0)", 1.0},
    {"1e3 N * max(0, 1 - abs(time - 5 s)/(1e-3 s))", 1.0, Pieces::shorter_than_steps},
    {"1e6 N * max(0, 1 - abs(time - 5 s)/(1e-6 s))", 1.0, Pieces::shorter_than_steps},
    {"1e9 N * max(0, 1 - abs(time - 5 s)/(1e-9 s))", 1.0, Pieces::shorter_than_steps},
    {"10 N * ramp(time, 5 s, 0, 5.01 s, 1) - 10 N * ramp(time, 5.02 s, 0, 5.03 s, 1)", 0.2,
     Pieces::straight},
    {"1 N * max(0, 1 - abs(time - 6.0017 s) / (0.004 s))", 0.004, Pieces::straight},
    {"table(peak, time) * 1 N", 10.0, Pieces::straight},
    {"table(saw, time) * 1 N", 5.0, Pieces::straight},
    {"table(hump, time) * 1 N", 10.0, Pieces::curved},
    {"1000 N * (step5(time, 5 s, 0, 5.01 s, 1) - step5(time, 5.01 s, 0, 5.02 s, 1))", 10.0,
     Pieces::curved},
};

class Pushes : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> all_kinds() {
  std::vector<std::string> names;
  for (const auto& kind : integrators::integrator_kinds()) names.push_back(kind.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Integrators,
                         Pushes,
                         ::testing::ValuesIn(all_kinds()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

bool controls_its_error(const std::string& integrator) {
  const auto& settings = integrators::find_integrator_kind(integrator)->settings;
  return std::any_of(settings.begin(), settings.end(),
                     [](const auto& setting) { return setting.name == "relative_tolerance"; });
}

// Of the impulse. Constant loads come out to the round-off of some thousand steps. Others last for
// 4 to 30 ms: fixed steps of 7 and 20 ms are then one, two or three to a piece, and what they make
// of them falls with the square of the step from there.
double allowed_error(const Push& push, const std::string& integrator, double step) {
  if (controls_its_error(integrator)) return 1e-4;
  constexpr double coarse = 7e-3;
  const double squared = std::pow(std::min(1.0, step / coarse), 2);
  switch (push.pieces) {
    case Pieces::constant:
      return 1e-9;
    case Pieces::straight:
      return 0.05 * squared;
    case Pieces::curved:
      return 0.15 * squared;
    case Pieces::shorter_than_steps:
      return 0.05;
  }
  return 0.0;
}

// v = (integral of the force)/m, whatever the step: on the grid of the edges and beside it.
TEST_P(Pushes, GiveTheMassTheirWholeImpulse) {
  for (const Push& push : pushes) {
    // Its velocities at the ends of steps go on from the middle with the load there: it needs
    // several steps to a piece that is not constant (docs/integrators/park-chiou.md).
    if (GetParam() == "park-chiou" && push.pieces != Pieces::constant) continue;
    for (const double step : {20e-3, 7e-3, 0.7e-3}) {
      if (step < 1e-3 && push.pieces == Pieces::constant) continue;
      SCOPED_TRACE(fmt::format("{}, step {}", push.force, step));
      Description d = pushed(push.force);
      d.simulation.integrator = GetParam();
      d.simulation.step = step;
      const double error = allowed_error(push, GetParam(), step) * push.impulse;
      EXPECT_NEAR(recorded_run(d).last("rail.displacement_rate"), push.impulse, error);
    }
  }
}

// ---- drives

/// A rod of 1 m and 1 kg on a pin, horizontal, whose angle is driven.
Description driven_rod(const std::string& type, const std::string& motion) {
  Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -9.81, 0};
  model::Body rod;
  rod.name = "rod";
  rod.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity() / 12.0};
  rod.position = {0.5, 0, 0};
  rod.frames.push_back({.name = "o", .position = {-0.5, 0, 0}});
  d.add_body(rod);
  d.add_joint("revolute", "pin", "ground", "rod.o");
  d.add_drive(type, "d", {{"coordinate", std::string("pin.angle")}, {"motion", motion}});
  d.simulation.until = 1.5;
  d.simulation.output_step = 10e-3;
  return d;
}

// From rest to 2 rad/s at 0.5 s, back to rest at 1 s: impulses of 2/3 N m s, and between them the
// load of the weight alone. Energy: the drive does J w^2 = 4/3 J at the first strike, of which half
// is lost; at the second, what is left of the motion is lost.
void expect_strikes(const RecordedRun& result) {
  ASSERT_EQ(result.report.events.size(), 2U);
  EXPECT_EQ(result.report.events[0].name, "d");
  EXPECT_NEAR(result.report.events[0].time, 0.5, 1e-12);
  EXPECT_NEAR(result.report.events[1].time, 1.0, 1e-12);
  EXPECT_NE(result.report.events[0].what.find("jumps by 2 rad/s, with the impulse 0.666667 N m s"),
            std::string::npos)
      << result.report.events[0].what;
  EXPECT_NE(result.report.events[1].what.find("jumps by -2 rad/s, with the impulse -0.666667"),
            std::string::npos)
      << result.report.events[1].what;
  // Velocities of index 3 are right to (w h)^2/12 = 3e-7.
  EXPECT_NEAR(result.report.events[0].energy_lost, 2.0 / 3.0, 1e-6);
  EXPECT_NEAR(result.report.events[1].energy_lost, 2.0 / 3.0, 1e-6);
  const auto time = result.table.column("time");
  const auto load = result.table.column("d.load");
  const auto rate = result.table.column("pin.angle_rate");
  for (std::size_t i = 0; i < time.size(); ++i) {
    const bool moves = time[i] > 0.5 - 1e-9 && time[i] < 1.0 - 1e-9;
    const double angle = std::clamp(2.0 * (time[i] - 0.5), 0.0, 1.0);
    // The second row of a strike's time is that behind it.
    EXPECT_NEAR(rate[i], moves ? 2.0 : 0.0, 1e-6) << "t " << time[i];
    EXPECT_NEAR(load[i], 0.5 * 9.81 * std::cos(angle), 1e-2) << "t " << time[i];
  }
  EXPECT_NEAR(result.report.energy.dissipated, 4.0 / 3.0, 1e-6);
  EXPECT_NEAR(result.report.energy.numerical_loss, 0.0, 2e-3);
}

TEST_P(Pushes, DrivesWhoseVelocityJumpsStrike) {
  for (const char* coordinates : {"absolute", "relative"}) {
    SCOPED_TRACE(coordinates);
    Description d = driven_rod("position", "ramp(time, 0.5 s, 0 rad, 1 s, 1 rad)");
    d.simulation.integrator = GetParam();
    d.simulation.coordinates = coordinates;
    expect_strikes(recorded_run(d));
  }
  Description d = driven_rod("velocity", "2 rad/s * pulse(time, 0.5 s, 1 s)");
  d.simulation.integrator = GetParam();
  expect_strikes(recorded_run(d));
  // Points of a table that stand alone are corners, however small a part of its range a step is.
  d = driven_rod("position", "table(way, time) * 1 rad");
  d.tables = {table("way", {0, 0.5, 1, 10}, {0, 0, 1, 1}, Interpolation::linear)};
  d.simulation.integrator = GetParam();
  expect_strikes(recorded_run(d));
}

// The last step before a strike is shorter than the others: what it ends with is the velocity that
// is lost, m v^2/2 each time.
TEST_P(Pushes, StrikesBetweenStepsTakeTheirWholeImpulse) {
  Description d = mass_on_rail();
  d.add_drive("position", "d",
              {{"coordinate", std::string("rail.displacement")},
               {"motion", std::string("ramp(time, 0.5013 s, 0 m, 0.5217 s, 0.1 m)")}});
  d.simulation.integrator = GetParam();
  d.simulation.until = 1.0;
  d.simulation.output_step = 1e-3;
  const RecordedRun result = recorded_run(d);
  const double lost = 0.5 * std::pow(0.1 / 0.0204, 2);
  ASSERT_EQ(result.report.events.size(), 2U);
  for (const auto& event : result.report.events) EXPECT_NEAR(event.energy_lost, lost, 1e-6);
  EXPECT_NEAR(result.report.energy.dissipated, 2.0 * lost, 2e-6);
  EXPECT_NEAR(result.report.energy.numerical_loss, 0.0, 1e-5);
}

/// Two masses on rails: one driven, one pushed by a load whose switches fall on the drive's.
Description driven_and_pushed(const std::string& motion, const std::string& load) {
  Description d = pushed(load);
  model::Body other;
  other.name = "e";
  other.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  d.add_body(other);
  d.add_joint("prismatic", "guide", "ground", "e", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.add_drive("velocity", "d",
              {{"coordinate", std::string("guide.displacement")}, {"motion", motion}});
  d.simulation.until = 1.0;
  d.simulation.output_step = 0.1;
  d.simulation.step = 0.01;
  return d;
}

// In exact arithmetic at the same time as a kink of the load; by round-off before or behind it, and
// before or behind the end of an output interval.
TEST_P(Pushes, StrikesAreNotLostAtSwitchesOfOtherFormulas) {
  for (const char* coordinates : {"absolute", "relative"}) {
    for (const char* load : {"1 N * abs(time - 0.3 s)/(1 s)", "1 N * abs(time*7 - 2.1 s)/(1 s)",
                             "1 N * max(0, 1 - abs(time*3 - 0.9 s)/(0.5 s))"}) {
      for (const char* motion :
           {"if(time*3 < 0.9 s, 1 m/s, 0.5 m/s)", "if(time < 0.3 s, 1 m/s, 0.5 m/s)",
            "1 m/s - 0.5 m/s * pulse(time*7, 2.1 s, 100 s)"}) {
        SCOPED_TRACE(fmt::format("{}: {}, {}", coordinates, load, motion));
        Description d = driven_and_pushed(motion, load);
        d.simulation.integrator = GetParam();
        d.simulation.coordinates = coordinates;
        const RecordedRun result = recorded_run(d);
        ASSERT_EQ(result.report.events.size(), 1U);
        EXPECT_NEAR(result.report.events[0].time, 0.3, 1e-12);
        EXPECT_NEAR(result.report.energy.dissipated, 0.125, 1e-9);
        EXPECT_NEAR(result.last("guide.displacement"), 0.3 + 0.5 * 0.7, 1e-7);
        EXPECT_NEAR(result.table.column("guide.displacement_rate")[3], 0.5, 1e-7);
        EXPECT_NEAR(result.last("guide.displacement_rate"), 0.5, 1e-7);
      }
    }
  }
}

// A jump of a load on a kink of another one is as exact as alone.
TEST_P(Pushes, JumpsOnKinksOfOtherFormulasAreExact) {
  Description d =
      driven_and_pushed("0.1 m/s * abs(cos(1 rad/s*time))", "1 N * sign(sin(40 rad/s*time))");
  d.simulation.integrator = GetParam();
  d.simulation.until = 2.0;
  const double period = std::numbers::pi / 20.0;
  const double rest = std::fmod(2.0, period);
  const double v = rest < 0.5 * period ? rest : period - rest;
  EXPECT_NEAR(recorded_run(d).last("rail.displacement_rate"), v, 1e-9);
}

TEST_P(Pushes, RunsEndWhereTheyAreAskedTo) {
  for (const char* load : {"1e6 N * max(0, 1 - abs(time - 0.5 s)/(1e-6 s))",
                           "1 N * floor(time/(0.3 s))", "1 N * sign(sin(40 rad/s*time))"}) {
    Description d = pushed(load);
    d.simulation.integrator = GetParam();
    d.simulation.until = 2.0;
    d.simulation.step = 9e-3;
    d.simulation.output_step = 37e-3;
    EXPECT_EQ(recorded_run(d).last("time"), 2.0) << load;
  }
}

// The side that holds at t = 0 alone is never seen.
TEST(TimeSwitches, NothingStrikesAtTheStart) {
  for (const char* motion :
       {"if(sin(4 rad/s*time) > 0, 1 m/s, 0.5 m/s)", "if(time > 0 s, 1 m/s, 0.5 m/s)",
        "1 m/s + 0.5 m/s * sign(time / (1 s))"}) {
    Description d = driven_and_pushed(motion, "0 N");
    d.simulation.until = 0.5;
    d.simulation.integrator = "dormand-prince";
    const RecordedRun result = recorded_run(d);
    EXPECT_TRUE(result.report.events.empty()) << motion << ": " << result.report.events[0].what;
    const auto rate = result.table.column("guide.displacement_rate");
    EXPECT_NEAR(rate.front(), rate.back(), 1e-9) << motion;
  }
}

// The free pendulum that hangs on a struck slider gets its share of the impulse: momentum along its
// freedom is kept, in both coordinates alike.
TEST(TimeSwitches, WhatIsNotDrivenKeepsItsMomentum) {
  const auto end = [](const char* coordinates, const char* integrator) {
    Description d;
    d.space = model::Space::planar;
    model::Body slider;
    slider.name = "slider";
    slider.mass = {.mass = 2.0, .inertia = Eigen::Matrix3d::Identity()};
    d.add_body(slider);
    model::Body bob;
    bob.name = "bob";
    bob.mass = {.mass = 1.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
    bob.position = {0, -1, 0};
    bob.frames.push_back({.name = "top", .position = {0, 1, 0}});
    d.add_body(bob);
    d.add_joint("prismatic", "rail", "ground", "slider", {{"axis", Eigen::Vector3d(1, 0, 0)}});
    d.add_joint("revolute", "pin", "slider", "bob.top");
    d.add_drive("position", "push",
                {{"coordinate", std::string("rail.displacement")},
                 {"motion", std::string("ramp(time, 0.1 s, 0 m, 1.1 s, 3 m)")}});
    d.simulation.until = 0.1;
    d.simulation.output_step = 0.1;
    d.simulation.coordinates = coordinates;
    d.simulation.integrator = integrator;
    return recorded_run(d);
  };
  for (const char* integrator : {"generalized-alpha", "dormand-prince", "bdf"}) {
    for (const char* coordinates : {"absolute", "relative"}) {
      SCOPED_TRACE(fmt::format("{} {}", integrator, coordinates));
      const RecordedRun result = end(coordinates, integrator);
      // About the pin at v = 3: (J + m l^2) w + m l v = 0 with w about z, l below the pin.
      EXPECT_NEAR(std::abs(result.last("bob.angular_velocity")), 3.0 / 1.1, 1e-9);
      // The push takes 2 kg and what the bob gives back: 2 v + m (v - l |w|).
      ASSERT_EQ(result.report.events.size(), 1U);
      const std::string impulse = fmt::format("the impulse {:.6g} N s", 6.0 + 3.0 - 3.0 / 1.1);
      EXPECT_NE(result.report.events[0].what.find(impulse), std::string::npos)
          << result.report.events[0].what << ", not " << impulse;
    }
  }
}

TEST(TimeSwitches, DrivesWhosePositionJumpsAreRefused) {
  for (const char* motion : {"1 rad * pulse(time, 0.5 s, 1 s)", "if(time < 0.5 s, 0 rad, 1 rad)",
                             "1 rad * floor(2 * time / (1 s))", "mod(2 rad/s * time, 1 rad)"}) {
    try {
      formulation::compile_model(driven_rod("position", motion));
      ADD_FAILURE() << motion << " is accepted";
    } catch (const core::InputError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("at t = 0.5 s the motion jumps from"), std::string::npos) << text;
      EXPECT_NE(text.find("step5"), std::string::npos) << text;
    }
  }
  // Written with a condition, but without a jump.
  for (const char* motion : {"if(time < 0.5 s, 0 rad, 1 rad/s * (time - 0.5 s))",
                             "1 rad * pulse(time, 2 s, 3 s)", "abs(1 rad/s * (time - 0.5 s))"}) {
    EXPECT_NO_THROW(formulation::compile_model(driven_rod("position", motion))) << motion;
  }
}

// The acceleration jumps: no strike, and the load is right on both sides.
TEST_P(Pushes, LoadsOfDrivesAreRightOnBothSidesOfAJump) {
  for (const auto& [type, motion] :
       {std::pair{"velocity", "ramp(time, 0.503 s, 0 rad/s, 1.003 s, 1 rad/s)"},
        std::pair{"acceleration", "2 rad/s^2 * pulse(time, 0.503 s, 1.003 s)"}}) {
    SCOPED_TRACE(type);
    Description d = driven_rod(type, motion);
    d.gravity.setZero();
    d.simulation.integrator = GetParam();
    // Accelerations of bdf are those of its formula, and need a sharper tolerance.
    if (controls_its_error(GetParam())) {
      d.simulation.integrator_values = {{"relative_tolerance", 1e-9}, {"absolute_tolerance", 1e-9}};
    }
    const RecordedRun result = recorded_run(d);
    EXPECT_TRUE(result.report.events.empty());
    const auto time = result.table.column("time");
    const auto load = result.table.column("d.load");
    for (std::size_t i = 0; i < time.size(); ++i) {
      const bool rises = time[i] > 0.503 && time[i] < 1.003;
      // Dissipative methods have the largest errors; over a jump unseen they were 5e-1.
      EXPECT_NEAR(load[i], rises ? 2.0 / 3.0 : 0.0, 3e-3) << "t " << time[i];
    }
  }
}

TEST(TimeSwitches, KinematicsGoThroughJumpsOfVelocity) {
  Description d = driven_rod("position", "ramp(time, 0.503 s, 0 rad, 1.003 s, 1 rad)");
  d.simulation.step = 10e-3;
  const auto system = formulation::compile_model(d, formulation::HingeDrives::rows).system;
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const KinematicsReport report = kinematics(*system, d.simulation, {"d"}, options, nullptr);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  const results::Table table = sink.take();
  const auto time = table.column("time");
  const auto rate = table.column("pin.angle_rate");
  const auto load = table.column("d.load");
  for (std::size_t i = 0; i < time.size(); ++i) {
    const bool moves = time[i] > 0.503 && time[i] < 1.003;
    EXPECT_NEAR(rate[i], moves ? 2.0 : 0.0, 1e-9) << "t " << time[i];
    const double angle = std::clamp(2.0 * (time[i] - 0.503), 0.0, 1.0);
    EXPECT_NEAR(load[i], 0.5 * 9.81 * std::cos(angle), 1e-6) << "t " << time[i];
  }
}

// ---- cost

// A smooth curve in 10,000 points, straight between them: not a step more for fixed steps.
TEST(TimeSwitches, FineTablesOfSmoothCurvesCostNothing) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i <= 10000; ++i) {
    x.push_back(1e-3 * i);
    y.push_back(std::sin(x.back()));
  }
  const auto steps = [&](const std::string& integrator, const std::string& force) {
    Description d = mass_on_rail();
    d.tables = {table("wave", x, y, Interpolation::linear)};
    d.add_force("actuator", "f", {},
                {{"coordinate", std::string("rail.displacement")}, {"formula", force}});
    d.simulation.integrator = integrator;
    d.simulation.step = 7.7e-3;
    const RecordedRun result = recorded_run(d);
    EXPECT_NEAR(result.last("rail.displacement_rate"), 1.0 - std::cos(10.0), 2e-4);
    return result.report.statistics.at("steps");
  };
  const std::string table_force = "table(wave, time) * 1 N";
  const std::string smooth_force = "sin(1 rad/s * time) * 1 N";
  EXPECT_EQ(steps("generalized-alpha", table_force), steps("generalized-alpha", smooth_force));
  EXPECT_EQ(steps("rk4", table_force), steps("rk4", smooth_force));
  EXPECT_LT(steps("dormand-prince", table_force), 1000.0);
}

// Steps of the size that the rough table needs, and no more.
TEST(TimeSwitches, RoughTablesAreMetPointByPoint) {
  std::vector<double> x;
  std::vector<double> y;
  double impulse = 0.0;
  for (int i = 0; i <= 1000; ++i) {
    x.push_back(1e-2 * i);
    y.push_back(i % 3 == 0 ? 1.0 : 0.0);
    if (i > 0) impulse += 0.5e-2 * (y[y.size() - 1] + y[y.size() - 2]);
  }
  for (const char* integrator : {"generalized-alpha", "rk4", "dormand-prince", "adams", "bdf"}) {
    SCOPED_TRACE(integrator);
    Description d = mass_on_rail();
    d.tables = {table("rough", x, y, Interpolation::linear)};
    d.add_force("actuator", "f", {},
                {{"coordinate", std::string("rail.displacement")},
                 {"formula", std::string("table(rough, time) * 1 N")}});
    d.simulation.integrator = integrator;
    d.simulation.step = 23e-3;
    const RecordedRun result = recorded_run(d);
    // A thousand steps, each with the error of its tolerance.
    EXPECT_NEAR(result.last("rail.displacement_rate"), impulse, 2e-3 * impulse);
    EXPECT_LT(result.report.statistics.at("steps"), 20000.0);
  }
}

// 1 MN for a microsecond, from rest and long after the start: 1 kg moves with 1 m/s afterwards.
// What the load does while the clock stands still is no error of a method.
TEST(TimeSwitches, AHardShortBlowFromRestIsTaken) {
  for (const char* integrator : {"dormand-prince", "adams", "bdf", "radau", "generalized-alpha"}) {
    for (const double tolerance : {1e-6, 1e-9}) {
      SCOPED_TRACE(fmt::format("{} {}", integrator, tolerance));
      Description d = mass_on_rail();
      const double mass = d.bodies.front().mass.mass;
      d.add_force("actuator", "f", {},
                  {{"coordinate", std::string("rail.displacement")},
                   {"formula", std::string("1e6 N*pulse(time, 0.5 s, 0.500001 s)")}});
      d.simulation.integrator = integrator;
      if (std::string(integrator) != "generalized-alpha") {
        d.simulation.integrator_values = {{"relative_tolerance", tolerance},
                                          {"absolute_tolerance", tolerance}};
      }
      d.simulation.until = 1.0;
      // The ends of the blow are known to the clock, 1e-10 of its length.
      EXPECT_NEAR(recorded_run(d).last("rail.displacement_rate"), 1.0 / mass, 1e-6 / mass);
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::time_switches_test
