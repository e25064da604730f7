// The tip of an arm that follows a prescribed path, told by positions or by velocities [Chiou1990,
// 7.6]: nonholonomic rows of a point of the last link give the motion and the loads of holonomic
// ones.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::tip_drive_test {
namespace {

constexpr double pi = 3.14159265358979323846;

// Links of 1 m and 0.8 m; the tip begins at (1, 0.8) and goes to (1.3, 0.4) within 2 s, at rest
// before and after.
model::Description arm(bool spatial) {
  model::Description d;
  d.space = spatial ? model::Space::spatial : model::Space::planar;
  d.gravity = {0, -9.81, 0};
  const auto link = [&](const char* name, double mass, double length, const Eigen::Vector3d& at,
                        double angle) {
    model::Body body;
    body.name = name;
    body.mass = {.mass = mass,
                 .inertia = mass * length * length / 12.0 * Eigen::Matrix3d::Identity()};
    body.position = at;
    body.angle = angle;
    body.orientation = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ());
    body.frames = {{.name = "root", .position = {-0.5 * length, 0, 0}},
                   {.name = "tip", .position = {0.5 * length, 0, 0}}};
    d.add_body(body);
  };
  link("upper", 2.0, 1.0, {0.5, 0, 0}, 0.0);
  link("lower", 1.5, 0.8, {1.0, 0.4, 0}, 0.5 * pi);
  d.add_joint("revolute", "shoulder", "ground", "upper.root");
  d.add_joint("revolute", "elbow", "upper.tip", "lower.root");
  d.add_sensor("displacement", "x", {"ground", "lower.tip"}, {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.add_sensor("displacement", "y", {"ground", "lower.tip"}, {{"axis", Eigen::Vector3d(0, 1, 0)}});
  d.simulation.until = 2.0;
  d.simulation.step = 1e-3;
  return d;
}

// From 0 to 1 within 2 s: s = t/2 - sin(pi t)/(2 pi), s' = (1 - cos(pi t))/2.
double way(double t) {
  return 0.5 * t - std::sin(pi * t) / (2.0 * pi);
}

results::Table driven(bool spatial, const std::string& type, const std::string& coordinates) {
  model::Description d = arm(spatial);
  const bool position = type == "position";
  const std::string s =
      position ? "(0.5*time/(1 s) - sin(pi*time/(1 s))/(2*pi))" : "(0.5 - 0.5*cos(pi*time/(1 s)))";
  const std::string unit = position ? " m" : " m/s";
  const auto motion = [&](double from, double to) {
    return (position ? std::to_string(from) + unit + " + " : std::string()) + "(" +
           std::to_string(to - from) + unit + ")*" + s;
  };
  d.add_drive(type, "drive_x", {{"coordinate", std::string("x")}, {"motion", motion(1.0, 1.3)}});
  d.add_drive(type, "drive_y", {{"coordinate", std::string("y")}, {"motion", motion(0.8, 0.4)}});
  d.simulation.coordinates = coordinates;
  const auto compiled = formulation::compile_model(d);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const SimulationReport report = simulate(*compiled.system, d.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
  return sink.take();
}

TEST(TipDrive, ByPositionsAndByVelocitiesIsTheSameMotionWithTheSameLoads) {
  for (const bool spatial : {false, true}) {
    for (const char* coordinates : {"absolute", "relative"}) {
      SCOPED_TRACE(std::string(spatial ? "spatial " : "planar ") + coordinates);
      const results::Table positions = driven(spatial, "position", coordinates);
      const results::Table velocities = driven(spatial, "velocity", coordinates);
      ASSERT_EQ(positions.rows(), velocities.rows());
      for (const std::size_t i : {std::size_t{700}, std::size_t{1500}, positions.rows() - 1}) {
        const double t = positions.time[i];
        EXPECT_NEAR(positions.column("x")[i], 1.0 + 0.3 * way(t), 1e-9);
        EXPECT_NEAR(positions.column("y")[i], 0.8 - 0.4 * way(t), 1e-9);
        // Velocities are integrated: second order, (h^2/12) times the third derivative of the way.
        EXPECT_NEAR(velocities.column("x")[i], 1.0 + 0.3 * way(t), 1e-6);
        EXPECT_NEAR(velocities.column("y")[i], 0.8 - 0.4 * way(t), 1e-6);
        for (const char* channel : {"shoulder.angle", "elbow.angle"}) {
          EXPECT_NEAR(velocities.column(channel)[i], positions.column(channel)[i], 5e-6) << channel;
        }
        for (const char* channel : {"drive_x.load", "drive_y.load"}) {
          EXPECT_NEAR(velocities.column(channel)[i], positions.column(channel)[i], 2e-4) << channel;
        }
      }
      // At rest again the tip's loads hold the weight about both joints, by virtual work:
      // J^T F = torques of gravity.
      const std::size_t end = positions.rows() - 1;
      const double a = positions.column("shoulder.angle")[end];
      const double b = a + positions.column("elbow.angle")[end];
      const double F_x = positions.column("drive_x.load")[end];
      const double F_y = positions.column("drive_y.load")[end];
      const double g = 9.81;
      EXPECT_NEAR(-std::sin(a) * F_x + std::cos(a) * F_y, (0.5 * 2.0 + 1.5) * g * std::cos(a),
                  1e-3);
      EXPECT_NEAR(-0.8 * std::sin(b) * F_x + 0.8 * std::cos(b) * F_y, 1.5 * 0.4 * g * std::cos(b),
                  1e-3);
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::tip_drive_test
