// A mirrored sub-assembly moves as the mirror image of the original, and one that is turned as a
// whole, ground included, moves as the turned original does.
#include <cmath>
#include <string>
#include <vector>

#include "full_vocabulary.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/io/model_file.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::mirrored_assembly_test {
namespace {

constexpr const char* spatial_arm = R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
assemblies:
  arm:
    ground: {frames: {post: {position: [0.1, 0.2, 0.3], orientation: {axis: [1, 2, 0], angle: 20 deg}}}}
    bodies:
      upper:
        shape: {box: {size: [0.4, 0.1, 0.05], mass: 2 kg}, position: [0.2, 0.02, 0.01]}
        position: [0.1, 0.2, 0.3]
        orientation: {axis: [1, 2, 0], angle: 20 deg}
        frames: {inner: [0, 0, 0], outer: {position: [0.4, 0.05, 0], orientation: {axis: x, angle: 30 deg}}}
      lower:
        mass: 1 kg
        center: [0.1, 0.03, -0.02]
        inertia: [0.02, 0.03, 0.04, 0.001, -0.002, 0.003]
        position: [0.48, 0.23, 0.16]
        orientation: {axis: [2, 1, 1], angle: 40 deg}
    joints:
      shoulder: {type: revolute, between: [ground.post, upper.inner], axis: [0, 1, 0.5]}
      elbow: {type: spherical, between: [upper.outer, lower]}
    forces:
      coil: {type: rotational_spring, between: [ground.post, upper.inner], axis: [0, 1, 0.5], stiffness: 3 N m/rad, angle: 0.4}
      strut: {type: spring, between: [ground, lower], stiffness: 40 N/m, length: 0.3, damping: 1 N s/m}
      push: {type: force, on: lower, force: [1, 2, 3]}
      twist: {type: torque, on: lower, torque: [0.1, -0.2, 0.05], axes: body}
instances:
  left: {assembly: arm}
  right: {assembly: arm, mirror: xz, place: [0, -2, 0]}
simulation: {until: 0.3 s, step: 1 ms}
)";

constexpr const char* planar_arm = R"(
trammel: 1
space: planar
gravity: [0, -9.81]
assemblies:
  arm:
    bodies:
      rod: {shape: {rod: {length: 1, mass: 2 kg}}, position: [0.5, 0.1], angle: 0.2, frames: {start: [-0.5, 0], end: [0.5, 0]}}
      block: {mass: 1, inertia: 0.1, position: [1, 0.2], velocity: [0.3, 0.4], angular_velocity: 1}
    joints:
      pin: {type: revolute, between: [ground, rod.start]}
      rail: {type: prismatic, between: [rod, block], at: [1, 0.2], axis: [1, 0.3]}
    forces:
      coil: {type: rotational_spring, between: [ground, rod.start], stiffness: 3 N m/rad, angle: 0.4}
      load: {type: torque, on: rod, torque: 0.5}
      push: {type: force, on: block, force: [1, 2]}
instances:
  left: {assembly: arm}
  right: {assembly: arm, mirror: y}
simulation: {until: 0.3 s, step: 1 ms}
)";

results::Table run(const std::string& text, const std::vector<std::string>& channels) {
  const io::ModelFile file = io::read_model_text(text, "model", full_vocabulary());
  const auto system = model::compile(file.description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  options.channels = channels;
  const SimulationReport report = simulate(*system, file.description.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
  return sink.table();
}

/// `right` = shift + sign * `left` at the end of the run.
struct Pair {
  std::string left;
  std::string right;
  double sign = 1.0;
  double shift = 0.0;
};

void expect_images(const std::string& text, const std::vector<Pair>& pairs, double tolerance) {
  std::vector<std::string> channels;
  for (const Pair& pair : pairs) channels.insert(channels.end(), {pair.left, pair.right});
  const results::Table table = run(text, channels);
  const std::size_t last = table.rows() - 1;
  for (const Pair& pair : pairs) {
    const double left = table.column(table.find(pair.left))[last];
    const double start = table.column(table.find(pair.left))[0];
    EXPECT_GT(std::abs(left - start), 1e-3) << pair.left << " must move for this to mean anything";
    EXPECT_NEAR(table.column(table.find(pair.right))[last], pair.shift + pair.sign * left,
                tolerance)
        << pair.right;
  }
}

// Both halves are solved in one system by Newton's iteration, whose tolerance is far below this.
constexpr double iteration = 1e-7;

TEST(MirroredAssembly, MovesAsTheImageInSpace) {
  expect_images(spatial_arm,
                {{"left.lower.position.x", "right.lower.position.x"},
                 {"left.lower.position.y", "right.lower.position.y", -1.0, -2.0},
                 {"left.lower.position.z", "right.lower.position.z"},
                 {"left.lower.angular_velocity.x", "right.lower.angular_velocity.x", -1.0},
                 {"left.lower.angular_velocity.y", "right.lower.angular_velocity.y"},
                 {"left.lower.angular_velocity.z", "right.lower.angular_velocity.z", -1.0},
                 {"left.shoulder.angle", "right.shoulder.angle"}},
                iteration);
}

TEST(MirroredAssembly, MovesAsTheImageInThePlane) {
  expect_images(planar_arm,
                {{"left.block.position.x", "right.block.position.x", -1.0},
                 {"left.block.position.y", "right.block.position.y"},
                 {"left.rod.angle", "right.rod.angle", -1.0},
                 {"left.rail.displacement", "right.rail.displacement"}},
                iteration);
}

TEST(PlacedAssembly, MovesAsTheTurnedOriginal) {
  // Without gravity, which does not turn, a placed copy repeats the original in its own axes.
  std::string text = spatial_arm;
  text.replace(text.find("[0, 0, -9.81]"), 13, "[0, 0, 0]");
  const std::string mirrored = "mirror: xz, place: [0, -2, 0]";
  text.replace(text.find(mirrored), mirrored.size(),
               "place: {position: [0, -2, 0], orientation: {axis: z, angle: 90 deg}}");
  expect_images(text,
                {{"left.lower.position.x", "right.lower.position.y", 1.0, -2.0},
                 {"left.lower.position.y", "right.lower.position.x", -1.0},
                 {"left.lower.position.z", "right.lower.position.z"},
                 {"left.lower.angular_velocity.x", "right.lower.angular_velocity.x"},
                 {"left.shoulder.angle", "right.shoulder.angle"}},
                iteration);
}

}  // namespace
}  // namespace trammel::analysis::mirrored_assembly_test
