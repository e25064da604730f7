// Far from the origin, and large: positions there are known to round-off of their own size, which
// no step size mends. Every integrator moves a model as it moves it near the origin, as well as
// numbers of that size can tell.
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "analysis_models.h"
#include "support/mechanisms.h"
#include "support/moved_model.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/kinds.h"

namespace trammel::analysis::far_from_origin_test {
namespace {

struct Case {
  const char* name;
  std::function<model::Description()> model;
  std::string coordinates = "absolute";
};

struct Ran {
  std::unique_ptr<model::ModelSystem> system;
  SimulationReport report;
};

Ran run(const model::Description& description) {
  Ran ran;
  ran.system = formulation::compile_model(description).system;
  ran.report = simulate(*ran.system, description.simulation, {});
  return ran;
}

// From the described to the last position, in model sizes and radians.
system::Vector way(const Ran& ran) {
  system::Vector x(ran.system->sizes().v);
  ran.system->logarithm(ran.system->described_state().q, ran.report.final_motion.state.q, x);
  return x.cwiseQuotient(ran.system->displacement_scale());
}

// Two links of 1 m and 1 kg on revolute joints.
model::Description double_pendulum() {
  return described(R"(
trammel: 1
space: spatial
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2], position: [0.5, 0, 0], frames: {l: [-0.5, 0, 0], r: [0.5, 0, 0]}}
  b: {mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2], position: [1.5, 0, 0], frames: {l: [-0.5, 0, 0], r: [0.5, 0, 0]}}
joints:
  j0: {type: revolute, between: [ground, a.l], axis: z}
  j1: {type: revolute, between: [a.r, b.l], axis: z}
)");
}

// Stiff springs read differences of large numbers, too.
model::Description crank_with_spring() {
  model::Description d = support::slider_crank();
  d.add_force("spring", "string", {"ground", "slider"},
              {{"stiffness", 5e3}, {"damping", 2.0}, {"length", 0.3}});
  return d;
}

class FarFromOrigin : public testing::TestWithParam<Case> {};

TEST_P(FarFromOrigin, EveryIntegratorMovesModelsAsNearIt) {
  model::Description near = GetParam().model();
  near.simulation.coordinates = GetParam().coordinates;
  near.simulation.until = 0.1;
  near.simulation.step = 1e-3;
  near.simulation.output_step = 0.1;
  model::Description sharp = near;
  sharp.simulation.integrator = "dormand-prince";
  sharp.simulation.integrator_values = {{"relative_tolerance", 1e-11},
                                        {"absolute_tolerance", 1e-11}};
  const system::Vector truth = way(run(sharp));
  for (const integrators::IntegratorKind& kind : integrators::integrator_kinds()) {
    near.simulation.integrator = kind.name;
    near.simulation.integrator_values.clear();  // of what the file chose
    const Ran here = run(near);
    ASSERT_EQ(here.report.outcome, results::Outcome::completed) << kind.name;
    for (const double distance : {1e3, 1e5, 1e7}) {
      SCOPED_TRACE(fmt::format("{} at {:g} m", kind.name, distance));
      const Ran there = run(support::moved_away(near, {distance, -0.3 * distance, 0.0}));
      EXPECT_EQ(there.report.outcome, results::Outcome::completed) << there.report.message;
      EXPECT_EQ(there.report.statistics.at("halvings"), here.report.statistics.at("halvings"));
      // Every step rounds positions by eps X, and accelerations found from them by eps X / h^2:
      // over the time T of the run errors grow to at most eps X (T / h)^2 / 2, mostly to much less
      // since their signs change. Methods with error control may choose other steps: then they err
      // by some of their tolerance, or of what they err by near the origin.
      const double round_off =
          std::numeric_limits<double>::epsilon() * distance / here.system->size();
      const bool adaptive = here.report.statistics.contains("local_errors");
      const double error = (way(here) - truth).lpNorm<Eigen::Infinity>();
      const double limit = 1e3 * round_off + (adaptive ? 10.0 * std::max(error, 1e-6) : 1e-8);
      EXPECT_NEAR(there.system->size(), here.system->size(), 1e-6);
      EXPECT_LE((way(there) - way(here)).lpNorm<Eigen::Infinity>(), limit);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models,
                         FarFromOrigin,
                         testing::Values(Case{"double_pendulum", double_pendulum},
                                         Case{"crank_with_spring", crank_with_spring},
                                         Case{"spatial_slider_crank",
                                              support::spatial_slider_crank},
                                         Case{"relative_crank", crank_with_spring, "relative"},
                                         Case{"relative_pendulum", double_pendulum, "relative"}),
                         [](const auto& info) { return std::string(info.param.name); });

// ---- long chains

// n links of 1 m, released from the horizontal.
model::Description released_chain(int n,
                                  const std::string& coordinates,
                                  const std::string& integrator) {
  model::Description d;
  d.space = model::Space::spatial;
  d.gravity = {0, -9.81, 0};
  for (int i = 0; i < n; ++i) {
    model::Body link;
    link.name = fmt::format("b{}", i);
    link.mass = {.mass = 1.0, .inertia = 1e-3 * Eigen::Matrix3d::Identity()};
    link.position = {i + 0.5, 0.0, 0.0};
    link.frames = {{"l", {-0.5, 0.0, 0.0}}, {"r", {0.5, 0.0, 0.0}}};
    d.add_body(link);
    d.add_joint("revolute", fmt::format("j{}", i), i == 0 ? "ground" : fmt::format("b{}.r", i - 1),
                fmt::format("b{}.l", i), {{"axis", Eigen::Vector3d(0, 0, 1)}});
  }
  d.simulation.until = 0.005;
  d.simulation.step = 1e-3;
  d.simulation.output_step = 0.005;
  d.simulation.coordinates = coordinates;
  d.simulation.integrator = integrator;
  d.simulation.integrator_values.clear();  // of what the file chose
  return d;
}

// Height of the first link's centre, m.
double first_height(const Ran& ran) {
  std::vector<double> values(ran.system->observables().size());
  ran.system->observe(ran.report.final_motion, values.data());
  const std::vector<model::Quantity> names = ran.system->observables();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].name == "b0.position.y") return values[i];
  }
  return std::nan("");
}

constexpr int links = 10000;

// The recursion over a tree needs no matrix, however deep the tree; matrices of absolute
// coordinates stay sparse. Two ways that have nothing in common.
TEST(LongChains, MoveInBothCoordinates) {
  const Ran known = run(released_chain(links, "relative", "dormand-prince"));
  ASSERT_EQ(known.report.outcome, results::Outcome::completed) << known.report.message;
  const double height = first_height(known);
  EXPECT_LT(height, -1e-5);
  for (const auto& [coordinates, method] : std::vector<std::pair<const char*, const char*>>{
           {"relative", "rk4"}, {"absolute", "generalized-alpha"}, {"absolute", "bdf"}}) {
    SCOPED_TRACE(fmt::format("{}, {}", coordinates, method));
    const Ran ran = run(released_chain(links, coordinates, method));
    ASSERT_EQ(ran.report.outcome, results::Outcome::completed) << ran.report.message;
    EXPECT_EQ(ran.report.statistics.at("halvings"), 0.0);
    // Five steps of second order over a motion that begins with the curvature of t^2. The tolerance
    // of bdf is 1e-6 of the size of the model, which is 10 km: its first steps are as long as
    // these.
    const double share = std::string_view(method) == "bdf" ? 2e-2 : 5e-3;
    EXPECT_NEAR(first_height(ran), height, share * std::abs(height));
    // Some kilobytes per link; full matrices would have gigabytes.
    EXPECT_LT(ran.report.statistics.at("memory_bytes"), 5e4 * links);
  }
}

TEST(LongChains, AreToldWhereAMatrixIsNeeded) {
  try {
    run(released_chain(links, "relative", "bdf"));
    FAIL() << "a full matrix was accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(error.diagnostics()[0].remedy.find("dormand-prince"), std::string::npos);
  }
}

// ---- fast and far

// Ways have no limit of half a revolution.
TEST(FastBodies, FlyManyTimesTheirSizeInAStep) {
  for (const integrators::IntegratorKind& kind : integrators::integrator_kinds()) {
    model::Description d = described(R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  shell: {mass: 5 kg, inertia: [1e-2, 1e-2, 1e-3], velocity: [1000 m/s, 0, 300 m/s]}
)");
    d.simulation.until = 1.0;
    d.simulation.step = 1e-2;
    d.simulation.output_step = 1.0;
    d.simulation.integrator = kind.name;
    d.simulation.integrator_values.clear();  // of what the file chose
    SCOPED_TRACE(kind.name);
    const Ran ran = run(d);
    ASSERT_EQ(ran.report.outcome, results::Outcome::completed) << ran.report.message;
    EXPECT_EQ(ran.report.statistics.at("halvings"), 0.0);
    EXPECT_LE(ran.report.statistics.at("steps"), 150.0);
    const system::Vector& q = ran.report.final_motion.state.q;
    EXPECT_NEAR(q[0], 1000.0, 1e-5);
    EXPECT_NEAR(q[2], 300.0 - 0.5 * 9.81, 1e-5);
  }
}

// A circle of 7000 km about the Earth: after a quarter of its period a quarter of it.
TEST(FastBodies, OrbitTheEarth) {
  constexpr double mu = 3.986004418e14;
  constexpr double radius = 7e6;
  const double period = 2.0 * std::numbers::pi * std::sqrt(radius * radius * radius / mu);
  for (const integrators::IntegratorKind& kind : integrators::integrator_kinds()) {
    model::Description d = described(fmt::format(R"(
trammel: 1
space: spatial
bodies:
  moon: {{mass: 100 kg, inertia: [10, 20, 30], position: [{} m, 0, 0], velocity: [0, {} m/s, 0]}}
forces:
  earth: {{type: central_gravity, strength: {}}}
)",
                                                 radius, std::sqrt(mu / radius), mu));
    d.simulation.until = 0.25 * period;
    d.simulation.step = period / 2000.0;
    d.simulation.output_step = 0.25 * period;
    d.simulation.integrator = kind.name;
    d.simulation.integrator_values.clear();  // of what the file chose
    SCOPED_TRACE(kind.name);
    const Ran ran = run(d);
    ASSERT_EQ(ran.report.outcome, results::Outcome::completed) << ran.report.message;
    EXPECT_EQ(ran.report.statistics.at("halvings"), 0.0);
    EXPECT_LE(ran.report.statistics.at("steps"), 600.0);
    const system::Vector& q = ran.report.final_motion.state.q;
    // Second order: (2 pi / 2000)^2 of the radius, times the arc.
    EXPECT_NEAR(q[0] / radius, 0.0, 1e-4);
    EXPECT_NEAR(q[1] / radius, 1.0, 1e-4);
  }
}

}  // namespace
}  // namespace trammel::analysis::far_from_origin_test
