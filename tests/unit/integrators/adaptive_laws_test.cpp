// registry: integrators
// Laws that hold for every registered integrator that solves for accelerations in explicit form or
// controls its error: all that are not of the GSSSS family. Those with a penalty have laws of their
// own besides, in penalty_laws_test.cpp.
#include "registered.h"
#include "runge_kutta.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/march.h"

namespace trammel::integrators::testing::adaptive_laws_test {
namespace {

Motion pendulum_start() {
  return {{0.0, vector({-1, 0}), vector({0, 0}), {}}, vector({0, -9.81}), vector({0})};
}

/// Marches a kind over equal intervals.
class Runner {
 public:
  Runner(const std::string& name,
         system::MechanicalSystem& system,
         const State& state,
         const Settings& settings)
      : integrator_(find_integrator_kind(name)->make(system, settings, "auto")),
        march_(*integrator_) {
    integrator_->start(consistent_motion(system, state));
  }
  MarchReport advance(double interval) {
    // Methods with fixed steps get short ones.
    return march_.advance(integrator_->adaptive() ? interval : interval / 50.0,
                          integrator_->adaptive() ? 1 : 50);
  }
  const Motion& motion() const { return integrator_->motion(); }
  Integrator& integrator() { return *integrator_; }

 private:
  std::unique_ptr<Integrator> integrator_;
  March march_;
};

Settings tolerance(double value) {
  return {{"relative_tolerance", value}, {"absolute_tolerance", value}};
}

// ---- laws of methods with error control

class ToleranceLaws : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Integrators,
                         ToleranceLaws,
                         ::testing::ValuesIn(names_of_kinds_with("relative_tolerance")),
                         test_name);

struct Errors {
  double position = 0.0;
  double velocity = 0.0;
  double reaction = 0.0;
  double drift = 0.0;
  long steps = 0;
};

// Largest errors of the released pendulum at 20 times until 2 s.
Errors pendulum_errors(const std::string& name, const Settings& settings) {
  FunctionSystem system = circle_pendulum();
  static const std::vector<Motion> exact = [&] {
    std::vector<Motion> motions;
    State state = pendulum_start().state;
    for (int i = 0; i < 20; ++i) {
      motions.push_back(runge_kutta(system, state, 0.1, 400));
      state = motions.back().state;
    }
    return motions;
  }();
  Runner runner(name, system, pendulum_start().state, settings);
  Errors errors;
  for (const Motion& e : exact) {
    EXPECT_TRUE(runner.advance(0.1).ok);
    const Motion& m = runner.motion();
    EXPECT_NEAR(m.state.t, e.state.t, 1e-12);
    errors.position = std::max(errors.position, (m.state.q - e.state.q).norm());
    errors.velocity = std::max(errors.velocity, (m.state.v - e.state.v).norm());
    errors.reaction = std::max(errors.reaction, (m.lambda - e.lambda).norm());
    errors.drift = std::max(errors.drift, std::abs(m.state.q.norm() - 1.0));
  }
  errors.steps = runner.integrator().statistics().steps;
  return errors;
}

TEST_P(ToleranceLaws, ErrorsFallInProportionToTheTolerance) {
  Errors last{.position = 1.0, .velocity = 1.0, .reaction = 1.0};
  for (const double value : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Errors errors = pendulum_errors(GetParam(), tolerance(value));
    RecordProperty("error_at_" + std::to_string(value), std::to_string(errors.position));
    // Two seconds of steps add their errors up; a hundred tolerances are plenty for a pendulum.
    EXPECT_LT(errors.position, 100.0 * value) << "steps " << errors.steps;
    EXPECT_LT(errors.velocity, 500.0 * value);
    // A hundredth of the tolerance leaves at most a tenth of the error.
    EXPECT_LT(errors.position, 0.1 * last.position);
    EXPECT_LT(errors.velocity, 0.1 * last.velocity);
    EXPECT_LT(errors.reaction, 0.2 * last.reaction);
    EXPECT_LT(errors.drift, 1e-12);
    last = errors;
  }
}

// With long steps of one size a BDF kept its matrix while the constraint turned, trusted the rate
// that its iteration once had, and gained energy: with one tolerance in five.
TEST_P(ToleranceLaws, NoToleranceIsUnlucky) {
  for (double value = 3e-4; value > 1e-5; value *= 0.8) {
    const Errors errors = pendulum_errors(GetParam(), tolerance(value));
    EXPECT_LT(errors.position, 30.0 * value) << "tolerance " << value;
    EXPECT_LT(errors.velocity, 150.0 * value) << "tolerance " << value;
  }
}

TEST_P(ToleranceLaws, FindTheirOwnStepsWhateverTheInterval) {
  FunctionSystem system = circle_pendulum();
  const auto end = [&](double interval) {
    Runner runner(GetParam(), system, pendulum_start().state, tolerance(1e-7));
    for (long i = 0; i < std::lround(1.0 / interval); ++i) EXPECT_TRUE(runner.advance(interval).ok);
    EXPECT_DOUBLE_EQ(runner.motion().state.t, 1.0);
    return std::pair(runner.motion().state.q, runner.integrator().statistics().steps);
  };
  const auto [coarse, coarse_steps] = end(1.0);
  const auto [fine, fine_steps] = end(1e-3);
  // Results in between are read off the steps: neither their number nor the motion depends on them.
  EXPECT_NEAR(static_cast<double>(fine_steps), static_cast<double>(coarse_steps), 2.0);
  EXPECT_LT((coarse - fine).norm(), 1e-10);
}

TEST_P(ToleranceLaws, EstimateTheirLocalErrors) {
  FunctionSystem system = circle_pendulum();
  const Motion exact = runge_kutta(system, pendulum_start().state, 1.0, 1000);
  Runner runner(GetParam(), system, pendulum_start().state, tolerance(1e-6));
  ASSERT_TRUE(runner.advance(1.0).ok);
  const double error = (runner.motion().state.q - exact.state.q).norm();
  const Statistics& s = runner.integrator().statistics();
  // An estimate: the pendulum neither forgets its errors nor magnifies them much.
  EXPECT_LT(error, 20.0 * s.local_errors);
  EXPECT_LT(s.local_errors, 1e-3);
  EXPECT_GT(s.steps, 5);
  EXPECT_GE(s.residual_evaluations, s.steps);
}

TEST_P(ToleranceLaws, StopWhereThereAreNoForces) {
  FunctionSystem system = broken_after_half_a_second();
  Runner runner(GetParam(), system, {0.0, vector({1.0}), vector({0.0}), {}}, tolerance(1e-6));
  const MarchReport report = runner.advance(1.0);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.failure, Failure::not_finite);
  EXPECT_NEAR(report.time, 0.5, 1e-6);
  EXPECT_NEAR(runner.motion().state.q[0], std::cos(report.time), 1e-4);
}

TEST_P(ToleranceLaws, RefuseTolerancesThatMakeNoSense) {
  FunctionSystem system = circle_pendulum();
  const IntegratorKind& kind = *find_integrator_kind(GetParam());
  for (const char* name : {"relative_tolerance", "absolute_tolerance"}) {
    for (const double value : {0.0, -1e-6, 1e-16, 1.0, std::nan("")}) {
      EXPECT_THROW(kind.make(system, {{name, value}}, "auto"), core::InputError) << value;
    }
  }
  EXPECT_THROW(kind.make(system, {{"largest_step", -1.0}}, "auto"), core::InputError);
  EXPECT_THROW(kind.make(system, {{"first_step", std::nan("")}}, "auto"), core::InputError);
  if (has_setting(kind, "most_order")) {
    EXPECT_THROW(kind.make(system, {{"most_order", 0.0}}, "auto"), core::InputError);
    EXPECT_THROW(kind.make(system, {{"most_order", 13.0}}, "auto"), core::InputError);
  }
}

TEST_P(ToleranceLaws, ObeyTheLargestStep) {
  FunctionSystem system = oscillator();
  Settings settings = tolerance(1e-3);
  settings["largest_step"] = 1e-3;
  settings["first_step"] = 1e-3;
  Runner runner(GetParam(), system, {0.0, vector({1.0}), vector({0.0}), {}}, settings);
  ASSERT_TRUE(runner.advance(1.0).ok);
  EXPECT_GE(runner.integrator().statistics().steps, 999);
}

// The Moon, the Earth and a satellite in their rotating frame: an orbit with four leaves that
// closes after 17.065... [Arenstorf 1963; Hairer, Norsett & Wanner 1993, sec. II.0].
FunctionSystem three_bodies() {
  return FunctionSystem(
      {.mass = vector({1.0, 1.0}), .force = [](const State& s) {
         const double moon = 0.012277471;
         const double earth = 1.0 - moon;
         const double x = s.q[0];
         const double y = s.q[1];
         const double to_earth = std::pow(std::hypot(x + moon, y), 3);
         const double to_moon = std::pow(std::hypot(x - earth, y), 3);
         return vector(
             {x + 2.0 * s.v[1] - earth * (x + moon) / to_earth - moon * (x - earth) / to_moon,
              y - 2.0 * s.v[0] - earth * y / to_earth - moon * y / to_moon});
       }});
}

TEST_P(ToleranceLaws, CloseArenstorfsOrbit) {
  FunctionSystem system = three_bodies();
  const State start{0.0, vector({0.994, 0.0}), vector({0.0, -2.00158510637908252240537862224}), {}};
  Runner runner(GetParam(), system, start, tolerance(1e-10));
  ASSERT_TRUE(runner.advance(17.0652165601579625588917206249).ok);
  // Passing the Moon magnifies errors: one to two hundred tolerances are left, with BDF, whose
  // steps are more and whose errors have one sign, five thousand.
  EXPECT_LT((runner.motion().state.q - start.q).norm(), GetParam() == "bdf" ? 2e-6 : 1e-7);
  // Close to the Moon steps are thousands of times shorter than far from it.
  EXPECT_GT(runner.integrator().statistics().steps, 100);
}

// ---- laws of all of them

class GeneralLaws : public ::testing::TestWithParam<std::string> {
 protected:
  Settings sharp() const {
    return has_setting(*find_integrator_kind(GetParam()), "relative_tolerance") ? tolerance(1e-8)
                                                                                : Settings{};
  }
};

INSTANTIATE_TEST_SUITE_P(Integrators,
                         GeneralLaws,
                         ::testing::ValuesIn(names_of_projecting_kinds()),
                         test_name);

TEST_P(GeneralLaws, RunNonholonomicSystems) {
  FunctionSystem system = skate();
  const double w = 1.5;
  Runner runner(GetParam(), system, {0.0, Vector::Zero(3), vector({0, 0, w}), {}}, sharp());
  for (int i = 1; i <= 30; ++i) {
    ASSERT_TRUE(runner.advance(0.1).ok);
    const double t = 0.1 * i;
    const State& s = runner.motion().state;
    EXPECT_NEAR(s.q[0], 2.0 / (w * w) * std::pow(std::sin(w * t), 2), 1e-5);
    EXPECT_NEAR(s.q[1], 2.0 / (w * w) * (w * t - 0.5 * std::sin(2.0 * w * t)), 1e-5);
    EXPECT_NEAR(s.v[0] * std::sin(s.q[2]) - s.v[1] * std::cos(s.q[2]), 0.0, 1e-12);
  }
}

TEST_P(GeneralLaws, RunDrivenSystems) {
  FunctionSystem system = driven_mass();
  Runner runner(GetParam(), system, {0.0, vector({0, 0.5}), vector({2, 0}), {}}, sharp());
  for (int i = 1; i <= 20; ++i) {
    ASSERT_TRUE(runner.advance(0.1).ok);
    const double t = 0.1 * i;
    EXPECT_NEAR(runner.motion().state.q[0], std::sin(2.0 * t), 1e-12);
    EXPECT_NEAR(runner.motion().state.q[1], 0.5 * std::cos(3.0 * t), 2e-6);
    // The drive has to supply -4 sin(2 t): minus the multiplier.
    EXPECT_NEAR(runner.motion().lambda[0], 4.0 * std::sin(2.0 * t), 2e-4);
  }
}

TEST_P(GeneralLaws, RunFirstOrderStates) {
  FunctionSystem system = maxwell_element();
  Runner runner(GetParam(), system, {0.0, vector({1.0}), vector({0.0}), vector({0.5})}, sharp());
  // y' = A y, exactly.
  Eigen::Matrix3d A;
  A << 0, 1, 0, -4, 0, -1, 0, 3, -5;
  const Eigen::EigenSolver<Eigen::Matrix3d> modes(A);
  const Eigen::Vector3cd start =
      modes.eigenvectors().inverse() * Eigen::Vector3d(1.0, 0.0, 0.5).cast<std::complex<double>>();
  for (int i = 1; i <= 20; ++i) {
    ASSERT_TRUE(runner.advance(0.1).ok);
    const Eigen::Vector3cd factors = (0.1 * i * modes.eigenvalues()).array().exp().matrix();
    const Eigen::Vector3d exact = (modes.eigenvectors() * factors.cwiseProduct(start)).real();
    const State& s = runner.motion().state;
    EXPECT_NEAR(s.q[0], exact[0], 1e-6);
    EXPECT_NEAR(s.v[0], exact[1], 1e-6);
    EXPECT_NEAR(s.z[0], exact[2], 1e-6);
  }
}

TEST_P(GeneralLaws, AreNotHurtByRedundantRows) {
  FunctionSystem redundant = doubly_held_pendulum();
  FunctionSystem plain = circle_pendulum();
  Runner runner(GetParam(), redundant, pendulum_start().state, sharp());
  Runner reference(GetParam(), plain, pendulum_start().state, sharp());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(runner.advance(0.1).ok);
    ASSERT_TRUE(reference.advance(0.1).ok);
    const Motion& a = runner.motion();
    const Motion& b = reference.motion();
    // Both follow the same path to round-off, but may choose other steps for it.
    EXPECT_LT((a.state.q - b.state.q).norm(), 1e-6);
    // The reaction is what both rows give together.
    EXPECT_NEAR(a.lambda[0] + 2.0 * a.lambda[1], b.lambda[0], 1e-3);
    EXPECT_LT(std::abs(a.lambda[0]) + std::abs(a.lambda[1]), 100.0);
  }
}

TEST_P(GeneralLaws, DriftOnlyWhenLeftAlone) {
  const auto drift = [&](const std::string& stabilisation) {
    FunctionSystem system = circle_pendulum();
    Settings settings;
    if (has_setting(*find_integrator_kind(GetParam()), "relative_tolerance")) {
      settings = tolerance(1e-4);
    }
    settings["stabilisation"] = stabilisation;
    Runner runner(GetParam(), system, pendulum_start().state, settings);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(runner.advance(0.1).ok);
    return std::abs(runner.motion().state.q.norm() - 1.0);
  };
  const double alone = drift("none");
  EXPECT_LT(drift("projection"), 1e-12);
  EXPECT_GT(alone, 1e-9);
  if (!has_setting(*find_integrator_kind(GetParam()), "baumgarte_rate")) return;
  EXPECT_LT(drift("baumgarte"), 0.5 * alone);
}

TEST_P(GeneralLaws, RefuseSettingsThatTheyDoNotKnow) {
  FunctionSystem system = circle_pendulum();
  const IntegratorKind& kind = *find_integrator_kind(GetParam());
  EXPECT_THROW(kind.make(system, {{"index", 3.0}}, "auto"), core::InputError);
  EXPECT_THROW(kind.make(system, {{"stabilisation", "projektion"}}, "auto"), core::InputError);
  EXPECT_THROW(kind.make(system, {{"stabilisation", 1.0}}, "auto"), core::InputError);
  EXPECT_THROW(kind.make(system, {}, "blok"), core::InputError);
  if (has_setting(kind, "baumgarte_rate")) {
    EXPECT_THROW(kind.make(system, {{"baumgarte_rate", 0.0}}, "auto"), core::InputError);
  } else {
    EXPECT_THROW(kind.make(system, {{"stabilisation", "baumgarte"}}, "auto"), core::InputError);
  }
}

TEST_P(GeneralLaws, CountTheirWork) {
  FunctionSystem system = circle_pendulum();
  Runner runner(GetParam(), system, pendulum_start().state, sharp());
  ASSERT_TRUE(runner.advance(1.0).ok);
  const Statistics& s = runner.integrator().statistics();
  EXPECT_GE(s.steps, 10);
  EXPECT_GE(s.residual_evaluations, 2 * s.steps - 1);
  EXPECT_GT(s.factorisations, 0);
  EXPECT_GT(s.largest_displacement, 0.0);
  EXPECT_GT(runner.integrator().memory_bytes(), 0U);
}

// ---- fixed steps

double fixed_step_order(const std::string& name,
                        const Settings& settings,
                        double h,
                        const Motion& exact) {
  const auto error = [&](double step) {
    FunctionSystem system = circle_pendulum();
    const auto integrator = find_integrator_kind(name)->make(system, settings, "auto");
    EXPECT_FALSE(integrator->adaptive());
    integrator->start(pendulum_start());
    March march(*integrator);
    EXPECT_TRUE(march.advance(step, std::lround(1.0 / step)).ok);
    EXPECT_DOUBLE_EQ(integrator->motion().state.t, 1.0);
    EXPECT_EQ(integrator->statistics().steps, std::lround(1.0 / step));
    return (integrator->motion().state.q - exact.state.q).norm();
  };
  return std::log2(error(h) / error(0.5 * h));
}

TEST(FixedSteps, HaveTheOrderOfTheTable) {
  FunctionSystem system = circle_pendulum();
  // Its error is a millionth of that of rk4 at the shorter step, (0.0005/0.01)^4 and projected.
  const Motion exact = runge_kutta(system, pendulum_start().state, 1.0, 2000);
  for (const char* stabilisation : {"projection", "none"}) {
    EXPECT_NEAR(fixed_step_order("rk4", {{"stabilisation", stabilisation}}, 0.02, exact), 4.0, 0.3);
    EXPECT_NEAR(
        fixed_step_order("dormand-prince", {{"steps", "fixed"}, {"stabilisation", stabilisation}},
                         0.02, exact),
        5.0, 0.4);
  }
}

}  // namespace
}  // namespace trammel::integrators::testing::adaptive_laws_test
