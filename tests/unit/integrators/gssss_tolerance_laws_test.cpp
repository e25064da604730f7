// registry: integrators
// Laws of the GSSSS family with steps of its own: every member, at index 3, 2 and 1.
#include "registered.h"
#include "runge_kutta.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/march.h"

namespace trammel::integrators::testing::gssss_tolerance_laws_test {
namespace {

// What keeps all constraints, or leaves nothing to drift.
const std::vector<Settings> treatments{
    {{"index", 3.0}},
    {{"index", 3.0}, {"stabilisation", "projection"}},
    {{"index", 2.0}, {"stabilisation", "projection"}},
    {{"index", 1.0}, {"stabilisation", "projection"}},
    {{"stabilisation", "ggl"}},
};

std::string text_of(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    if (const auto* word = std::get_if<std::string>(&value)) text += " " + name + " " + *word;
    if (const auto* number = std::get_if<double>(&value)) {
      text += " " + name + " " + std::to_string(*number);
    }
  }
  return text;
}

Motion released() {
  return {{0.0, vector({-1, 0}), vector({0, 0}), {}}, vector({0, -9.81}), vector({0})};
}

const std::vector<Motion>& exact_motion() {
  static const std::vector<Motion> exact = [] {
    FunctionSystem system = circle_pendulum();
    std::vector<Motion> motions;
    State state = released().state;
    for (int i = 0; i < 20; ++i) {
      motions.push_back(runge_kutta(system, state, 0.1, 400));
      state = motions.back().state;
    }
    return motions;
  }();
  return exact;
}

struct Errors {
  double position = 0.0;
  double velocity = 0.0;
  double reaction = 0.0;
  long steps = 0;
};

class GssssTolerance : public ::testing::TestWithParam<std::string> {
 protected:
  Errors errors(Settings settings, double tolerance) const {
    FunctionSystem system = circle_pendulum();
    settings["tolerance"] = tolerance;
    const auto integrator = kind_.make(system, settings, "auto");
    EXPECT_TRUE(integrator->adaptive());
    integrator->start(released());
    March march(*integrator);
    Errors e;
    for (const Motion& exact : exact_motion()) {
      EXPECT_TRUE(march.advance(0.1, 1).ok) << text_of(settings);
      const Motion& m = integrator->motion();
      EXPECT_NEAR(m.state.t, exact.state.t, 1e-12);
      e.position = std::max(e.position, (m.state.q - exact.state.q).norm());
      e.velocity = std::max(e.velocity, (m.state.v - exact.state.v).norm());
      e.reaction = std::max(e.reaction, (m.lambda - exact.lambda).norm());
    }
    e.steps = integrator->statistics().steps;
    return e;
  }

  /// Accelerations of these alternate at index 3 without projection: refused with a tolerance.
  bool alternates() const { return GetParam() == "newmark" || GetParam() == "mpr-epa"; }
  Settings with_tolerance(double tolerance) const {
    Settings settings{{"tolerance", tolerance}};
    if (alternates()) settings["stabilisation"] = "projection";
    return settings;
  }

  const IntegratorKind& kind_ = *find_integrator_kind(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Integrators,
                         GssssTolerance,
                         ::testing::ValuesIn(names_of_kinds_with("index")),
                         test_name);

// The pendulum falls through some ten radians in two seconds, and every step gets the tolerance
// times its share of a radian; velocities are up to 4.4 m/s and reactions up to 30 N.
TEST_P(GssssTolerance, ErrorsStayNearTheTolerance) {
  for (const Settings& settings : treatments) {
    if (alternates() && settings.size() == 1 && settings.contains("index")) continue;
    Errors last;
    for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
      const Errors e = errors(settings, tolerance);
      EXPECT_LT(e.position, 10.0 * tolerance) << text_of(settings) << " steps " << e.steps;
      EXPECT_LT(e.velocity, 50.0 * tolerance) << text_of(settings) << " steps " << e.steps;
      EXPECT_LT(e.reaction, 600.0 * tolerance) << text_of(settings) << " steps " << e.steps;
      if (last.steps > 0) {
        // Of second order: a tenth of the tolerance takes sqrt(10) times the steps.
        const double ratio = static_cast<double>(e.steps) / static_cast<double>(last.steps);
        EXPECT_GT(ratio, 2.2) << text_of(settings);
        EXPECT_LT(ratio, 4.5) << text_of(settings);
        EXPECT_LT(e.position, 0.4 * last.position) << text_of(settings);
      }
      last = e;
    }
  }
}

TEST_P(GssssTolerance, FindTheirOwnStepsWhateverTheInterval) {
  FunctionSystem system = circle_pendulum();
  const auto end = [&](double interval) {
    const auto integrator = kind_.make(system, with_tolerance(1e-4), "auto");
    integrator->start(released());
    March march(*integrator);
    for (long i = 0; i < std::lround(1.0 / interval); ++i) {
      EXPECT_TRUE(march.advance(interval, 1).ok);
    }
    EXPECT_DOUBLE_EQ(integrator->motion().state.t, 1.0);
    return std::pair(integrator->motion().state.q, integrator->statistics().steps);
  };
  const auto [coarse, coarse_steps] = end(1.0);
  const auto [fine, fine_steps] = end(1e-3);
  // Results in between are read off the steps: neither their number nor the motion depends on them.
  EXPECT_NEAR(static_cast<double>(fine_steps), static_cast<double>(coarse_steps), 2.0);
  EXPECT_LT((coarse - fine).norm(), 1e-6);
}

// Steps that change from one to the next by a third, and alternate: the algorithmic acceleration
// has to be moved along. Index 3 with velocities of its own error, and index 2.
TEST_P(GssssTolerance, ChangingStepsKeepTheSecondOrder) {
  const Motion& exact = exact_motion()[9];
  for (const Settings& settings : {treatments[1], treatments[2]}) {
    const auto error = [&](int pairs) {
      FunctionSystem system = circle_pendulum();
      const auto integrator = kind_.make(system, settings, "auto");
      integrator->start(released());
      const double h = 1.0 / pairs;
      for (int i = 0; i < pairs; ++i) {
        EXPECT_TRUE(integrator->step(0.43 * h).ok());
        EXPECT_TRUE(integrator->step(0.57 * h).ok());
      }
      return (integrator->motion().state.q - exact.state.q).norm();
    };
    EXPECT_GT(std::log2(error(200) / error(400)), 1.75) << text_of(settings);
  }
}

// From a motion in the middle the same result as if it had gone on, to the tolerance.
TEST_P(GssssTolerance, StartAnewAnywhere) {
  FunctionSystem system = circle_pendulum();
  const auto integrator = kind_.make(system, with_tolerance(1e-5), "auto");
  integrator->start(released());
  March march(*integrator);
  for (std::size_t i = 0; i < 10; ++i) {
    ASSERT_TRUE(march.advance(0.1, 1).ok);
    const Motion here = consistent_motion(system, integrator->motion().state);
    integrator->start(here);
  }
  EXPECT_LT((integrator->motion().state.q - exact_motion()[9].state.q).norm(), 1e-4);
}

TEST_P(GssssTolerance, RefuseTolerancesThatMakeNoSense) {
  FunctionSystem system = circle_pendulum();
  for (const double value : {-1e-6, 1e-16, 1.0, std::nan("")}) {
    EXPECT_THROW(kind_.make(system, {{"tolerance", value}}, "auto"), core::InputError) << value;
  }
  EXPECT_FALSE(kind_.make(system, {{"tolerance", 0.0}}, "auto")->adaptive());
  EXPECT_THROW(kind_.make(system, {{"largest_step", 1e-3}}, "auto"), core::InputError);
  if (alternates()) {
    EXPECT_THROW(kind_.make(system, {{"tolerance", 1e-4}}, "auto"), core::InputError);
  }
  EXPECT_THROW(kind_.make(system, {{"tolerance", 1e-4}, {"largest_step", -1.0}}, "auto"),
               core::InputError);
}

TEST_P(GssssTolerance, StopWhereThereAreNoForces) {
  FunctionSystem system = broken_after_half_a_second();
  const auto integrator = kind_.make(system, {{"tolerance", 1e-4}}, "auto");
  integrator->start(consistent_motion(system, {0.0, vector({1.0}), vector({0.0}), {}}));
  March march(*integrator);
  const MarchReport report = march.advance(1.0, 1);
  EXPECT_FALSE(report.ok);
  // Forces at the level of a method may be asked for within a step before or behind.
  EXPECT_NEAR(report.time, 0.5, 1e-2);
  EXPECT_NEAR(integrator->motion().state.q[0], std::cos(report.time), 1e-3);
}

// y' = A y with a state, exactly.
TEST_P(GssssTolerance, ControlsFirstOrderStates) {
  FunctionSystem system = maxwell_element();
  const auto integrator = kind_.make(system, {{"tolerance", 1e-5}}, "auto");
  integrator->start(consistent_motion(system, {0.0, vector({1.0}), vector({0.0}), vector({0.5})}));
  March march(*integrator);
  const State fine = [&] {
    FunctionSystem copy = maxwell_element();
    const auto sharp =
        find_integrator_kind("dormand-prince")
            ->make(copy, {{"relative_tolerance", 1e-11}, {"absolute_tolerance", 1e-11}}, "auto");
    sharp->start(consistent_motion(copy, {0.0, vector({1.0}), vector({0.0}), vector({0.5})}));
    March exactly(*sharp);
    EXPECT_TRUE(exactly.advance(2.0, 1).ok);
    return sharp->motion().state;
  }();
  ASSERT_TRUE(march.advance(2.0, 1).ok);
  EXPECT_NEAR(integrator->motion().state.q[0], fine.q[0], 1e-4);
  EXPECT_NEAR(integrator->motion().state.z[0], fine.z[0], 1e-4);
}

}  // namespace
}  // namespace trammel::integrators::testing::gssss_tolerance_laws_test
