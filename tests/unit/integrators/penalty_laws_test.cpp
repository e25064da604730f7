// registry: integrators
// Laws of every registered integrator that keeps constraints by a penalty: second order in
// positions, velocities and multipliers, for all kinds of rows, and constraint errors of second
// order that do not grow.
#include "registered.h"
#include "runge_kutta.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/march.h"

namespace trammel::integrators::testing::penalty_laws_test {
namespace {

class PenaltyLaws : public ::testing::TestWithParam<std::string> {
 protected:
  const IntegratorKind& kind() const { return *find_integrator_kind(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Integrators,
                         PenaltyLaws,
                         ::testing::ValuesIn(names_of_penalty_kinds()),
                         test_name);

struct Errors {
  double position = 0.0;
  double velocity = 0.0;
  double reaction = 0.0;
};

// Largest errors at every tenth of the time.
Errors errors(const IntegratorKind& kind,
              const Settings& settings,
              system::MechanicalSystem& system,
              const State& start,
              double until,
              double h) {
  const auto integrator = kind.make(system, settings, "auto");
  integrator->start(consistent_motion(system, start));
  March march(*integrator);
  Errors worst;
  State exact = start;
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(march.advance(h, std::lround(0.1 * until / h)).ok);
    const Motion at = runge_kutta(system, exact, 0.1 * until, 400);
    exact = at.state;
    const Motion& m = integrator->motion();
    EXPECT_NEAR(m.state.t, exact.t, 1e-12);
    worst.position = std::max(worst.position, (m.state.q - exact.q).norm());
    worst.velocity = std::max(worst.velocity, (m.state.v - exact.v).norm());
    if (at.lambda.size() == 0) continue;
    worst.reaction = std::max(worst.reaction, (m.lambda - at.lambda).norm());
  }
  return worst;
}

void expect_order_two(const IntegratorKind& kind,
                      const Settings& settings,
                      system::MechanicalSystem& system,
                      const State& start,
                      const std::string& what) {
  const Errors coarse = errors(kind, settings, system, start, 1.0, 4e-3);
  const Errors fine = errors(kind, settings, system, start, 1.0, 2e-3);
  // Two is approached to 0.05 at these steps; where errors pass through zero they may fall faster.
  EXPECT_GT(std::log2(coarse.position / fine.position), 1.9) << what << fine.position;
  EXPECT_GT(std::log2(coarse.velocity / fine.velocity), 1.9) << what << fine.velocity;
  // Rows of velocities that the grid solves for themselves leave the penalty's share alone.
  if (fine.reaction < 1e-6) return;
  EXPECT_GT(std::log2(coarse.reaction / fine.reaction), 1.85) << what << fine.reaction;
}

// From a moving start, where the balanced one matters.
TEST_P(PenaltyLaws, HaveOrderTwoInPositionsVelocitiesAndMultipliers) {
  const std::vector<Settings> choices{
      {}, {{"resynchronise", 0.0}}, {{"resynchronise", 10.0}}, {{"nonholonomic", "acceleration"}}};
  FunctionSystem pendulum = circle_pendulum();
  FunctionSystem knife = skate();
  FunctionSystem driven = driven_mass();
  FunctionSystem spring = oscillator();
  for (const Settings& settings : choices) {
    if (!settings.empty() && !has_setting(kind(), settings.begin()->first)) continue;
    expect_order_two(kind(), settings, pendulum, {0.0, vector({-1, 0}), vector({0, -2}), {}},
                     "pendulum ");
    expect_order_two(kind(), settings, knife, {0.0, Vector::Zero(3), vector({0, 0, 1.5}), {}},
                     "skate ");
    expect_order_two(kind(), settings, driven, {0.0, vector({0, 0.5}), vector({2, 0}), {}},
                     "driven ");
    expect_order_two(kind(), settings, spring, {0.0, vector({1.0}), vector({0.5}), {}},
                     "oscillator ");
  }
}

// y' = A y, exactly.
TEST_P(PenaltyLaws, HaveOrderTwoInFirstOrderStates) {
  Eigen::Matrix3d A;
  A << 0, 1, 0, -4, 0, -1, 0, 3, -5;
  const Eigen::EigenSolver<Eigen::Matrix3d> modes(A);
  const Eigen::Vector3cd start =
      modes.eigenvectors().inverse() * Eigen::Vector3d(1.0, 0.0, 0.5).cast<std::complex<double>>();
  const auto error = [&](double h) {
    FunctionSystem system = maxwell_element();
    const auto integrator = kind().make(system, {}, "auto");
    integrator->start(
        consistent_motion(system, {0.0, vector({1.0}), vector({0.0}), vector({0.5})}));
    double worst = 0.0;
    for (long i = 1; i <= std::lround(2.0 / h); ++i) {
      EXPECT_TRUE(integrator->step(h).ok());
      const Eigen::Vector3cd factors =
          (h * static_cast<double>(i) * modes.eigenvalues()).array().exp().matrix();
      const Eigen::Vector3d exact = (modes.eigenvectors() * factors.cwiseProduct(start)).real();
      const State& s = integrator->motion().state;
      worst = std::max(worst, (Eigen::Vector3d(s.q[0], s.v[0], s.z[0]) - exact).norm());
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(4e-3) / error(2e-3)), 2.0, 0.1);
}

TEST_P(PenaltyLaws, AreNotHurtByRedundantRows) {
  FunctionSystem redundant = doubly_held_pendulum();
  FunctionSystem plain = circle_pendulum();
  const State start{0.0, vector({-1, 0}), vector({0, 0}), {}};
  const auto twice = kind().make(redundant, {}, "auto");
  const auto once = kind().make(plain, {}, "auto");
  twice->start(consistent_motion(redundant, start));
  once->start(consistent_motion(plain, start));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(twice->step(2e-3).ok());
    ASSERT_TRUE(once->step(2e-3).ok());
  }
  const Motion& a = twice->motion();
  const Motion& b = once->motion();
  // The rows are the same; an automatic epsilon of 1e-8 is not.
  EXPECT_LT((a.state.q - b.state.q).norm(), 1e-6);
  EXPECT_NEAR(a.lambda[0] + 2.0 * a.lambda[1], b.lambda[0], 1e-4);
}

TEST_P(PenaltyLaws, GoOnAfterAFailedStepAndWithOtherSteps) {
  FunctionSystem system = broken_after_half_a_second();
  const auto integrator = kind().make(system, {}, "auto");
  integrator->start(consistent_motion(system, {0.0, vector({1.0}), vector({0.0}), {}}));
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(integrator->step(0.01).ok());
  const Motion before = integrator->motion();
  EXPECT_FALSE(integrator->step(0.2).ok());
  EXPECT_EQ(integrator->motion().state.t, before.state.t);
  EXPECT_EQ(integrator->motion().state.q, before.state.q);
  for (const double h : {0.005, 0.01, 0.002}) ASSERT_TRUE(integrator->step(h).ok());
  // Order two: h^2 t/24.
  EXPECT_NEAR(integrator->motion().state.q[0], std::cos(0.417), 1e-5);
  EXPECT_NEAR(integrator->motion().state.t, 0.417, 1e-15);
}

TEST_P(PenaltyLaws, RefuseSettingsThatMakeNoSense) {
  FunctionSystem system = circle_pendulum();
  for (const double value : {-1e-6, 1.0, std::nan("")}) {
    EXPECT_THROW(kind().make(system, {{"epsilon", value}}, "auto"), core::InputError) << value;
  }
  EXPECT_THROW(kind().make(system, {{"index", 3.0}}, "auto"), core::InputError);
  EXPECT_THROW(kind().make(system, {{"stabilisation", "penality"}}, "auto"), core::InputError);
  if (has_setting(kind(), "resynchronise")) {
    EXPECT_THROW(kind().make(system, {{"resynchronise", -2.0}}, "auto"), core::InputError);
    EXPECT_THROW(kind().make(system, {{"resynchronise", 2.5}}, "auto"), core::InputError);
  }
  EXPECT_THROW(kind().make(system, {}, "blok"), core::InputError);
}

TEST_P(PenaltyLaws, CountTheirWork) {
  FunctionSystem system = circle_pendulum();
  const auto integrator = kind().make(system, {}, "auto");
  integrator->start(consistent_motion(system, {0.0, vector({-1, 0}), vector({0, 0}), {}}));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(integrator->step(1e-3).ok());
  EXPECT_DOUBLE_EQ(integrator->motion().state.t, 1.0);
  EXPECT_EQ(integrator->statistics().steps, 1000);
  EXPECT_GE(integrator->statistics().residual_evaluations, 1000);
  EXPECT_GE(integrator->statistics().factorisations, 1000);
  EXPECT_GT(integrator->statistics().largest_displacement, 0.0);
  EXPECT_GT(integrator->memory_bytes(), 0U);
}

}  // namespace
}  // namespace trammel::integrators::testing::penalty_laws_test
