// Where the count of turns begins: with the turns that were stated, of both bodies and both frames,
// and where a drive leads on from there. Whatever reads an angle between the same two frames
// agrees, in the plane and in space, in absolute and relative coordinates, in runs, kinematics and
// statics.
#include <cmath>
#include <functional>
#include <numbers>

#include "analysis_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/kinematics.h"
#include "trammel/analysis/named_coordinates.h"
#include "trammel/analysis/simulate.h"
#include "trammel/analysis/statics.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {
namespace {

constexpr double one_degree = std::numbers::pi / 180.0;
constexpr double exact = 1e-9;  // a lost turn is 6.28 rad

const std::vector<double> stated_angles{-720, -540, -450, -360, -270, -200, -180, -135, 0,  30,
                                        170,  180,  200,  225,  360,  370,  450,  540,  720};

// Where a turn may be stated, degrees.
struct Turns {
  double ground = 0.0;  ///< of the frame on the ground
  double body = 0.0;
  double frame = 0.0;  ///< on the body
  double angle() const { return (body + frame - ground) * one_degree; }
};

std::vector<Turns> places_of(double angle) {
  return {{0, angle, 0},          {angle, 0, 0},       {0, 0, angle},
          {angle, angle, 0},      {0, angle, -angle},  {angle, 0, angle},
          {angle - 20, angle, 0}, {100, angle, 100.0}, {0.5 * angle, angle, 0.5 * angle}};
}

std::string turned(bool planar, double angle) {
  return planar ? fmt::format("angle: {} deg", angle)
                : fmt::format("orientation: {{axis: z, angle: {} deg}}", angle);
}

std::string start_of(bool planar) {
  return fmt::format("trammel: 1\nspace: {}\n", planar ? "planar" : "spatial");
}

// All that reads the angle between ground.g and wheel.f, or that of a joint made by `at`.
std::string readers(bool planar, const Turns& turns, bool at, const std::string& more) {
  const std::string inertia = planar ? "1" : "[1, 1, 1]";
  std::string text = start_of(planar);
  text += fmt::format("ground: {{frames: {{g: {{position: {}, {}}}}}}}\n",
                      planar ? "[0, 0]" : "[0, 0, 0]", turned(planar, turns.ground));
  text += fmt::format(
      "bodies:\n  wheel: {{mass: 1, inertia: {}, {}, frames: {{f: {{position: {}, {}}}}}}}\n",
      inertia, turned(planar, turns.body), planar ? "[0, 0]" : "[0, 0, 0]",
      turned(planar, turns.frame));
  text += fmt::format("  second: {{mass: 1, inertia: {}}}\n", inertia);
  text += at ? fmt::format("joints:\n  pin: {{type: revolute, between: [ground, wheel], at: {}}}\n",
                           planar ? "[0, 0]" : "[0, 0, 0]")
             : "joints:\n  pin: {type: revolute, between: [ground.g, wheel.f]}\n";
  text += R"(  pin2: {type: revolute, between: [ground, second]}
couplings:
  pair: {type: gear, coordinates: [pin.angle, pin2.angle], ratio: -0.5}
sensors:
  turned: {type: angle, between: [ground.g, wheel.f]}
  doubled: {type: formula, formula: "2 * pin.angle"}
forces:
  coil: {type: rotational_spring, between: [ground.g, wheel.f], stiffness: 2}
  line: {type: coordinate_spring, coordinate: pin.angle, stiffness: 3}
  stop: {type: coordinate_stop, coordinate: pin.angle, upper: 0.1, lower: -0.1, stiffness: 10}
)";
  return text + more;
}

void expect_angle(double pin,
                  double between_frames,
                  const std::function<double(const char*)>& value) {
  EXPECT_NEAR(value("pin.angle"), pin, exact);
  EXPECT_NEAR(value("doubled"), 2.0 * pin, exact);
  EXPECT_NEAR(value("line.load"), -3.0 * pin, 10.0 * exact);
  const double beyond = pin > 0.1 ? pin - 0.1 : std::min(0.0, pin + 0.1);
  EXPECT_NEAR(value("stop.load"), -10.0 * beyond, 20.0 * exact);
  EXPECT_NEAR(value("turned"), between_frames, exact);
  EXPECT_NEAR(value("coil.angle"), between_frames, exact);
  EXPECT_NEAR(value("coil.torque"), -2.0 * between_frames, 10.0 * exact);
}

enum class Analysis { run, kinematics };

results::Table table_of(const std::string& text, const char* coordinates, Analysis analysis) {
  model::Description d = described(text);
  d.simulation.coordinates = coordinates;
  const auto compiled = formulation::compile_model(d);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  if (analysis == Analysis::run) {
    simulate(*compiled.system, d.simulation, options);
  } else {
    kinematics(*compiled.system, d.simulation, drive_names(d), options);
  }
  return sink.take();
}

std::function<double(const char*)> row_of(const results::Table& table, std::size_t row) {
  return [&table, row](const char* name) { return table.column(name)[row]; };
}

const std::string short_run = "simulation: {until: 1 ms, step: 1 ms, output_step: 1 ms}\n";

TEST(StatedTurns, OfBodiesAndFramesAddUp) {
  for (const bool planar : {true, false}) {
    for (const double angle : stated_angles) {
      for (const Turns& turns : places_of(angle)) {
        for (const char* coordinates : {"absolute", "relative"}) {
          SCOPED_TRACE(fmt::format("{}, {}: ground {}, body {}, frame {}",
                                   planar ? "plane" : "space", coordinates, turns.ground,
                                   turns.body, turns.frame));
          const results::Table table =
              table_of(readers(planar, turns, false, short_run), coordinates, Analysis::run);
          expect_angle(turns.angle(), turns.angle(), row_of(table, 0));
          EXPECT_NEAR(table.column("pin2.angle")[0], 0.0, exact);
        }
      }
    }
  }
}

// A joint made by `at` has world axes on both sides as described: its angle begins at zero.
TEST(StatedTurns, DoNotCountInJointsMadeAtAPoint) {
  for (const bool planar : {true, false}) {
    for (const double angle : stated_angles) {
      const Turns turns{0.0, angle, 0.0};
      for (const char* coordinates : {"absolute", "relative"}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", planar ? "plane" : "space", coordinates, angle));
        const results::Table table =
            table_of(readers(planar, turns, true, short_run), coordinates, Analysis::run);
        expect_angle(0.0, turns.angle(), row_of(table, 0));
      }
    }
  }
}

// The springs unwind whatever was stated.
TEST(StatedTurns, AreUnwoundBySprings) {
  for (const bool planar : {true, false}) {
    for (const double angle : {-720.0, -200.0, 225.0, 450.0}) {
      for (const char* coordinates : {"absolute", "relative"}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", planar ? "plane" : "space", coordinates, angle));
        model::Description d = described(readers(planar, {0.0, angle, 0.0}, false, short_run));
        d.simulation.coordinates = coordinates;
        const auto compiled = formulation::compile_model(d);
        const StaticsReport report = statics(*compiled.system, {});
        Observer observer(*compiled.system);
        const std::vector<double> values = observer.observe(report.motion);
        const auto value = [&](const std::string& name) {
          for (std::size_t i = 0; i < values.size(); ++i) {
            if (observer.quantities()[i].name == name) return values[i];
          }
          ADD_FAILURE() << name;
          return 0.0;
        };
        EXPECT_NEAR(value("pin.angle"), 0.0, exact);
        EXPECT_NEAR(value("turned"), 0.0, exact);
        EXPECT_NEAR(value("coil.torque"), 0.0, exact);
        EXPECT_NEAR(value("pin2.angle"), 0.5 * angle * one_degree, exact);
      }
    }
  }
}

// Assembly carries the wheel from where it was stated to where its drive begins, and everything
// that hangs on it: a gear, and a body that is fixed to it.
TEST(DrivenTurns, AreFollowedByWhateverReadsThem) {
  for (const bool planar : {true, false}) {
    for (const double stated : {0.0, -90.0, 450.0}) {
      for (const double driven : {-720.0, -90.0, 170.0, 270.0, 700.0}) {
        const std::string more = fmt::format(R"(
drives:
  motor: {{type: position, coordinate: pin.angle, motion: "{} deg + 1 rad/s * time"}}
simulation: {{until: 20 ms, step: 10 ms, output_step: 10 ms}}
)",
                                             driven);
        std::string text = readers(planar, {0.0, stated, 0.0}, false, more);
        const std::string second = "  second: {";
        text.insert(text.find(second),
                    fmt::format("  rider: {{mass: 1, inertia: {}, {}}}\n",
                                planar ? "1" : "[1, 1, 1]", turned(planar, stated)));
        text.insert(text.find("  pin2:"), "  weld: {type: fixed, between: [wheel, rider]}\n");
        text.insert(text.find("  doubled:"), "  rides: {type: angle, between: [ground, rider]}\n");
        for (const char* coordinates : {"absolute", "relative"}) {
          for (const Analysis analysis : {Analysis::run, Analysis::kinematics}) {
            SCOPED_TRACE(fmt::format("{}, {}, stated {}, driven {}", planar ? "plane" : "space",
                                     coordinates, stated, driven));
            const results::Table table = table_of(text, coordinates, analysis);
            ASSERT_EQ(table.rows(), 3U);
            for (std::size_t i = 0; i < table.rows(); ++i) {
              const double angle = driven * one_degree + table.time[i];
              expect_angle(angle, angle, row_of(table, i));
              EXPECT_NEAR(table.column("rides")[i], angle, exact);
              EXPECT_NEAR(table.column("pin2.angle")[i], -0.5 * (angle - stated * one_degree),
                          exact);
            }
          }
        }
      }
    }
  }
}

// Turns about other axes of the same joints, and orientations that are written in other ways.
TEST(StatedTurns, CountHoweverTheyAreWritten) {
  struct Case {
    const char* orientation;
    const char* axis;
    double angle;  ///< degrees
  };
  for (const Case& c : {Case{"{axis: x, angle: 450 deg}", "x", 450},
                        Case{"{axis: [1, 1, 0], angle: -400 deg}", "[1, 1, 0]", -400},
                        Case{"{axis: -z, angle: 200 deg}", "z", -200},
                        Case{"{euler: zxz, angles: [100 deg, 0, 150 deg]}", "z", 250},
                        Case{"{euler: xyz, angles: [0, -300 deg, 0]}", "y", -300},
                        Case{"{axis: y, angle: 300 deg}", "-y", -300},
                        Case{"{quaternion: [1, 0, 0, -1]}", "z", -90}}) {
    SCOPED_TRACE(c.orientation);
    const std::string text = fmt::format(R"(
trammel: 1
space: spatial
bodies:
  wheel: {{mass: 1, inertia: [1, 1, 1], orientation: {}}}
joints:
  pin: {{type: revolute, between: [ground, wheel], axis: {}}}
sensors:
  turned: {{type: angle, between: [ground, wheel], axis: {}}}
{})",
                                         c.orientation, c.axis, c.axis, short_run);
    const results::Table table = table_of(text, "absolute", Analysis::run);
    EXPECT_NEAR(table.column("pin.angle")[0], c.angle * one_degree, exact);
    EXPECT_NEAR(table.column("turned")[0], c.angle * one_degree, exact);
  }
}

// A quaternion cannot tell whole turns: its drive does, and nothing has to move.
TEST(DrivenTurns, AreThoseOfTheDriveWhereTheOrientationHasNone) {
  for (const char* coordinates : {"absolute", "relative"}) {
    const results::Table table = table_of(R"(
trammel: 1
space: spatial
bodies:
  wheel: {mass: 1, inertia: [1, 1, 1], orientation: {quaternion: [1, 0, 0, -1]}}
  second: {mass: 1, inertia: [1, 1, 1]}
joints:
  pin: {type: revolute, between: [ground, wheel]}
  pin2: {type: revolute, between: [ground, second]}
couplings:
  pair: {type: gear, coordinates: [pin.angle, pin2.angle], ratio: 0.5}
drives:
  motor: {type: position, coordinate: pin.angle, motion: "270 deg"}
sensors:
  turned: {type: angle, between: [ground, wheel]}
)" + short_run,
                                          coordinates, Analysis::run);
    EXPECT_NEAR(table.column("pin.angle")[0], 270 * one_degree, exact);
    EXPECT_NEAR(table.column("turned")[0], 270 * one_degree, exact);
    EXPECT_NEAR(table.column("pin2.angle")[0], 0.0, exact);
  }
}

// A part that is placed with a turn has all its frames turned with it.
TEST(StatedTurns, OfInstancesAreSharedByTheirParts) {
  for (const bool planar : {true, false}) {
    for (const double angle : {-300.0, 200.0, 700.0}) {
      SCOPED_TRACE(angle);
      const std::string text =
          start_of(planar) + fmt::format(R"(
assemblies:
  leg:
    bodies:
      arm: {{mass: 1, inertia: {}, {}}}
    joints:
      hip: {{type: revolute, between: [ground, arm]}}
      knee: {{type: revolute, between: [ground, arm], at: {}}}
    sensors:
      turned: {{type: angle, between: [ground, arm]}}
instances:
  left: {{assembly: leg, place: {{position: {}, {}}}}}
sensors:
  whole: {{type: angle, between: [ground, left.arm]}}
{})",
                                         planar ? "1" : "[1, 1, 1]", turned(planar, 210.0),
                                         planar ? "[0, 0]" : "[0, 0, 0]",
                                         planar ? "[1, 2]" : "[1, 2, 3]", turned(planar, angle),
                                         short_run);
      const results::Table table = table_of(text, "absolute", Analysis::run);
      EXPECT_NEAR(table.column("left.hip.angle")[0], 210 * one_degree, exact);
      EXPECT_NEAR(table.column("left.turned")[0], 210 * one_degree, exact);
      EXPECT_NEAR(table.column("left.knee.angle")[0], 0.0, exact);
      EXPECT_NEAR(table.column("whole")[0], (210 + angle) * one_degree, exact);
    }
  }
}

}  // namespace
}  // namespace trammel::analysis
