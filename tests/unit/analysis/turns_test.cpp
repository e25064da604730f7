// Angles are continued over whole turns by whatever reads them: three turns forward and back give
// the closed form, in the plane and in space, in absolute and relative coordinates, with every
// integrator, whether steps are rejected, repeated at events, or longer than the output interval.
#include <cmath>
#include <functional>
#include <numbers>

#include "analysis_models.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::turns_test {
namespace {

constexpr double pi = std::numbers::pi;
// A lost turn is 6.28 rad; methods differ by much less than this.
constexpr double tolerance = 0.05;

model::Description trial(const std::string& name) {
  const std::string path = std::string(TRAMMEL_SOURCE_DIR) + "/tests/data/trials/" + name + ".yaml";
  return io::read_model_file(path, full_vocabulary()).description;
}

results::Table run(model::Description d, const std::string& coordinates) {
  d.simulation.coordinates = coordinates;
  const auto compiled = formulation::compile_model(d);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const SimulationReport report = simulate(*compiled.system, d.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
  return sink.take();
}

// Every integrator of the registry in both coordinates; those that refuse the model are counted.
int with_every_integrator(const model::Description& description,
                          const std::function<void(const results::Table&)>& check) {
  int ran = 0;
  for (const MethodKind& kind : integrator_kinds()) {
    for (const char* coordinates : {"absolute", "relative"}) {
      SCOPED_TRACE(kind.name + ", " + coordinates);
      model::Description d = description;
      d.simulation.integrator = kind.name;
      try {
        check(run(d, coordinates));
        ++ran;
      } catch (const core::InputError&) {
      }
    }
  }
  return ran;
}

// A wheel on a joint with an angle, driven three turns forward and back, and whatever reads it.
std::string readers(const std::string& space, const std::string& joint) {
  const std::string inertia = space == "planar" ? "1" : "[1, 1, 1]";
  return "trammel: 1\nspace: " + space + R"yaml(
bodies:
  wheel: {mass: 1, inertia: )yaml" +
         inertia + R"yaml(}
  second: {mass: 1, inertia: )yaml" +
         inertia + R"yaml(}
joints:
  pin: {between: [ground, wheel], )yaml" +
         joint + R"yaml(}
  pin2: {type: revolute, between: [ground, second]}
couplings:
  pair: {type: gear, coordinates: [pin.angle, pin2.angle], ratio: -0.5}
drives:
  motor: {type: position, coordinate: pin.angle, motion: "3 * 180 deg * (1 - cos(180 deg/s * time))"}
sensors:
  turned: {type: angle, between: [ground, wheel]}
  doubled: {type: formula, formula: "2 * pin.angle"}
forces:
  coil: {type: rotational_spring, between: [ground, wheel], stiffness: 2}
  line: {type: coordinate_spring, coordinate: pin.angle, stiffness: 3}
  fading: {type: parametric_spring, coordinate: pin.angle, stiffness: "4"}
  memory: {type: coordinate_viscoelastic, coordinate: pin.angle, stiffness: 5}
  stop: {type: coordinate_stop, coordinate: pin.angle, upper: 15, stiffness: 10}
  servo: {type: actuator, coordinate: pin.angle, formula: "6 N m/rad * pin.angle"}
simulation: {until: 2 s, step: 10 ms, output_step: 20 ms}
)yaml";
}

void expect_continued(const results::Table& table) {
  const auto column = [&](const char* name) { return table.column(name); };
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double phi = 3.0 * pi * (1.0 - std::cos(pi * table.time[i]));
    ASSERT_NEAR(column("pin.angle")[i], phi, tolerance) << table.time[i];
    ASSERT_NEAR(column("pin2.angle")[i], -0.5 * phi, tolerance) << table.time[i];
    ASSERT_NEAR(column("turned")[i], phi, tolerance) << table.time[i];
    ASSERT_NEAR(column("doubled")[i], 2.0 * phi, 2.0 * tolerance) << table.time[i];
    ASSERT_NEAR(column("coil.angle")[i], phi, tolerance) << table.time[i];
    ASSERT_NEAR(column("coil.torque")[i], -2.0 * phi, 2.0 * tolerance) << table.time[i];
    ASSERT_NEAR(column("line.load")[i], -3.0 * phi, 3.0 * tolerance) << table.time[i];
    ASSERT_NEAR(column("fading.load")[i], -4.0 * phi, 4.0 * tolerance) << table.time[i];
    ASSERT_NEAR(column("memory.load")[i], -5.0 * phi, 5.0 * tolerance) << table.time[i];
    ASSERT_NEAR(column("stop.load")[i], -10.0 * std::max(0.0, phi - 15.0), 10.0 * tolerance)
        << table.time[i];
    ASSERT_NEAR(column("servo.load")[i], 6.0 * phi, 6.0 * tolerance) << table.time[i];
  }
}

TEST(Turns, AreCountedByWhateverReadsAnAngleInThePlane) {
  EXPECT_GT(with_every_integrator(described(readers("planar", "type: revolute")), expect_continued),
            10);
}

// All joints that have an angle about a fixed axis.
TEST(Turns, AreCountedByWhateverReadsAnAngleInSpace) {
  for (const char* joint : {"type: revolute", "type: cylindrical", "type: screw, pitch: 10 mm"}) {
    SCOPED_TRACE(joint);
    EXPECT_GT(with_every_integrator(described(readers("spatial", joint)), expect_continued), 10);
  }
}

// Of joints with several angles, the one that turns without end.
TEST(Turns, OfOtherJointsAreCountedToo) {
  struct Case {
    const char* joint;
    const char* angle;
  };
  for (const Case& c : {Case{"type: universal, axis: z, axis_b: x", "pin.angle1"},
                        Case{"type: spherical", "pin.angle3"}, Case{"type: planar", "pin.angle"}}) {
    SCOPED_TRACE(c.joint);
    const model::Description d = described(std::string(R"(
trammel: 1
space: spatial
bodies:
  wheel: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 10]}
joints:
  pin: {between: [ground, wheel], )") + c.joint +
                                           R"(}
simulation: {until: 2 s, step: 5 ms, output_step: 20 ms}
)");
    EXPECT_GT(with_every_integrator(d,
                                    [&](const results::Table& table) {
                                      for (std::size_t i = 0; i < table.rows(); ++i) {
                                        ASSERT_NEAR(table.column(c.angle)[i], 10.0 * table.time[i],
                                                    tolerance);
                                      }
                                    }),
              10);
  }
}

// A torsion spring wound up by four and a half turns; a ball that lands meanwhile makes methods
// repeat the steps in which it does.
std::string wound_up(const std::string& space, const std::string& output_step) {
  const bool planar = space == "planar";
  return "trammel: 1\nspace: " + space + "\ngravity: " + (planar ? "[0, -9.81]" : "[0, -9.81, 0]") +
         R"(
bodies:
  wheel: {mass: 1, inertia: )" +
         (planar ? "1, angular_velocity: 40" : "[1, 1, 1], angular_velocity: [0, 0, 40]") + R"(}
  ball: {kind: point, mass: 1, position: )" +
         (planar ? "[1, 0.3]" : "[1, 0.3, 0]") + R"(}
joints:
  pin: {type: revolute, between: [ground, wheel]}
couplings:
  floor: {type: equation, equation: "1 * ball.position.y", unilateral: true, starts_open: true}
forces:
  coil: {type: rotational_spring, between: [ground, wheel], stiffness: 2}
simulation: {until: 2.2 s, step: 2 ms, output_step: )" +
         output_step + "}\n";
}

void expect_wound_up(const results::Table& table) {
  const double rate = std::sqrt(2.0);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double phi = 40.0 / rate * std::sin(rate * table.time[i]);
    // Dissipative methods lose a little of 28 rad.
    ASSERT_NEAR(table.column("pin.angle")[i], phi, 10.0 * tolerance) << table.time[i];
    ASSERT_NEAR(table.column("coil.torque")[i], -2.0 * phi, 20.0 * tolerance) << table.time[i];
  }
}

TEST(Turns, SurviveEventsAndLongOutputIntervals) {
  for (const char* space : {"planar", "spatial"}) {
    for (const char* output_step : {"22 ms", "2.2 s"}) {
      SCOPED_TRACE(std::string(space) + ", " + output_step);
      EXPECT_GT(with_every_integrator(described(wound_up(space, output_step)), expect_wound_up),
                10);
    }
  }
}

TEST(Turns, OfATorsionSpringInSpace) {
  const results::Table table = run(trial("windup"), "absolute");
  const double rate = std::sqrt(2.0);
  EXPECT_NEAR(table.column("pin.angle").back(), 10.0 / rate * std::sin(2.0 * rate), 1e-3);
}

// A drive begins on its own branch, and so does what reads the driven angle.
TEST(Turns, BeginWhereTheDriveDoes) {
  for (const char* coordinates : {"absolute", "relative"}) {
    const results::Table table = run(trial("drive270"), coordinates);
    EXPECT_NEAR(table.column("pin.angle").front(), 1.5 * pi, 1e-9);
    EXPECT_NEAR(table.column("pin.angle").back(), 2.0 * pi, 1e-9);
  }
}

// Without a drive, the stated turn of the body says where the count begins, as in the plane.
TEST(Turns, BeginWithTheStatedTurn) {
  for (const char* angle : {"270 deg", "-450 deg", "180 deg", "90 deg"}) {
    const auto model = [&](bool planar) {
      return described(std::string("trammel: 1\nspace: ") + (planar ? "planar" : "spatial") + R"(
bodies:
  wheel: {mass: 1, inertia: )" +
                       (planar ? "1, angle: " : "[1, 1, 1], orientation: {axis: z, angle: ") +
                       angle + (planar ? "}" : "}}") + R"(
joints:
  pin: {type: revolute, between: [ground, wheel]}
forces:
  coil: {type: rotational_spring, between: [ground, wheel], stiffness: 2}
simulation: {until: 1 ms}
)");
    };
    const results::Table plane = run(model(true), "absolute");
    const results::Table space = run(model(false), "absolute");
    EXPECT_NEAR(plane.column("pin.angle").front(), space.column("pin.angle").front(), 1e-12)
        << angle;
    EXPECT_NEAR(plane.column("coil.torque").front(), space.column("coil.torque").front(), 1e-12)
        << angle;
  }
}

// A rotation vector cannot be continued over half a turn, as an angle about one axis can: that a
// bushing in space was wound up beyond it is told, by name and time.
TEST(Turns, OfBushingsInSpaceAreToldBeyondHalfATurn) {
  const auto wound = [](const std::string& speed, const std::string& stiffness) {
    model::Description d = described(R"(
trammel: 1
space: spatial
bodies:
  wheel: {mass: 1, inertia: [1, 1, 1]}
joints:
  pin: {type: revolute, between: [ground, wheel], axis: z}
forces:
  mount: {type: bushing, between: [ground, wheel], rotational_stiffness: )" +
                                     stiffness + R"(}
drives:
  motor: {type: position, coordinate: pin.angle, motion: ")" +
                                     speed + R"( * time"}
simulation: {until: 1 s, step: 1 ms}
)");
    return d;
  };
  for (const char* coordinates : {"absolute", "relative"}) {
    const auto report = [&](model::Description d) {
      d.simulation.coordinates = coordinates;
      const auto compiled = formulation::compile_model(d);
      return simulate(*compiled.system, d.simulation);
    };
    // Half a turn after pi/4 s, three halves after 3 pi/4 s are beyond the end.
    const SimulationReport beyond = report(wound("4 rad/s", "[5, 5, 5]"));
    const auto told = [](const SimulationReport& r) {
      std::string all;
      for (const Doubt& doubt : r.doubts) all += to_string(doubt) + "\n";
      return all;
    };
    EXPECT_NE(told(beyond).find("'mount' passed half a turn once, first at t = 0.786 s"),
              std::string::npos)
        << told(beyond);
    EXPECT_NE(told(beyond).find("coordinate_spring"), std::string::npos);
    EXPECT_EQ(told(report(wound("3 rad/s", "[5, 5, 5]"))), "");
    EXPECT_EQ(told(report(wound("4 rad/s", "[0, 0, 0]"))), "");
  }
}

}  // namespace
}  // namespace trammel::analysis::turns_test
