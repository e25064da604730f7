// registry: integrators
// Laws of the integrators in independent coordinates, on systems written by hand: measured orders,
// constraints at all levels after every step, nonholonomic rows, drives, first-order states,
// redundant rows, and settings that make no sense. Other laws hold for all integrators
// (row_laws_test.cpp, switch_laws_test.cpp).
#include <functional>

#include "registered.h"
#include "runge_kutta.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/march.h"
#include "trammel/integrators/state_space_newmark.h"

namespace trammel::integrators::testing::state_space_laws_test {
namespace {

/// Marches and looks at the positions after every tenth of the way.
std::vector<Vector> positions(const std::string& name,
                              system::MechanicalSystem& system,
                              const State& state,
                              const Settings& settings,
                              double until,
                              int steps) {
  const auto integrator = find_integrator_kind(name)->make(system, settings, "auto");
  integrator->start(consistent_motion(system, state));
  March march(*integrator);
  std::vector<Vector> seen;
  for (int i = 0; i < 10; ++i) {
    const MarchReport report = march.advance(until / steps, steps / 10);
    EXPECT_TRUE(report.ok) << name << ": " << to_string(report.failure) << " at " << report.time;
    EXPECT_EQ(report.halvings, 0) << name;
    seen.push_back(integrator->motion().state.q);
  }
  return seen;
}

/// The order of positions between n and 2 n steps: of the root mean square over ten times, since
/// errors pass through zero at single ones.
double measured_order(const std::string& name,
                      system::MechanicalSystem& system,
                      const State& state,
                      double until,
                      int steps,
                      const std::function<Vector(double)>& exact,
                      const Settings& settings = {}) {
  const auto error = [&](int n) {
    const std::vector<Vector> seen = positions(name, system, state, settings, until, n);
    double sum = 0.0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      sum += (seen[i] - exact(until * static_cast<double>(i + 1) / 10.0)).squaredNorm();
    }
    return std::sqrt(sum);
  };
  return std::log2(error(steps) / error(2 * steps));
}

Motion marched(const std::string& name,
               system::MechanicalSystem& system,
               const State& state,
               const Settings& settings,
               double until,
               int steps) {
  const auto integrator = find_integrator_kind(name)->make(system, settings, "auto");
  integrator->start(consistent_motion(system, state));
  March march(*integrator);
  const MarchReport report = march.advance(until / steps, steps);
  EXPECT_TRUE(report.ok) << name << ": " << to_string(report.failure) << " at " << report.time;
  EXPECT_EQ(report.halvings, 0) << name;
  EXPECT_EQ(integrator->statistics().steps, steps) << name;
  return integrator->motion();
}

class StateSpaceLaws : public ::testing::TestWithParam<std::string> {
 protected:
  int order() const {
    FunctionSystem system = circle_pendulum();
    return find_integrator_kind(GetParam())->make(system, {}, "auto")->order();
  }
  double measured(system::MechanicalSystem& system,
                  const State& state,
                  double until,
                  const std::function<Vector(double)>& exact,
                  const Settings& settings = {}) const {
    // Errors at 400 steps are still far above round-off, some 1e-10 for order 4, and at 200 those
    // of a change of coordinates are small beside the others.
    return measured_order(GetParam(), system, state, until, 200, exact, settings);
  }
};

INSTANTIATE_TEST_SUITE_P(Integrators,
                         StateSpaceLaws,
                         ::testing::ValuesIn(names_of_kinds_with("partition")),
                         test_name);

State released() {
  return {0.0, vector({-1, 0}), vector({0, 0}), {}};
}

/// Where the released pendulum is, at tenths of a second.
Vector swing(double t) {
  static const std::vector<Vector> places = [] {
    FunctionSystem system = circle_pendulum();
    std::vector<Vector> list;
    State state = released();
    for (int i = 0; i < 10; ++i) {
      state = runge_kutta(system, state, 0.1, 1000).state;
      list.push_back(state.q);
    }
    return list;
  }();
  return places[static_cast<std::size_t>(std::lround(10.0 * t)) - 1];
}

TEST_P(StateSpaceLaws, HaveTheirOrderThroughChangesOfCoordinates) {
  FunctionSystem system = circle_pendulum();
  for (const char* partition : {"lu", "qr", "svd", "null-space"}) {
    // From the side through the bottom: x and y change their parts on the way.
    EXPECT_NEAR(measured(system, released(), 1.0, swing, {{"partition", partition}}), order(), 0.25)
        << partition;
  }
}

TEST_P(StateSpaceLaws, SatisfyAllLevelsOfConstraintsAfterEveryStep) {
  FunctionSystem system = circle_pendulum();
  const auto integrator = find_integrator_kind(GetParam())->make(system, {}, "auto");
  integrator->start(consistent_motion(system, released()));
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(integrator->step(0.01).ok());
    const Motion& m = integrator->motion();
    ASSERT_NEAR(m.state.q.norm(), 1.0, 1e-13);
    ASSERT_NEAR(m.state.q.dot(m.state.v), 0.0, 1e-13);
    ASSERT_NEAR(m.state.q.dot(m.a) + m.state.v.squaredNorm(), 0.0, 1e-12);
    // M a + G^T lambda = f.
    ASSERT_LT((m.a + m.lambda[0] * m.state.q - vector({0, -9.81})).norm(), 2e-8);
  }
}

TEST_P(StateSpaceLaws, RunNonholonomicSystems) {
  FunctionSystem system = skate();
  const double w = 1.5;
  const State state{0.0, Vector::Zero(3), vector({0, 0, w}), {}};
  const auto exact = [w](double t) {
    return vector({2.0 / (w * w) * std::pow(std::sin(w * t), 2),
                   2.0 / (w * w) * (w * t - 0.5 * std::sin(2.0 * w * t)), w * t});
  };
  for (const char* partition : {"lu", "qr"}) {
    EXPECT_GT(measured(system, state, 2.0, exact, {{"partition", partition}}), order() - 0.15)
        << partition;
    const Motion end = marched(GetParam(), system, state, {{"partition", partition}}, 2.0, 100);
    EXPECT_NEAR(
        end.state.v[0] * std::sin(end.state.q[2]) - end.state.v[1] * std::cos(end.state.q[2]), 0.0,
        1e-13);
  }
  for (const char* plane : {"svd", "null-space"}) {
    EXPECT_THROW(marched(GetParam(), system, state, {{"partition", plane}}, 2.0, 100),
                 core::InputError);
  }
}

TEST_P(StateSpaceLaws, RunDrivenSystems) {
  FunctionSystem system = driven_mass();
  const State state{0.0, vector({0, 0.5}), vector({2, 0}), {}};
  const auto exact = [](double t) { return vector({std::sin(2.0 * t), 0.5 * std::cos(3.0 * t)}); };
  EXPECT_GT(measured(system, state, 2.0, exact), order() - 0.15);
  const Motion end = marched(GetParam(), system, state, {}, 2.0, 1000);
  EXPECT_NEAR(end.state.q[0], std::sin(4.0), 1e-13);
  EXPECT_NEAR(end.state.v[0], 2.0 * std::cos(4.0), 1e-13);
  // The drive has to supply -4 sin(2 t): minus the multiplier.
  EXPECT_NEAR(end.lambda[0], 4.0 * std::sin(4.0), 1e-10);
}

// Nothing is free: x is driven and y held by a second row.
TEST_P(StateSpaceLaws, FollowMotionsThatArePrescribed) {
  FunctionSystem system(
      {.mass = vector({1.0, 2.0}),
       .force =
           [](const State&) {
             return vector({0.0, -9.81});
           },
       .position =
           [](const State& s) {
             return vector({s.q[0] - std::sin(2.0 * s.t), s.q[1] - s.q[0] * s.q[0]});
           },
       .jacobian =
           [](const State& s) {
             Eigen::MatrixXd G(2, 2);
             G << 1.0, 0.0, -2.0 * s.q[0], 1.0;
             return G;
           },
       .velocity_bias =
           [](const State& s) {
             return vector({-2.0 * std::cos(2.0 * s.t), 0.0});
           },
       .acceleration_bias =
           [](const State& s) {
             return vector({4.0 * std::sin(2.0 * s.t), -2.0 * s.v[0] * s.v[0]});
           },
       .holonomic = 2});
  const Motion end =
      marched(GetParam(), system, {0.0, vector({0, 0}), vector({2, 0}), {}}, {}, 2.0, 50);
  EXPECT_NEAR(end.state.q[1], std::pow(std::sin(4.0), 2), 1e-13);
  // 2 m y'' + 2 g = -lambda_2.
  const double y = 2.0 * (std::pow(2.0 * std::cos(4.0), 2) - 4.0 * std::pow(std::sin(4.0), 2));
  EXPECT_NEAR(end.lambda[1], -9.81 - 2.0 * y, 1e-11);
}

TEST_P(StateSpaceLaws, RunFirstOrderStates) {
  FunctionSystem system = maxwell_element();
  const State state{0.0, vector({1.0}), vector({0.0}), vector({0.5})};
  Eigen::Matrix3d A;
  A << 0, 1, 0, -4, 0, -1, 0, 3, -5;
  const Eigen::EigenSolver<Eigen::Matrix3d> modes(A);
  const Eigen::Vector3cd start =
      modes.eigenvectors().inverse() * Eigen::Vector3d(1.0, 0.0, 0.5).cast<std::complex<double>>();
  const auto exact = [&](double t) -> Vector {
    const Eigen::Vector3cd factors = (t * modes.eigenvalues()).array().exp().matrix();
    return (modes.eigenvectors() * factors.cwiseProduct(start)).real();
  };
  EXPECT_NEAR(measured(system, state, 2.0, [&](double t) -> Vector { return exact(t).head(1); }),
              order(), 0.15);
  const Motion end = marched(GetParam(), system, state, {}, 2.0, 2000);
  EXPECT_NEAR(end.state.z[0], exact(2.0)[2], 1e-6);
}

TEST_P(StateSpaceLaws, AreNotHurtByRedundantRows) {
  FunctionSystem redundant = doubly_held_pendulum();
  FunctionSystem plain = circle_pendulum();
  const Motion a = marched(GetParam(), redundant, released(), {}, 1.0, 200);
  const Motion b = marched(GetParam(), plain, released(), {}, 1.0, 200);
  EXPECT_LT((a.state.q - b.state.q).norm(), 1e-11);
  EXPECT_NEAR(a.lambda[0] + 2.0 * a.lambda[1], b.lambda[0], 1e-7);
}

TEST_P(StateSpaceLaws, GoOnAsIfNothingHadHappenedAfterAFailedStep) {
  FunctionSystem system = circle_pendulum();
  const auto make = [&] {
    auto integrator = find_integrator_kind(GetParam())->make(system, {}, "auto");
    integrator->start(consistent_motion(system, released()));
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(integrator->step(2e-3).ok());
    return integrator;
  };
  const auto disturbed = make();
  const auto plain = make();
  const Motion before = disturbed->motion();
  // No place of the circle is that far to the side.
  EXPECT_FALSE(disturbed->step(5.0).ok());
  EXPECT_EQ(disturbed->motion().state.q, before.state.q);
  EXPECT_EQ(disturbed->motion().state.v, before.state.v);
  EXPECT_EQ(disturbed->statistics().failed_steps, 1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(disturbed->step(2e-3).ok());
    ASSERT_TRUE(plain->step(2e-3).ok());
  }
  // Iterations may end a little otherwise.
  EXPECT_LT((disturbed->motion().state.q - plain->motion().state.q).norm(), 1e-10);
}

TEST_P(StateSpaceLaws, RefuseSettingsThatMakeNoSense) {
  FunctionSystem system = circle_pendulum();
  const IntegratorKind& kind = *find_integrator_kind(GetParam());
  for (const Settings& settings : std::vector<Settings>{
           {{"index", 3.0}},
           {{"partition", "gauss"}},
           {{"partition", 1.0}},
           {{"columns", "long"}},
           {{"repartition_above", 0.5}},
           {{"repartition_above", -1.0}},
           {{"independent", "coordinate 1"}},
           {{"independent", std::vector<std::string>{"coordinate 2"}}, {"partition", "svd"}},
           {{"independent", std::vector<std::string>{"coordinate 3"}}},
           {{"independent", std::vector<std::string>{"coordinate 1", "coordinate 1"}}}}) {
    EXPECT_THROW(kind.make(system, settings, "auto"), core::InputError) << settings.begin()->first;
  }
  EXPECT_THROW(kind.make(system, {}, "blok"), core::InputError);
  const auto start = [&](std::vector<std::string> names) {
    const auto integrator = kind.make(system, {{"independent", std::move(names)}}, "auto");
    integrator->start(consistent_motion(system, released()));
  };
  // At (-1, 0) y is free and x is not; both together are too many.
  EXPECT_THROW(start({"coordinate 1"}), core::InputError);
  EXPECT_THROW(start({"coordinate 1", "coordinate 2"}), core::InputError);
  EXPECT_NO_THROW(start({"coordinate 2"}));
}

// ---- the implicit rule

TEST(StateSpaceNewmark, RefusesNumbersOutOfRange) {
  FunctionSystem system = circle_pendulum();
  const IntegratorKind& kind = *find_integrator_kind("state-space-newmark");
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, double>>{{"beta", 0.0},
                                                   {"beta", 1.5},
                                                   {"gamma", 0.0},
                                                   {"gamma", std::nan("")},
                                                   {"newton_tolerance", 0.0},
                                                   {"newton_tolerance", 1.0},
                                                   {"most_iterations", 0.0},
                                                   {"most_iterations", 2.5}}) {
    EXPECT_THROW(kind.make(system, {{name, value}}, "auto"), core::InputError)
        << name << " " << value;
  }
}

TEST(StateSpaceNewmark, HasTheOrderOfItsRule) {
  FunctionSystem system = circle_pendulum();
  const auto order = [&](const Settings& settings) {
    return measured_order("state-space-newmark", system, released(), 1.0, 1000, swing, settings);
  };
  EXPECT_NEAR(order({}), 2.0, 0.1);
  EXPECT_NEAR(order({{"beta", 1.0 / 6.0}}), 2.0, 0.1);
  EXPECT_NEAR(order({{"gamma", 0.6}, {"beta", 0.3025}}), 1.0, 0.1);
  EXPECT_NEAR(order({{"rule", "backward-euler"}}), 1.0, 0.1);
}

// The same equations, so the same motion; only the way there differs.
TEST(StateSpaceNewmark, HasOneSolutionWhateverTheWayToIt) {
  FunctionSystem system = circle_pendulum();
  const Motion reference =
      marched("state-space-newmark", system, released(), {{"repartition_above", 0.0}}, 0.4, 40);
  for (const char* predictor : {"taylor", "tilde", "hold"}) {
    for (const char* iteration : {"newton", "fisette-vaneghem"}) {
      const Settings settings{
          {"predictor", predictor}, {"iteration", iteration}, {"repartition_above", 0.0}};
      const Motion end = marched("state-space-newmark", system, released(), settings, 0.4, 40);
      EXPECT_LT((end.state.q - reference.state.q).norm(), 1e-11) << predictor << iteration;
      EXPECT_LT((end.a - reference.a).norm(), 1e-7) << predictor << iteration;
    }
  }
}

TEST(StateSpaceNewmark, ConvergesQuadraticallyWithTheExactJacobianAlone) {
  const auto residuals = [](const std::string& iteration) {
    FunctionSystem system = circle_pendulum();
    StateSpaceOptions options;
    apply({{"iteration", iteration}, {"newton_tolerance", 1e-14}}, options);
    StateSpaceNewmark integrator(system, options);
    integrator.start(consistent_motion(system, {0.0, vector({-0.6, -0.8}), vector({4, -3}), {}}));
    // A long step, so that there is something to see.
    EXPECT_TRUE(integrator.step(0.12).ok());
    return integrator.residuals();
  };
  const std::vector<double> exact = residuals("newton");
  ASSERT_GE(exact.size(), 4U);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    RecordProperty("exact_" + std::to_string(i), std::to_string(std::log10(exact[i])));
  }
  // Each has twice the digits of the one before, as far as round-off lets it.
  int squared = 0;
  for (std::size_t i = 0; i + 1 < exact.size(); ++i) {
    if (exact[i] > 1.0 || exact[i + 1] < 1e-13) continue;
    EXPECT_LT(exact[i + 1], 2.0 * exact[i] * exact[i]) << "iterate " << i;
    ++squared;
  }
  EXPECT_GE(squared, 2);
  // Without second derivatives the digits come one by one: by the same factor every time.
  const std::vector<double> quasi = residuals("fisette-vaneghem");
  ASSERT_GE(quasi.size(), exact.size() + 2);
  const double early = quasi[2] / quasi[1];
  const double late = quasi[4] / quasi[3];
  EXPECT_NEAR(std::log10(late), std::log10(early), 0.5);
}

}  // namespace
}  // namespace trammel::integrators::testing::state_space_laws_test
