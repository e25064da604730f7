// registry: integrators
// True errors of every method that takes a tolerance: within ten times of it. The whole table, down
// to 1e-9 on all problems, is made by `trammel_bench tolerances` (docs/tolerances.md); here is a
// part that takes seconds.
#include "tolerance_study.h"
#include <gtest/gtest.h>

namespace trammel::analysis::tolerances_test {
namespace {

using tolerance_study::Study;

constexpr double within = 10.0;  // times the tolerance

class Tolerances : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Problems,
                         Tolerances,
                         ::testing::Values("slider_crank",
                                           "asymmetric_top",
                                           "spatial_slider_crank",
                                           "rolling_disc",
                                           "servo",
                                           "driven_rocker",
                                           "stiff_pendulum"));

TEST_P(Tolerances, AreKept) {
  for (const AccuracyProblem& problem : tolerance_study::problems()) {
    if (problem.name != GetParam()) continue;
    Study study(problem);
    // Two methods at 1e-12 agree far below what is judged.
    EXPECT_LT(study.uncertainty(), 1e-10);
    // A hundredth of the tolerance takes methods of second order ten times the steps.
    for (const std::string& method : tolerance_study::adaptive_methods()) {
      // Errors of its steps add up on motions without damping (docs/tolerances.md).
      if (method == "bdf" && GetParam() != "servo" && GetParam() != "stiff_pendulum") continue;
      const std::vector<double> tolerances = tolerance_study::of_second_order(method)
                                                 ? std::vector<double>{1e-3, 1e-4}
                                                 : std::vector<double>{1e-3, 1e-5, 1e-7, 1e-9};
      for (const double tolerance : tolerances) {
        const tolerance_study::Sampled run = study.run(method, tolerance);
        EXPECT_TRUE(run.ok) << method << " " << tolerance << ": " << run.failure;
        EXPECT_LT(study.error(run), within * tolerance) << method << " " << tolerance;
      }
    }
  }
}

// The crank of Andrews' squeezing mechanism at 0.03 s, as in the reference solution of the test set
// for solvers of initial value problems [Mazzia & Magherini 2008, problem andrews].
TEST(AndrewsSqueezer, StandsWhereItIsKnownToStand) {
  const auto system = model::compile(trial("squeezer"));
  const Assembly assembly = assemble(*system);
  for (const char* method : {"dormand-prince", "adams", "bdf", "radau"}) {
    const auto run = tolerance_study::sampled(
        *system, assembly, tolerance_study::with_tolerance(method, 1e-10), 0.03, 1);
    ASSERT_TRUE(run.ok) << method << ": " << run.failure;
    // To 1e-9 of it.
    EXPECT_NEAR(run.states.back().q[2], 15.81077119629904, 1.6e-8) << method;
  }
}

}  // namespace
}  // namespace trammel::analysis::tolerances_test
