// The comparisons of [Chiou1990, sec. 7.2 and 7.3]; expected values come from an independent
// program with the same data, to the two digits that it printed unless said otherwise.
#include "trammel/integrators/single_grid.h"

#include "chiou_mechanisms.h"
#include "runge_kutta.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/staggered.h"
#include "trammel/integrators/state_space_newmark.h"

namespace trammel::integrators::testing::single_grid_test {
namespace {

SingleGridOptions treated(RowTreatment treatment, double epsilon, double rate, int passes) {
  SingleGridOptions options;
  options.treatment = treatment;
  options.penalty.epsilon = epsilon;
  options.baumgarte_alpha = rate;
  options.baumgarte_beta = rate;
  options.passes = passes;
  return options;
}

// ---- crank-slider

// The largest of each constraint error over one revolution.
Vector crank_errors(Integrator& integrator, system::MechanicalSystem& system, double h) {
  integrator.start(consistent_motion(system, chiou_crank_slider_start()));
  Vector worst = Vector::Zero(3);
  Vector g;
  for (long i = 0; i < std::lround(0.82 / h); ++i) {
    if (!integrator.step(h).ok()) return Vector::Constant(3, INFINITY);
    system.position_constraint(integrator.motion().state, g);
    worst = worst.cwiseMax(g.cwiseAbs());
  }
  return worst;
}

double crank_error(const SingleGridOptions& options, double h) {
  FunctionSystem system = chiou_crank_slider();
  SingleGrid integrator(system, options);
  return crank_errors(integrator, system, h).maxCoeff();
}

double staggered_crank_error(FullStations full, double h) {
  FunctionSystem system = chiou_crank_slider();
  StaggeredOptions options;
  options.penalty.epsilon = 1e-6;
  options.full_stations = full;
  options.resynchronise = 0;
  Staggered integrator(system, options);
  return crank_errors(integrator, system, h).maxCoeff();
}

// Two digits are printed: half a unit of the second one is at most 5 percent.
void expect_digits(double value, double printed) {
  EXPECT_NEAR(value, printed, 0.05 * printed);
}

TEST(CrankSlider, PenaltyOfOnePass) {
  const SingleGridOptions options = treated(RowTreatment::penalty, 1e-6, 0.0, 1);
  expect_digits(crank_error(options, 0.01), 1.5e-3);
  expect_digits(crank_error(options, 0.005), 2.4e-4);
  expect_digits(crank_error(options, 0.0025), 6.7e-5);
}

// g = eps (lambda - lambda_0) whatever the step.
TEST(CrankSlider, PenaltyOfPositionsOfOnePass) {
  const SingleGridOptions options = treated(RowTreatment::penalty_position, 1e-6, 0.0, 1);
  for (const double h : {0.01, 0.005, 0.0025}) expect_digits(crank_error(options, h), 1.7e-4);
}

TEST(CrankSlider, BaumgarteOfOnePass) {
  const SingleGridOptions soft = treated(RowTreatment::baumgarte, 0.0, 40.0, 1);
  expect_digits(crank_error(soft, 0.01), 6.2e-3);
  expect_digits(crank_error(soft, 0.005), 1.5e-3);
  expect_digits(crank_error(soft, 0.0025), 3.7e-4);
  const SingleGridOptions firm = treated(RowTreatment::baumgarte, 0.0, 70.0, 1);
  EXPECT_GT(crank_error(firm, 0.01), 1.0);  // diverges
  expect_digits(crank_error(firm, 0.005), 9.9e-4);
  expect_digits(crank_error(firm, 0.0025), 2.4e-4);
}

TEST(CrankSlider, ImplicitBaumgarteOfOnePass) {
  const SingleGridOptions options = treated(RowTreatment::baumgarte_implicit, 0.0, 70.0, 1);
  expect_digits(crank_error(options, 0.01), 5.5e-4);
  expect_digits(crank_error(options, 0.005), 1.4e-4);
  expect_digits(crank_error(options, 0.0025), 3.5e-5);
}

TEST(CrankSlider, TwoStages) {
  expect_digits(staggered_crank_error(FullStations::solved, 0.01), 3.3e-3);
  expect_digits(staggered_crank_error(FullStations::solved, 0.005), 9.4e-4);
  expect_digits(staggered_crank_error(FullStations::solved, 0.0025), 3.6e-4);
  expect_digits(staggered_crank_error(FullStations::extrapolated, 0.01), 2.6e-2);
  expect_digits(staggered_crank_error(FullStations::extrapolated, 0.005), 6.5e-3);
  expect_digits(staggered_crank_error(FullStations::extrapolated, 0.0025), 1.6e-3);
}

// The claim that holds: with either form the penalty keeps all three constraints better than
// explicit Baumgarte does with alpha = beta = 40.
TEST(CrankSlider, PenaltyBeatsExplicitBaumgarteInAllRows) {
  for (const double h : {0.01, 0.005}) {
    FunctionSystem system = chiou_crank_slider();
    SingleGrid soft(system, treated(RowTreatment::baumgarte, 0.0, 40.0, 1));
    const Vector baumgarte = crank_errors(soft, system, h);
    for (const RowTreatment form : {RowTreatment::penalty, RowTreatment::penalty_position}) {
      SingleGrid penalty(system, treated(form, 1e-6, 0.0, 1));
      const Vector errors = crank_errors(penalty, system, h);
      EXPECT_TRUE((errors.array() < baumgarte.array()).all()) << h;
    }
  }
}

// Times, then theta, phi, x, y, their first two rates, and the multipliers.
constexpr double crank_table[][10] = {
    {0.2, 0.37414, -0.18377, 0.95699, 0.09137, 3.69147, -1.74748, -11.528, 7.863, -4.681},
    {0.4, 1.42902, -0.51782, 0.50510, 0.24749, 6.90915, -0.56177, -6.886, -1.134, 0.180},
    {0.6, 3.29000, 0.07400, 0.00413, -0.03697, 11.80507, 5.85367, 53.346, 6.459, -3.035},
    {0.8, 5.96277, 0.15814, 0.96831, -0.07874, 15.69104, -7.54030, -135.069, 12.461, -25.804},
    {0.82, 6.28319, 0.0, 1.0, 0.0, 16.28518, -8.14259, -165.754, 8.045, -6.475}};

// With so fine a step, errors of second order are below the last digit of the table. The
// trapezoidal rule with positions as rows keeps every oscillation of its multipliers.
TEST(CrankSlider, MovesAsPublished) {
  const auto check = [](Integrator& integrator, system::MechanicalSystem& system, bool reactions) {
    constexpr double h = 4e-5;
    integrator.start(consistent_motion(system, chiou_crank_slider_start()));
    long done = 0;
    for (const auto& row : crank_table) {
      for (; done < std::lround(row[0] / h); ++done) ASSERT_TRUE(integrator.step(h).ok());
      const Motion& m = integrator.motion();
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(m.state.q[i], row[1 + i], 1.1e-5) << row[0] << i;
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(m.state.v[i], row[5 + i], 2e-5) << row[0] << i;
      for (int i = 0; i < 3 && reactions; ++i) {
        EXPECT_NEAR(m.lambda[i], row[7 + i], 1.5e-3) << row[0] << i;
      }
    }
  };
  FunctionSystem system = chiou_crank_slider();
  Staggered two_stages(system, {});
  check(two_stages, system, true);
  for (const RowTreatment treatment : {RowTreatment::penalty, RowTreatment::penalty_position,
                                       RowTreatment::baumgarte_implicit, RowTreatment::none}) {
    SingleGrid one(system, treated(treatment, 0.0, 0.0, 50));
    check(one, system, treatment != RowTreatment::penalty_position);
  }
}

// ---- independent coordinates

struct MotionErrors {
  double position = 0.0;
  double velocity = 0.0;
};

// Against the fine motion at the same times, of all coordinates.
MotionErrors crank_motion_errors(Integrator& integrator, FunctionSystem& system, double h) {
  integrator.start(consistent_motion(system, chiou_crank_slider_start()));
  State exact = chiou_crank_slider_start();
  MotionErrors errors;
  for (long i = 0; i < std::lround(0.82 / h); ++i) {
    EXPECT_TRUE(integrator.step(h).ok());
    exact = runge_kutta(system, exact, h, 100).state;
    const State& s = integrator.motion().state;
    errors.position = std::max(errors.position, (s.q - exact.q).cwiseAbs().maxCoeff());
    errors.velocity = std::max(errors.velocity, (s.v - exact.v).cwiseAbs().maxCoeff());
  }
  return errors;
}

// The trapezoidal rule on the crank angle, everything else from the constraints at every iterate
// [Chiou1990, sec. 7.2, the algorithm of Haug and Yen], against the two-stage method at h = 0.02.
// The source finds the two-stage method better. With these data it is not: values of an independent
// program.
TEST(CrankSlider, ImplicitCoordinatePartitioningIsMoreAccurateThanTwoStages) {
  FunctionSystem system = chiou_crank_slider();
  StateSpaceNewmark partitioned(system, {});
  const MotionErrors of_partition = crank_motion_errors(partitioned, system, 0.02);
  expect_digits(of_partition.position, 1.64e-3);
  expect_digits(of_partition.velocity, 4.14e-2);
  StaggeredOptions options;
  options.penalty.epsilon = 1e-6;
  Staggered two_stages(system, options);
  const MotionErrors of_grids = crank_motion_errors(two_stages, system, 0.02);
  expect_digits(of_grids.position, 1.29e-2);
  expect_digits(of_grids.velocity, 0.190);
  // Both of second order; where other coordinates become independent depends on the step a little.
  StateSpaceNewmark middle(system, {});
  StateSpaceNewmark finer(system, {});
  const MotionErrors of_middle = crank_motion_errors(middle, system, 0.01);
  const MotionErrors fine = crank_motion_errors(finer, system, 0.005);
  EXPECT_NEAR(std::log2(of_partition.position / fine.position), 4.0, 0.2);
  EXPECT_NEAR(std::log2(of_middle.position / fine.position), 2.0, 0.1);
  StaggeredOptions sharp;
  Staggered coarse_grids(system, sharp);
  Staggered fine_grids(system, sharp);
  const double coarse = crank_motion_errors(coarse_grids, system, 0.01).position;
  EXPECT_NEAR(std::log2(coarse / crank_motion_errors(fine_grids, system, 0.005).position), 2.0,
              0.05);
}

// ---- three links

struct Passes {
  double mean = 0.0;
  int most = 0;
  double failed_at = 0.0;  ///< s; 0: never
};

// tolerance 1e-6 of positions and velocities is 1e-8 of h v.
Passes deployment(SingleGridOptions options) {
  FunctionSystem system = chiou_three_links();
  options.tolerance = 1e-8;
  SingleGrid integrator(system, options);
  integrator.start(consistent_motion(system, chiou_three_links_start()));
  Passes passes;
  for (int i = 0; i < 150; ++i) {
    const StepReport report = integrator.step(0.01);
    if (!report.ok()) {
      passes.failed_at = integrator.motion().state.t + 0.01;
      break;
    }
    passes.most = std::max(passes.most, report.iterations);
    passes.mean += report.iterations;
  }
  passes.mean /= static_cast<double>(integrator.statistics().steps);
  return passes;
}

// The source tells 4.5 passes on average; with these data there are fewer. Counts of an independent
// program; a step that ends just above or below the tolerance changes a mean by 1/150.
TEST(ThreeLinks, PenaltyConvergesInFewPasses) {
  const Passes rate = deployment(treated(RowTreatment::penalty, 1e-6, 0.0, 50));
  EXPECT_EQ(rate.failed_at, 0.0);
  EXPECT_NEAR(rate.mean, 3.253, 0.02);
  EXPECT_EQ(rate.most, 5);
  const Passes position = deployment(treated(RowTreatment::penalty_position, 1e-6, 0.0, 50));
  EXPECT_EQ(position.failed_at, 0.0);
  EXPECT_NEAR(position.mean, 2.427, 0.02);
  EXPECT_EQ(position.most, 4);
}

// The source: some 22 passes, and no convergence at t = 1.1 s while the links straighten. It
// blames the condition of G M^-1 G^T; but Baumgarte with feedback of what the accelerations lead to
// has the same matrix and converges as fast as the penalty. Counts of an independent program.
TEST(ThreeLinks, ExplicitBaumgarteFailsWhereTheLinksStraighten) {
  const Passes soft = deployment(treated(RowTreatment::baumgarte, 0.0, 40.0, 50));
  EXPECT_NEAR(soft.mean, 11.253, 0.03);
  EXPECT_EQ(soft.failed_at, 0.0);
  const Passes firm = deployment(treated(RowTreatment::baumgarte, 0.0, 70.0, 50));
  EXPECT_NEAR(firm.mean, 39.69, 0.1);
  EXPECT_NEAR(firm.failed_at, 1.09, 1e-9);
  const Passes firmer = deployment(treated(RowTreatment::baumgarte, 0.0, 65.0, 50));
  EXPECT_NEAR(firmer.failed_at, 1.11, 1e-9);
  const Passes implicit = deployment(treated(RowTreatment::baumgarte_implicit, 0.0, 70.0, 50));
  EXPECT_EQ(implicit.failed_at, 0.0);
  EXPECT_NEAR(implicit.mean, 3.413, 0.02);
}

TEST(ThreeLinks, MoveAsPublished) {
  FunctionSystem system = chiou_three_links();
  SingleGrid integrator(system, treated(RowTreatment::penalty, 0.0, 0.0, 50));
  constexpr double h = 1e-4;
  integrator.start(consistent_motion(system, chiou_three_links_start()));
  const auto reach = [&](double t) {
    while (integrator.motion().state.t < t - 0.5 * h) ASSERT_TRUE(integrator.step(h).ok());
  };
  const auto angles = [&](double a, double b, double c) {
    const Vector& q = integrator.motion().state.q;
    EXPECT_LT((q.head(3) - vector({a, b, c})).cwiseAbs().maxCoeff(), 1.5e-5);
  };
  reach(0.6);
  angles(1.28078, 1.87435, 0.68574);
  reach(1.0);
  angles(0.52616, 2.74246, 0.04653);
  EXPECT_LT((integrator.motion().state.v.head(3) - vector({-3.3959, 3.5614, -0.6742}))
                .cwiseAbs()
                .maxCoeff(),
            1e-4);
  reach(1.1);
  angles(0.08677, 3.22096, -0.00841);
  EXPECT_LT((integrator.motion().lambda - vector({111.8, 3.1, 98.0, 12.5, 58.4, 3.8}))
                .cwiseAbs()
                .maxCoeff(),
            0.06);
}

// ---- treatments

// Frequency 1/sqrt(eps) = 100/s and a violation of eps lambda.
TEST(SingleGrid, AlgebraicPenaltyIsASpring) {
  FunctionSystem system = circle_pendulum();
  const SingleGridOptions options = treated(RowTreatment::algebraic_penalty, 1e-4, 0.0, 50);
  SingleGrid integrator(system, options);
  integrator.start(consistent_motion(system, {0.0, vector({-1, 0}), vector({0, 0}), {}}));
  double violation = 0.0;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(integrator.step(2e-4).ok());
    violation = std::max(violation, integrator.motion().state.q.norm() - 1.0);
  }
  // 3 g eps at the lowest point, and as much again where it oscillates.
  EXPECT_GT(violation, 2.8 * 9.81e-4);
  EXPECT_LT(violation, 7.0 * 9.81e-4);
}

TEST(SingleGrid, DefaultRatesOfBaumgarteBelongToTheStep) {
  const auto end = [](double alpha, double beta) {
    FunctionSystem system = circle_pendulum();
    SingleGridOptions options = treated(RowTreatment::baumgarte_implicit, 0.0, 0.0, 50);
    options.baumgarte_alpha = alpha;
    options.baumgarte_beta = beta;
    SingleGrid integrator(system, options);
    integrator.start(consistent_motion(system, {0.0, vector({-1, 0}), vector({0, 0}), {}}));
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(integrator.step(0.01).ok());
    return integrator.motion().state.q;
  };
  EXPECT_LT((end(0.0, 0.0) - end(100.0, 141.4213562373095)).norm(), 1e-12);
}

// alpha h + beta^2 h^2/4 = 1 + 1/2 with the rates that belong to the step; 0.4 + 0.04 with 0.4/h.
TEST(SingleGrid, TellsWhereExplicitFeedbackCannotConverge) {
  FunctionSystem system = circle_pendulum();
  const State start{0.0, vector({-1, 0}), vector({0, -2}), {}};
  SingleGrid published(system, treated(RowTreatment::baumgarte, 0.0, 0.0, 50));
  published.start(consistent_motion(system, start));
  EXPECT_EQ(published.step(0.01).failure, Failure::slow);
  ASSERT_EQ(published.notes().size(), 1U);
  EXPECT_NE(published.notes()[0].find("multiplies errors by 1.5"), std::string::npos);
  SingleGrid softer(system, treated(RowTreatment::baumgarte, 0.0, 40.0, 50));
  softer.start(consistent_motion(system, start));
  EXPECT_TRUE(softer.step(0.01).ok());
  EXPECT_TRUE(softer.notes().empty());
}

TEST(SingleGrid, MidpointRuleHasOrderTwo) {
  const auto error = [](double h) {
    FunctionSystem system = circle_pendulum();
    SingleGridOptions options;
    options.rule = GridRule::midpoint;
    SingleGrid integrator(system, options);
    const State start{0.0, vector({-1, 0}), vector({0, -2}), {}};
    integrator.start(consistent_motion(system, start));
    for (long i = 0; i < std::lround(1.0 / h); ++i) EXPECT_TRUE(integrator.step(h).ok());
    const Motion exact = runge_kutta(system, start, 1.0, 2000);
    return (integrator.motion().state.q - exact.state.q).norm() +
           (integrator.motion().lambda - exact.lambda).norm();
  };
  EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), 2.0, 0.1);
}

TEST(SingleGrid, RefusesWhatDoesNotGoTogether) {
  SingleGridOptions options;
  EXPECT_THROW(apply({{"rule", "midpoint"}, {"stabilisation", "penalty-position"}}, options),
               core::InputError);
  options = {};
  EXPECT_THROW(apply({{"stabilisation", "algebraic-penalty"}}, options), core::InputError);
  options = {};
  EXPECT_THROW(apply({{"passes", 0.0}}, options), core::InputError);
  EXPECT_THROW(apply({{"baumgarte_alpha", -1.0}}, options), core::InputError);
  EXPECT_THROW(apply({{"pass_tolerance", 0.0}}, options), core::InputError);
}

}  // namespace
}  // namespace trammel::integrators::testing::single_grid_test
