// registry: integrators
// Laws of what integrators show at output times, for all of the registry: each row is the motion at
// its time, wherever the times lie, and whatever the unit of time.
#include <cmath>

#include "registered.h"
#include "runge_kutta.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/integrators/march.h"

namespace trammel::integrators::testing::row_laws_test {
namespace {

class RowLaws : public ::testing::TestWithParam<std::string> {
 protected:
  const IntegratorKind& kind() const { return *find_integrator_kind(GetParam()); }
  bool has_tolerance() const { return has_setting(kind(), "relative_tolerance"); }
};

std::vector<std::string> all_kinds() {
  std::vector<std::string> names;
  for (const IntegratorKind& kind : integrator_kinds()) names.push_back(kind.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Integrators, RowLaws, ::testing::ValuesIn(all_kinds()), test_name);

/// A point on a circle of radius 1 with gravity 9.81 along -y, where a second is `unit` long.
FunctionSystem pendulum_in(double unit) {
  const double gravity = 9.81 / (unit * unit);
  return FunctionSystem(
      {.mass = vector({1.0, 1.0}),
       .force =
           [gravity](const State&) {
             return vector({0.0, -gravity});
           },
       .position = [](const State& s) { return vector({0.5 * (s.q.squaredNorm() - 1.0)}); },
       .jacobian = [](const State& s) { return Eigen::MatrixXd(s.q.transpose()); },
       .acceleration_bias = [](const State& s) { return vector({s.v.squaredNorm()}); },
       .holonomic = 1});
}

/// Its angle from -x, by x'' = g cos(x) in steps of 1/10000 s.
struct Swing {
  double angle = 0.0;
  double rate = 0.0;

  void advance(double h) {
    const int steps = std::max(1, static_cast<int>(std::ceil(h / 1e-4)));
    const double d = h / steps;
    const auto f = [](double x) { return 9.81 * std::cos(x); };
    for (int i = 0; i < steps; ++i) {
      const double k1 = f(angle);
      const double k2 = f(angle + 0.5 * d * rate);
      const double k3 = f(angle + 0.5 * d * rate + 0.25 * d * d * k1);
      const double k4 = f(angle + d * rate + 0.5 * d * d * k2);
      angle += d * rate + d * d / 6.0 * (k1 + k2 + k3);
      rate += d / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
  }
  Vector position() const { return vector({-std::cos(angle), -std::sin(angle)}); }
  Vector velocity() const { return rate * vector({std::sin(angle), -std::cos(angle)}); }
  /// m v^2/l + m g sin(x), as a multiplier of g = (|q|^2 - 1)/2.
  double multiplier() const { return rate * rate + 9.81 * std::sin(angle); }
};

// Internal steps of 10 ms and output steps near them, half of them, and elsewhere.
TEST_P(RowLaws, EveryRowIsTheMotionAtItsTime) {
  for (const double base : {5e-3, 10e-3, 3.7e-3}) {
    for (const double change : {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9}) {
      if (base == 3.7e-3 && change != 0.0) continue;
      const double interval = base * (1.0 + change);
      SCOPED_TRACE(std::to_string(base) + " with " + std::to_string(change * 1e15) + "e-15");
      FunctionSystem system = pendulum_in(1.0);
      Settings settings;
      if (has_tolerance()) {
        settings = {{"relative_tolerance", 1e-7}, {"absolute_tolerance", 1e-7}};
        settings["largest_step"] = 10e-3;
        settings["first_step"] = 10e-3;
      }
      const auto integrator = kind().make(system, settings, "auto");
      integrator->start(consistent_motion(system, {0.0, vector({-1, 0}), vector({0, 0}), {}}));
      March march(*integrator);
      const int steps = integrator->adaptive() ? 1 : 5;
      Swing swing;
      for (int i = 1; i * base < 0.5; ++i) {
        ASSERT_TRUE(march.advance(interval / steps, steps).ok);
        swing.advance(interval);
        const Motion& row = integrator->motion();
        ASSERT_NEAR(row.state.t, i * interval, 1e-15 * i);
        // A row that repeats the last one is wrong by the way of 5 ms: up to 2e-2. Steps of 2 ms of
        // second order are wrong by some 1e-5, the tolerance leaves 1e-6.
        const double error = has_tolerance() ? 1e-5 : 1e-4;
        ASSERT_LT((row.state.q - swing.position()).norm(), error) << "row " << i;
        ASSERT_LT((row.state.v - swing.velocity()).norm(), 10.0 * error) << "row " << i;
        if (!has_tolerance()) continue;
        ASSERT_NEAR(row.lambda[0], swing.multiplier(), 100.0 * error) << "row " << i;
      }
    }
  }
}

// Fixed steps with a shorter one up to the end, as the last interval of a motion may be.
TEST_P(RowLaws, AShortLastStepShowsTheMotionAtItsTime) {
  constexpr double h = 2e-3;
  for (const double share : {0.7, 0.3, 1e-2, 1e-4, 2e-6, 1e-7, 1e-9, 1e-12}) {
    SCOPED_TRACE(share);
    FunctionSystem system = pendulum_in(1.0);
    Settings settings;
    if (has_tolerance()) settings = {{"relative_tolerance", 1e-7}, {"absolute_tolerance", 1e-7}};
    const auto integrator = kind().make(system, settings, "auto");
    integrator->start(consistent_motion(system, {0.0, vector({-1, 0}), vector({0, 0}), {}}));
    March march(*integrator);
    ASSERT_TRUE(march.advance(h, 150).ok);
    ASSERT_TRUE(march.advance(share * h, 1).ok);
    Swing swing;
    swing.advance((150 + share) * h);
    const Motion& row = integrator->motion();
    EXPECT_NEAR(row.state.t, (150 + share) * h, 1e-15);
    // Positions are wrong by some 1e-5 after steps of second order; what is found from them is as
    // good. Accelerations that belong to another time within the step are wrong by up to h a' =
    // 0.1, those of very short steps by any amount.
    EXPECT_LT((row.state.q - swing.position()).norm(), 1e-4);
    EXPECT_LT((row.state.v - swing.velocity()).norm(), 1e-3);
    if (share > 0.5) continue;
    const Vector along = vector({std::sin(swing.angle), -std::cos(swing.angle)});
    const Vector a =
        9.81 * std::cos(swing.angle) * along - swing.rate * swing.rate * swing.position();
    EXPECT_LT((row.a - a).norm(), 1e-2);
    EXPECT_NEAR(row.lambda[0], swing.multiplier(), 1e-2);
  }
}

// With steps of fixed size every product and sum scales exactly with powers of two; methods that
// choose their steps keep their tolerance.
TEST_P(RowLaws, TheUnitOfTimeDoesNotMatter) {
  for (const int power : {-30, -20, -10, 0, 10, 20, 30}) {
    const double unit = std::ldexp(1.0, power);
    FunctionSystem system = pendulum_in(unit);
    const auto integrator = kind().make(system, {}, "auto");
    integrator->start(consistent_motion(system, {0.0, vector({-1, 0}), vector({0, 0}), {}}));
    March march(*integrator);
    const int steps = integrator->adaptive() ? 1 : 50;
    Swing swing;
    for (int i = 1; i <= 20; ++i) {
      SCOPED_TRACE(fmt::format("2^{} s, row {}", power, i));
      ASSERT_TRUE(march.advance(0.05 * unit / steps, steps).ok);
      swing.advance(0.05);
      const Motion& row = integrator->motion();
      ASSERT_NEAR(row.state.t, 0.05 * i * unit, 1e-13 * unit);
      // Of second order in (w h)^2 = 1e-5; a tolerance of 1e-6.
      ASSERT_LT((row.state.q - swing.position()).norm(), 5e-5);
      ASSERT_LT((unit * row.state.v - swing.velocity()).norm(), 2e-4);
    }
  }
}

}  // namespace
}  // namespace trammel::integrators::testing::row_laws_test
