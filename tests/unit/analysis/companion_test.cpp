// Estimated errors against true ones: within a factor of ten, or no estimate.
#include <cmath>
#include <string>
#include <vector>

#include "accuracy_problems.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"

namespace trammel::analysis::companion_test {
namespace {

using system::Vector;
using Problem = AccuracyProblem;

constexpr int samples = 20;

struct Observed {
  SimulationReport report;
  std::vector<Vector> positions;  ///< at equal intervals
};

Observed observe(const Problem& problem, model::SimulationSettings settings, SecondRun second) {
  const auto system = model::compile(problem.description);
  settings.until = problem.until;
  settings.output_step = problem.until / samples;
  Observed observed;
  SimulationOptions options;
  options.second_run = second;
  options.visit = [&](const system::Motion& motion) {
    const double next = settings.output_step * static_cast<double>(observed.positions.size());
    if (std::abs(motion.state.t - next) < 1e-9) observed.positions.push_back(motion.state.q);
  };
  observed.report = simulate(*system, settings, options);
  return observed;
}

double difference(const Problem& problem, const Observed& a, const Observed& b) {
  const auto system = model::compile(problem.description);
  double largest = 0.0;
  Vector x;
  for (std::size_t i = 0; i < std::min(a.positions.size(), b.positions.size()); ++i) {
    system->logarithm(a.positions[i], b.positions[i], x);
    largest =
        std::max(largest, x.cwiseQuotient(system->displacement_scale()).lpNorm<Eigen::Infinity>());
  }
  return largest;
}

class Estimates : public testing::TestWithParam<Problem> {};

TEST_P(Estimates, AreWithinAFactorOfTenOfTheTruth) {
  const Problem& problem = GetParam();
  const Observed truth =
      observe(problem, settings_of("dormand-prince", 1e-3, 1e-12), SecondRun::never);
  ASSERT_EQ(truth.positions.size(), samples + 1U);
  int known = 0;
  for (const char* integrator : {"generalized-alpha", "rk4", "dormand-prince", "adams", "bdf"}) {
    const Observed run = observe(problem, settings_of(integrator, problem.step, problem.tolerance),
                                 SecondRun::always);
    ASSERT_EQ(run.report.outcome, results::Outcome::completed) << integrator;
    const ErrorEstimate& estimate = run.report.error;
    const double error = difference(problem, truth, run);
    RecordProperty(integrator, std::to_string(estimate.position / error));
    if (!estimate.known) {
      EXPECT_FALSE(estimate.reason.empty());
      continue;
    }
    ++known;
    constexpr double floor = 1e-10;  // of the truth, and of what accumulates by round-off
    EXPECT_LT(estimate.position, 10.0 * error + floor) << integrator << ", true: " << error;
    EXPECT_GT(estimate.position, 0.1 * error - floor) << integrator << ", true: " << error;
  }
  EXPECT_GE(known, 3);  // to say nothing is not enough
}

INSTANTIATE_TEST_SUITE_P(Problems,
                         Estimates,
                         testing::ValuesIn(accuracy_problems()),
                         [](const auto& info) { return info.param.name; });

// A pendulum with just enough energy to go over its upper position: what is wrong on the way up is
// magnified there by e^(3.1 t).
TEST(SecondRuns, SeeWhatTheMotionMakesOfErrors) {
  const Problem problem{"upright", described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  ball: {kind: point, mass: 1, position: [0, -1], velocity: [6.2642, 0]}
joints:
  rod: {type: distance, between: [ground, ball], length: 1}
)"),
                        3.0, 1e-3, 1e-6};
  const Observed truth =
      observe(problem, settings_of("dormand-prince", 1e-3, 1e-12), SecondRun::never);
  for (const char* integrator : {"dormand-prince", "bdf"}) {
    const Observed run =
        observe(problem, settings_of(integrator, 1e-3, problem.tolerance), SecondRun::always);
    ASSERT_TRUE(run.report.error.known) << run.report.error.reason;
    const double error = difference(problem, truth, run);
    EXPECT_GT(error, 10.0 * run.report.statistics.at("local_errors")) << integrator;
    EXPECT_LT(run.report.error.position, 10.0 * error) << integrator;
    EXPECT_GT(run.report.error.position, 0.1 * error) << integrator;
  }
}

// An orbit of 7000 km, of which the model knows no size: an error of some metres is told in metres,
// and doubted by nobody.
TEST(SecondRuns, JudgeTravellersByTheirWay) {
  const Problem problem{"orbit", described(R"(
trammel: 1
space: planar
bodies:
  sat: {kind: point, mass: 100 kg, position: [7e6, 0], velocity: [0, 8000]}
forces:
  earth: {type: central_gravity, strength: 3.986e14}
)"),
                        6000.0, 1.0, 1e-6};
  const Observed truth =
      observe(problem, settings_of("dormand-prince", 1.0, 1e-12), SecondRun::never);
  const Observed run =
      observe(problem, settings_of("generalized-alpha", 1.0, 1e-6), SecondRun::always);
  ASSERT_TRUE(run.report.error.known) << run.report.error.reason;
  const double error = difference(problem, truth, run);
  EXPECT_GT(error, 1.0);
  EXPECT_LT(run.report.error.position, 10.0 * error);
  EXPECT_GT(run.report.error.position, 0.1 * error);
  EXPECT_TRUE(run.report.doubts.empty()) << to_string(run.report.doubts.front());
  EXPECT_NE(to_string(run.report.error).find("of the way"), std::string::npos);
  // With twenty steps for the orbit it is lost, by any measure.
  const Observed coarse =
      observe(problem, settings_of("generalized-alpha", 300.0, 1e-6), SecondRun::always);
  EXPECT_FALSE(coarse.report.doubts.empty());
}

// Three radians per step are told apart, six are not: the second run takes half the step.
TEST(SecondRuns, TellTurnsApart) {
  const Problem problem{"rotor", described(R"(
trammel: 1
space: spatial
bodies:
  rotor: {mass: 1 kg, inertia: [0.1, 0.1, 0.2]}
  nut: {mass: 1 kg, inertia: [0.1, 0.1, 0.2]}
joints:
  j: {type: revolute, between: [ground, rotor], axis: z}
  k: {type: cylindrical, between: [ground, nut], axis: z}
couplings:
  g: {type: gear, coordinates: [j.angle, k.angle], ratio: 0.5}
  sc: {type: curve, coordinate: k.displacement, formula: "0.01 m/rad * k.angle"}
drives:
  d: {type: position, coordinate: j.angle, motion: "300 rad/s * time"}
)"),
                        1.0, 0.01, 1e-6};
  const Observed run =
      observe(problem, settings_of("generalized-alpha", 0.01, 1e-6), SecondRun::always);
  ASSERT_TRUE(run.report.error.known) << run.report.error.reason;
  EXPECT_EQ(run.report.error.origin, "a second run with half the step");
  EXPECT_LT(run.report.error.position, 1e-9);
  EXPECT_TRUE(run.report.doubts.empty());
}

// Loads that are over within a step: both runs would take the piece in one step, and agree on
// whatever that makes of it.
TEST(SecondRuns, TakePiecesBetweenSwitchesInTwo) {
  const auto pushed = [](const std::string& load) {
    return Problem{"pushed",
                   described(R"(
trammel: 1
space: planar
bodies:
  m: {mass: 1, inertia: 1}
joints:
  rail: {type: prismatic, between: [ground, m], axis: x}
forces:
  f: {type: actuator, coordinate: rail.displacement, formula: ")" +
                             load + R"("}
)"),
                   1.0, 1e-2, 1e-6};
  };
  int known = 0;
  for (const char* load :
       {"500 N*pulse(time, 0.301 s, 0.304 s)*sin(pi*(time - 0.301 s)/3 ms)",
        "1e6 N/s^2*pulse(time, 0.301 s, 0.307 s)*(time - 0.301 s)*(time - 0.3 s)",
        "20 N*pulse(time, 0.301 s, 0.307 s)*exp(-(time - 0.301 s)/2 ms)",
        "1 N*pulse(mod(time, 0.03 s), 0.004 s, 0.017 s)*cos(100 rad/s*time)"}) {
    const Problem problem = pushed(load);
    const Observed truth =
        observe(problem, settings_of("dormand-prince", 1e-3, 1e-12), SecondRun::never);
    for (const char* integrator : {"generalized-alpha", "mpr-mpa", "newmark", "rk4"}) {
      const Observed run =
          observe(problem, settings_of(integrator, problem.step, 1e-6), SecondRun::always);
      if (!run.report.error.known) continue;
      ++known;
      const double error = difference(problem, truth, run);
      EXPECT_LT(run.report.error.position, 10.0 * error + 1e-10)
          << integrator << ", " << load << ", true: " << error;
      EXPECT_GT(run.report.error.position, 0.1 * error - 1e-10)
          << integrator << ", " << load << ", true: " << error;
    }
  }
  EXPECT_GE(known, 6);  // to say nothing is not enough
}

// Absolute positions of 1e7 m are known to 2e-9 m, and every step rounds them.
TEST(SecondRuns, KnowTheRoundOffOfLargeCoordinates) {
  const auto pendulum = [](double far) {
    return Problem{"far",
                   described(fmt::format(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  bob: {{mass: 1 kg, inertia: 0.01 kg m^2, center: [0.5, 0], position: [{0:g}, {0:g}]}}
joints:
  pin: {{type: revolute, between: [ground, bob], at: [{0:g}, {0:g}]}}
)",
                                         far)),
                   2.0, 1e-3, 1e-8};
  };
  const double far = 1e7;
  Observed truth =
      observe(pendulum(0.0), settings_of("dormand-prince", 1e-3, 1e-12), SecondRun::never);
  for (Vector& q : truth.positions) q.head(2).array() += far;
  for (const char* integrator : {"rk4", "dormand-prince", "adams"}) {
    const Problem problem = pendulum(far);
    const Observed run =
        observe(problem, settings_of(integrator, 1e-3, problem.tolerance), SecondRun::always);
    ASSERT_EQ(run.report.outcome, results::Outcome::completed) << run.report.message;
    if (!run.report.error.known) continue;
    const double error = difference(problem, truth, run);
    EXPECT_GT(run.report.error.position, 0.1 * error) << integrator << ", true: " << error;
    EXPECT_LT(run.report.error.position, 10.0 * error) << integrator << ", true: " << error;
  }
}

TEST(SecondRuns, AreNotMadeUnlessWanted) {
  const Problem problem{"pendulum", support::pendulum(), 1.0, 1e-3, 1e-6};
  const Observed run = observe(problem, settings_of("bdf", 1e-3, 1e-6), SecondRun::never);
  EXPECT_FALSE(run.report.error.known);
  EXPECT_FALSE(run.report.statistics.contains("error_estimate"));
  EXPECT_EQ(to_string(run.report.error), "no estimate: no second run was made");
}

TEST(SecondRuns, LeaveTheRunAsItIs) {
  for (const char* integrator : {"generalized-alpha", "adams"}) {
    const Problem problem{"servo", support::geared_servo(), 0.5, 1e-3, 1e-6};
    const model::SimulationSettings settings = settings_of(integrator, 1e-3, 1e-6);
    const Observed with = observe(problem, settings, SecondRun::always);
    const Observed without = observe(problem, settings, SecondRun::never);
    EXPECT_EQ(with.positions.back(), without.positions.back());
    EXPECT_EQ(with.report.energy.loads, without.report.energy.loads);
  }
}

}  // namespace
}  // namespace trammel::analysis::companion_test
