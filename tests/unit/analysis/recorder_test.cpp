#include "trammel/analysis/recorder.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::recorder_test {
namespace {

model::Description pendulum() {
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -9.81, 0};
  model::Body body;
  body.name = "rod";
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  body.position = {0.4, 0, 0};
  body.frames = {{.name = "hook", .position = {-0.4, 0, 0}}};
  d.add_body(body);
  d.add_joint("revolute", "pin", "ground", "rod.hook");
  d.simulation.until = 0.3;
  d.simulation.step = 1e-3;
  return d;
}

results::Table recorded(const model::Description& d, std::vector<std::string> channels) {
  const auto compiled = formulation::compile_model(d);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  options.channels = std::move(channels);
  const SimulationReport report = simulate(*compiled.system, d.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
  return sink.take();
}

// r = M v' + G^T lambda - f, so that the joint pushes with -lambda along its rows.
TEST(Recorder, WritesMultipliersByRowWhereTheyAreAskedFor) {
  const model::Description d = pendulum();
  const results::Table all = recorded(d, {"*", "multiplier.*"});
  const results::Table plain = recorded(d, {});
  const auto is_multiplier = [](const results::Channel& channel) {
    return channel.name.rfind("multiplier.", 0) == 0;
  };
  EXPECT_EQ(std::count_if(plain.channels.begin(), plain.channels.end(), is_multiplier), 0);
  EXPECT_EQ(std::count_if(all.channels.begin(), all.channels.end(), is_multiplier), 2);
  EXPECT_EQ(all.channels.size(), plain.channels.size() + 2);
  for (const char* axis : {"x", "y"}) {
    const auto lambda = all.column(std::string("multiplier.pin.point_") + axis);
    const auto force = all.column(std::string("pin.reaction.force.") + axis);
    for (std::size_t i = 0; i < all.rows(); i += 50) EXPECT_NEAR(-lambda[i], force[i], 1e-12);
    EXPECT_GT(std::abs(force.back()), 0.1);
  }
  const results::Table one = recorded(d, {"multiplier.pin.point_y"});
  ASSERT_EQ(one.channels.size(), 1U);
  EXPECT_EQ(one.column("multiplier.pin.point_y").back(),
            all.column("multiplier.pin.point_y").back());
}

TEST(Recorder, OfATreeHasNoRows) {
  model::Description d = pendulum();
  d.simulation.coordinates = "relative";
  EXPECT_THROW(recorded(d, {"multiplier.*"}), core::InputError);
}

}  // namespace
}  // namespace trammel::analysis::recorder_test
