// A model in other units is the same model: lengths, masses and times multiplied, it takes the same
// iterations and moves in the same way. What would break this are tolerances in metres, newtons or
// seconds inside.
#include <cmath>
#include <functional>

#include "support/mechanisms.h"
#include "support/scaled_model.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"

namespace trammel::analysis::scale_law_test {
namespace {

using support::Units;

struct Case {
  const char* name;
  std::function<model::Description()> model;
};

model::Description shortened(model::Description d) {
  d.simulation.until = 0.2;
  d.simulation.step = 1e-3;
  return d;
}

model::Description crank_with_spring() {
  model::Description d = support::slider_crank();
  d.add_force("spring", "string", {"ground", "slider"},
              {{"stiffness", 50.0}, {"damping", 2.0}, {"length", 0.3}});
  return shortened(d);
}

// A joint twice, and friction that its reaction makes.
model::Description redundant_chain_with_friction() {
  model::Description d = support::chain(4, model::Space::spatial);
  const model::Item first = d.joints.front();
  d.add_joint(first.type, "again", first.attachments[0], first.attachments[1], first.values);
  d.add_force("joint_friction", "rub", {},
              {{"coordinate", d.joints[1].name + ".angle"},
               {"radius", 0.02},
               {"friction", 0.2},
               {"slip_speed", 0.01}});
  return shortened(d);
}

// A second ball tells how large the model is: one body alone is taken for a model of 1 m.
model::Description bouncing_ball() {
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -9.81, 0};
  model::Body ball;
  ball.name = "ball";
  ball.mass = {.mass = 1.0, .inertia = 0.004 * Eigen::Matrix3d::Identity()};
  ball.position = {0.0, 0.12, 0.0};
  ball.velocity = {1.0, 0.0, 0.0};
  d.add_body(ball);
  model::Body other = ball;
  other.name = "other";
  other.position = {0.5, 0.3, 0.0};
  d.add_body(other);
  d.add_force("tyre_spring", "floor", {"ground", "ball"},
              {{"normal", Eigen::Vector3d(0, 1, 0)},
               {"radius", 0.1},
               {"stiffness", 1e4},
               {"damping", 20.0}});
  return shortened(d);
}

model::Description driven_crank() {
  model::Description d = support::slider_crank();
  d.parameters["speed"] = {10.0, core::dimension::angular_velocity};
  d.add_drive("position", "motor",
              {{"coordinate", d.joints.front().name + ".angle"},
               {"motion", std::string("0.25*pi*(1 rad) + speed*time")}});
  return shortened(d);
}

// Falls until the rope is taut.
model::Description rope() {
  model::Description d = bouncing_ball();
  d.forces.clear();
  d.bodies[0].position = {0.9, -0.4, 0.0};
  d.add_joint("distance", "rope", "ground", "ball",
              {{"length", 1.0}, {"unilateral", true}, {"starts_open", true}});
  return shortened(d);
}

class ScaleLaw : public testing::TestWithParam<Case> {};

SimulationReport run(const model::Description& description) {
  const auto system = model::compile(description);
  return simulate(*system, description.simulation, {});
}

// From the described to the last position, over the model's own sizes.
system::Vector way(const model::ModelSystem& system, const SimulationReport& report) {
  system::Vector x(system.sizes().v);
  system.logarithm(system.described_state().q, report.final_motion.state.q, x);
  return x.cwiseQuotient(system.displacement_scale());
}

TEST_P(ScaleLaw, OtherUnitsChangeNothing) {
  const model::Description described = GetParam().model();
  const SimulationReport here = run(described);
  ASSERT_EQ(here.outcome, results::Outcome::completed) << here.message;
  const auto system = model::compile(described);
  for (const Units& units : {Units{1e-6, 1e-15, 1e-3}, Units{1e-3, 1e-6, 1e-2},
                             Units{1e3, 1e9, 1e2}, Units{1e5, 1e3, 1e4}}) {
    SCOPED_TRACE(testing::Message() << "length " << units.length << ", mass " << units.mass
                                    << ", time " << units.time);
    const SimulationReport there = run(support::in_units(described, units));
    ASSERT_EQ(there.outcome, results::Outcome::completed) << there.message;
    for (const char* count : {"newton_iterations", "factorisations"}) {
      EXPECT_EQ(there.statistics.at(count), here.statistics.at(count)) << count;
    }
    EXPECT_EQ(there.assembly.iterations, here.assembly.iterations);
    EXPECT_EQ(there.assembly.mobility.rank, here.assembly.mobility.rank);
    // In model sizes and radians; round-off grows along the motion.
    const auto other = model::compile(support::in_units(described, units));
    EXPECT_LE((way(*other, there) - way(*system, here)).lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models,
    ScaleLaw,
    testing::Values(Case{"crank_with_spring", crank_with_spring},
                    Case{"spatial_slider_crank",
                         [] { return shortened(support::spatial_slider_crank()); }},
                    Case{"bricard", [] { return shortened(support::bricard()); }},
                    Case{"redundant_chain_with_friction", redundant_chain_with_friction},
                    Case{"bouncing_ball", bouncing_ball},
                    Case{"driven_crank", driven_crank},
                    Case{"rope", rope},
                    Case{"heavy_top", [] { return shortened(support::heavy_top()); }}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace trammel::analysis::scale_law_test
