#include "trammel/integrators/staggered.h"

#include "free_top.h"
#include "runge_kutta.h"
#include <gtest/gtest.h>

#include "trammel/integrators/central_difference.h"
#include "trammel/integrators/march.h"

namespace trammel::integrators::testing::staggered_test {
namespace {

State released() {
  return {0.0, vector({-1, 0}), vector({0, 0}), {}};
}

// The largest |g|, g = (q.q - 1)/2, of the pendulum of length 1 that is released level, over
// `until` seconds.
double pendulum_drift(const StaggeredOptions& options, double h, double until) {
  FunctionSystem system = circle_pendulum();
  Staggered integrator(system, options);
  integrator.start(consistent_motion(system, released()));
  double drift = 0.0;
  for (long i = 0; i < std::lround(until / h); ++i) {
    if (!integrator.step(h).ok()) return INFINITY;
    drift = std::max(drift, 0.5 * std::abs(integrator.motion().state.q.squaredNorm() - 1.0));
  }
  return drift;
}

StaggeredOptions with_epsilon(double epsilon) {
  StaggeredOptions options;
  options.penalty.epsilon = epsilon;
  options.resynchronise = 0;
  return options;
}

// h = 0.01 s. Values of an independent program, to the digits that it printed.
TEST(Staggered, KeepsThePendulumOnItsCircleAsPublished) {
  EXPECT_NEAR(pendulum_drift(with_epsilon(1e-2), 0.01, 10.0), 0.23, 0.005);
  EXPECT_NEAR(pendulum_drift(with_epsilon(1e-4), 0.01, 10.0), 3.4e-3, 0.05e-3);
  EXPECT_NEAR(pendulum_drift(with_epsilon(1e-6), 0.01, 10.0), 5.2e-4, 0.05e-4);
  EXPECT_NEAR(pendulum_drift(with_epsilon(1e-8), 0.01, 10.0), 4.9e-4, 0.05e-4);
  EXPECT_NEAR(pendulum_drift(with_epsilon(1e-6), 0.01, 100.0), 5.2e-4, 0.05e-4);
}

// What the step leaves. A step changes g by h v_{n+1/2} . (q_n + q_{n+1})/2, the mean of the places
// being q + h^2/8 a. On the smooth solution of the grids q . v = -h^2/8 q . j, and on the circle
// q . j = -3 v . a, so that g' = h^2/8 (3 + 1) v . a: g = h^2 v^2/4, at most h^2 g_0/2 below.
TEST(Staggered, LeavesTheCircleByTheSquareOfTheStepAndNoMoreInAHundredSeconds) {
  constexpr double h = 0.01;
  constexpr double largest = 0.5 * 9.81 * h * h;
  EXPECT_NEAR(pendulum_drift(with_epsilon(0.0), h, 10.0), largest, 0.002 * largest);
  EXPECT_NEAR(pendulum_drift({}, h, 100.0), largest, 0.002 * largest);
  StaggeredOptions options;
  options.resynchronise = 10;
  EXPECT_NEAR(pendulum_drift(options, h, 100.0), largest, 0.005 * largest);
}

// As published: only the velocities at full stations are controlled, but half ones move positions.
TEST(Staggered, DriftsWithExtrapolatedMultipliers) {
  StaggeredOptions options = with_epsilon(1e-6);
  options.full_stations = FullStations::extrapolated;
  EXPECT_NEAR(pendulum_drift(options, 0.01, 10.0), 3.3e-2, 0.05e-2);
  EXPECT_NEAR(pendulum_drift(options, 0.01, 100.0), 23.0, 0.5);
}

// An independent program: 0.50 in 10 s.
TEST(Staggered, DriftsWithoutStabilisation) {
  StaggeredOptions options;
  options.rule = ReactionRule::none;
  options.resynchronise = 0;
  EXPECT_NEAR(pendulum_drift(options, 0.01, 10.0), 0.50, 0.005);
}

TEST(Staggered, TellsItsEpsilonAndWhatItCosts) {
  FunctionSystem system = circle_pendulum();
  Staggered integrator(system, with_epsilon(1e-4));
  integrator.start(consistent_motion(system, released()));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(integrator.step(0.01).ok());
  ASSERT_EQ(integrator.notes().size(), 1U);
  // eps (lambda - lambda_0) = 1e-4 * 3 g, and more than the twentieth of (h/2)^2 = 2.5e-5.
  EXPECT_NE(integrator.notes()[0].find("violated by 0.00"), std::string::npos)
      << integrator.notes()[0];
  EXPECT_NE(integrator.notes()[0].find("smaller epsilon"), std::string::npos);
}

// ---- rotations

// (I - h/2 A(w)) e' = (I + h/2 A(w)) e with A(w) = Omega(w)/2 [Chiou1990, eq. 5.5.4.4].
TEST(Staggered, EulerParametersFollowTheImplicitMidpointRule) {
  const FreeTop top({1.0, 1.0, 2.0});
  const Eigen::Vector3d w(0.7, -1.3, 2.1);
  const double h = 0.4;
  Eigen::Matrix4d A;
  A << 0, -w[0], -w[1], -w[2], w[0], 0, w[2], -w[1], w[1], -w[2], 0, w[0], w[2], w[1], -w[0], 0;
  A *= 0.5;
  const Eigen::Matrix4d I = Eigen::Matrix4d::Identity();
  const Eigen::Vector4d e = Eigen::Vector4d(0.3, -0.5, 0.7, 0.1).normalized();
  const Eigen::Vector4d exact = (I - 0.5 * h * A).inverse() * (I + 0.5 * h * A) * e;
  Vector moved;
  Vector scratch;
  move_by_parts(top, top.freedom_parts(), e, w, h, scratch, moved);
  EXPECT_LT((moved - exact).norm(), 1e-15);
  // Backwards it undoes itself.
  move_by_parts(top, top.freedom_parts(), moved, w, -h, scratch, moved);
  EXPECT_LT((moved - e).norm(), 1e-15);
}

TEST(Staggered, EulerParametersKeepTheirLength) {
  FreeTop top({1.0, 2.0, 2.5});
  Staggered integrator(top, {});
  integrator.start(top.start({0.1, 2.0, 0.3}));
  for (int i = 0; i < 20000; ++i) ASSERT_TRUE(integrator.step(0.05).ok());
  EXPECT_NEAR(integrator.motion().state.q.norm(), 1.0, 1e-15);
}

// Symmetric top, precession w_1 + i w_2 = 0.1 exp(i t).
double top_error(double h) {
  FreeTop top({1.0, 1.0, 2.0});
  Staggered integrator(top, {});
  integrator.start(top.start({0.1, 0.0, 1.0}));
  for (long i = 0; i < std::lround(6.0 / h); ++i) EXPECT_TRUE(integrator.step(h).ok());
  const Vector& w = integrator.motion().state.v;
  const double rates = std::hypot(w[0] - 0.1 * std::cos(6.0), w[1] - 0.1 * std::sin(6.0));
  State exact = top.start({0.1, 0.0, 1.0}).state;
  exact = runge_kutta(top, exact, 6.0, 600).state;
  Vector turn;
  top.logarithm(exact.q, integrator.motion().state.q, turn);
  return rates + turn.norm();
}

TEST(Staggered, HasOrderTwoOnRotations) {
  EXPECT_NEAR(std::log2(top_error(0.05) / top_error(0.025)), 2.0, 0.05);
}

double largest_rate(double h, double until) {
  FreeTop top({1.0, 1.0, 2.0});
  StaggeredOptions options;
  options.above_limit = AboveLimit::go_on;
  options.resynchronise = 0;
  Staggered integrator(top, options);
  integrator.start(top.start({0.1, 0.0, 1.0}));
  double largest = 0.0;
  for (long i = 0; i < std::lround(until / h) && integrator.step(h).ok(); ++i) {
    largest = std::max(largest, integrator.motion().state.v.norm());
    if (!(largest < 1e3)) break;
  }
  return largest;
}

// h Omega <= 2 with the rate of precession Omega = 1; the printed bound is 2 sqrt(2).
TEST(Staggered, TopIsStableUpToTwiceTheInverseRate) {
  EXPECT_LT(largest_rate(1.99, 2000.0), 2.0);
  EXPECT_GT(largest_rate(2.02, 2000.0), 1e2);
  EXPECT_GT(largest_rate(2.5, 2000.0), 1e2);
}

FunctionSystem undamped() {
  return FunctionSystem(
      {.mass = vector({1.0}), .force = [](const State& s) { return vector({-9.0 * s.q[0]}); }});
}

// ---- velocities that lag behind

// When |w| of the top has grown to 1000.
double time_of_blow_up(double h) {
  FreeTop top({1.0, 1.0, 2.0});
  CentralDifference integrator(top, {});
  integrator.start(top.start({0.1, 0.0, 1.0}));
  for (long i = 1; i < 10000; ++i) {
    if (!integrator.step(h).ok() || integrator.motion().state.v.norm() > 1e3) {
      return static_cast<double>(i) * h;
    }
  }
  return INFINITY;
}

// h = 0.5, 0.2, 0.1: 41, 94, 185 s of an independent program.
TEST(CentralDifference, BlowsUpWhateverTheStep) {
  EXPECT_NEAR(time_of_blow_up(0.5), 41.0, 1.5);
  EXPECT_NEAR(time_of_blow_up(0.2), 94.0, 1.5);
  EXPECT_NEAR(time_of_blow_up(0.1), 185.0, 1.5);
}

double lagged_error(FunctionSystem& system, double h) {
  CentralDifference integrator(system, {});
  const State start{0.0, vector({1.0}), vector({0.0}), {}};
  integrator.start(consistent_motion(system, start));
  for (long i = 0; i < std::lround(1.0 / h); ++i) EXPECT_TRUE(integrator.step(h).ok());
  return (integrator.motion().state.q - runge_kutta(system, start, 1.0, 1000).state.q).norm();
}

TEST(CentralDifference, IsOfFirstOrderWithDampersAndOfSecondWithout) {
  FunctionSystem damped = oscillator();
  FunctionSystem free = undamped();
  EXPECT_NEAR(std::log2(lagged_error(damped, 0.005) / lagged_error(damped, 0.0025)), 1.0, 0.2);
  EXPECT_NEAR(std::log2(lagged_error(free, 0.01) / lagged_error(free, 0.005)), 2.0, 0.1);
}

// ---- stability limit

bool stays_bounded(double h) {
  FunctionSystem system = undamped();
  StaggeredOptions options;
  options.above_limit = AboveLimit::go_on;
  options.resynchronise = 0;
  Staggered integrator(system, options);
  integrator.start(consistent_motion(system, {0.0, vector({1.0}), vector({0.0}), {}}));
  for (int i = 0; i < 4000; ++i) {
    if (!integrator.step(h).ok() || integrator.motion().state.q.norm() > 1e3) return false;
  }
  return true;
}

TEST(Staggered, StepLimitIsTwoOverTheFrequency) {
  double low = 0.1;
  double high = 2.0;
  while (high - low > 1e-5) {
    const double middle = 0.5 * (low + high);
    (stays_bounded(middle) ? low : high) = middle;
  }
  // At the limit itself growth is algebraic: 4000 steps tell 2/3 from above to 1e-3.
  EXPECT_NEAR(low, 2.0 / 3.0, 1e-3);
}

TEST(Staggered, StopsAboveTheStepLimitAndNamesIt) {
  FunctionSystem system = undamped();
  Staggered integrator(system, {});
  integrator.start(consistent_motion(system, {0.0, vector({1.0}), vector({0.0}), {}}));
  March march(integrator);
  const MarchReport report = march.advance(0.7, 10);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.failure, Failure::unstable);
  EXPECT_EQ(report.halvings, 0);
  EXPECT_NEAR(integrator.longest_step(), 2.0 / 3.0, 1e-9);
  ASSERT_TRUE(integrator.step(0.65).ok());
  ASSERT_EQ(integrator.notes().size(), 1U);
  EXPECT_NE(integrator.notes()[0].find("close to the stability limit"), std::string::npos);
}

// A spring between points that a rod holds apart vibrates with nothing.
TEST(Staggered, StepLimitKnowsWhatConstraintsLeave) {
  FunctionSystem system({.mass = vector({1.0, 1.0}),
                         .force =
                             [](const State& s) {
                               return vector({-1e8 * s.q[0], -4.0 * s.q[1]});
                             },
                         .position = [](const State& s) { return vector({s.q[0]}); },
                         .jacobian =
                             [](const State&) {
                               return Eigen::MatrixXd(vector({1.0, 0.0}).transpose());
                             },
                         .acceleration_bias = [](const State&) { return vector({0.0}); },
                         .holonomic = 1});
  Staggered integrator(system, {});
  integrator.start(consistent_motion(system, {0.0, vector({0, 1}), vector({0, 0}), {}}));
  ASSERT_TRUE(integrator.step(0.1).ok());
  EXPECT_NEAR(integrator.longest_step(), 1.0, 1e-6);
}

// ---- two grids

double damped_end(int resynchronise, std::vector<std::string>* notes = nullptr) {
  FunctionSystem system({.mass = vector({1.0}), .force = [](const State& s) {
                           return vector({-4.0 * s.q[0] - 3.0 * s.v[0]});
                         }});
  StaggeredOptions options;
  options.resynchronise = resynchronise;
  Staggered integrator(system, options);
  integrator.start(consistent_motion(system, {0.0, vector({1.0}), vector({0.0}), {}}));
  for (int i = 0; i < 2000; ++i) {
    if (!integrator.step(0.01).ok()) return INFINITY;
  }
  if (notes != nullptr) *notes = integrator.notes();
  return std::abs(integrator.motion().state.q[0]);
}

// exp(-1.5 t) at t = 20 s is 1e-13; the difference of the grids grows by exp(+1.5 t).
TEST(Staggered, GridsComeApartWithDampersUnlessTheyAreRebuilt) {
  std::vector<std::string> notes;
  EXPECT_GT(damped_end(0, &notes), 1.0);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("give resynchronise: 10"), std::string::npos);
  EXPECT_LT(damped_end(-1, &notes), 1e-12);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("rebuilt every 10 steps"), std::string::npos);
  EXPECT_LT(damped_end(20), 1e-12);
}

// Forces of second degree in the velocities that do no work: v . f = 0, though df/dv is not zero.
TEST(Staggered, TakesCoriolisForcesForNoDampers) {
  FunctionSystem system({.mass = vector({1.0, 1.0}), .force = [](const State& s) {
                           const double turn = s.q[0] * s.v[1];
                           return vector({-turn * s.v[1] - s.q[0], turn * s.v[0] - s.q[1]});
                         }});
  Staggered integrator(system, {});
  integrator.start(consistent_motion(system, {0.0, vector({1.0, 0.5}), vector({0.3, 1.0}), {}}));
  for (int i = 0; i < 101; ++i) ASSERT_TRUE(integrator.step(0.01).ok());
  EXPECT_EQ(integrator.resynchronisations(), 5);  // every 20 steps, not every 10
  EXPECT_TRUE(integrator.notes().empty());
}

// Amplitude of an oscillation with w = 3 in 20,000 steps: the largest, and the last.
std::pair<double, double> amplitudes(double h, int resynchronise) {
  FunctionSystem system = undamped();
  StaggeredOptions options;
  options.resynchronise = resynchronise;
  Staggered integrator(system, options);
  integrator.start(consistent_motion(system, {0.0, vector({1.0}), vector({0.0}), {}}));
  double largest = 0.0;
  double last = 0.0;
  for (int i = 0; i < 20000; ++i) {
    if (!integrator.step(h).ok()) return {INFINITY, INFINITY};
    last = std::hypot(integrator.motion().state.q[0], integrator.motion().state.v[0] / 3.0);
    largest = std::max(largest, last);
  }
  return {largest, last};
}

// On the smooth solution (q, v/w) turns in a circle; a start next to it stays within its circle.
TEST(Staggered, RebuildingFeedsNoOscillationUpToTheLimit) {
  for (const double hw : {0.01, 0.1, 0.3, 0.78, 1.2, 1.7, 1.9, 1.99}) {
    for (const int period : {-1, 0, 1, 3, 10, 50}) {
      EXPECT_LE(amplitudes(hw / 3.0, period).first, 1.0 + 1e-9) << hw << ", " << period;
    }
  }
  // At most 3/8 (h w/2)^4 each time, 2.4e-6 here, 1000 times.
  EXPECT_GT(amplitudes(0.1 / 3.0, -1).second, 1.0 - 2.4e-3);
}

// Two rods of 1 m with 1 kg each at their ends, released level: chaotic. The two grids of a motion
// that magnifies differences come apart as fast as it does so.
double double_pendulum_gain(double h, double until) {
  constexpr double g = 9.81;
  const auto second = [](const Vector& q) { return Eigen::Vector2d(q.tail<2>() - q.head<2>()); };
  FunctionSystem system(
      {.mass = vector({1.0, 1.0, 1.0, 1.0}),
       .force =
           [](const State&) {
             return vector({0.0, -g, 0.0, -g});
           },
       .position =
           [=](const State& s) {
             return vector({0.5 * (s.q.head<2>().squaredNorm() - 1.0),
                            0.5 * (second(s.q).squaredNorm() - 1.0)});
           },
       .jacobian =
           [=](const State& s) {
             const Eigen::Vector2d d = second(s.q);
             Eigen::MatrixXd G(2, 4);
             G << s.q[0], s.q[1], 0.0, 0.0, -d[0], -d[1], d[0], d[1];
             return G;
           },
       .acceleration_bias =
           [=](const State& s) {
             return vector({s.v.head<2>().squaredNorm(), second(s.v).squaredNorm()});
           },
       .holonomic = 2});
  Staggered integrator(system, {});
  integrator.start(
      consistent_motion(system, {0.0, vector({1, 0, 2, 0}), vector({0, 0, 0, 0}), {}}));
  double largest = 0.0;
  for (long i = 0; i < std::lround(until / h); ++i) {
    if (!integrator.step(h).ok()) return INFINITY;
    const State& s = integrator.motion().state;
    const double energy = 0.5 * s.v.squaredNorm() + g * (s.q[1] + s.q[3]);
    largest = std::max(largest, std::abs(energy));
  }
  return largest;
}

TEST(Staggered, KeepsTheEnergyOfAChaoticMotion) {
  const double coarse = double_pendulum_gain(4e-3, 100.0);
  const double fine = double_pendulum_gain(1e-3, 100.0);
  EXPECT_LT(coarse, 2.0);  // of 29 J that come and go
  EXPECT_LT(fine, coarse / 8.0);
}

double decayed(double w, double c, double h, int resynchronise) {
  FunctionSystem system({.mass = vector({1.0}), .force = [=](const State& s) {
                           return vector({-w * w * s.q[0] - c * s.v[0]});
                         }});
  StaggeredOptions options;
  options.resynchronise = resynchronise;
  options.above_limit = AboveLimit::go_on;
  Staggered integrator(system, options);
  integrator.start(consistent_motion(system, {0.0, vector({1.0}), vector({0.3 * w}), {}}));
  for (int i = 0; i < 3000; ++i) {
    if (!integrator.step(h).ok()) return INFINITY;
  }
  return integrator.motion().state.q.norm() + integrator.motion().state.v.norm() / w;
}

// The limit knows what a damper does to an oscillation: above it motions grow.
TEST(Staggered, StepLimitWithDampersIsWhereMotionsBeginToGrow) {
  for (const auto& [w, c] : {std::pair{10.0, 5.0}, {20.0, 10.0}, {10.0, 1.0}, {2.0, 30.0}}) {
    for (const int period : {5, 10, 20}) {
      const double limit = longest_stable_step(w, c, period);
      EXPECT_LT(decayed(w, c, 0.99 * limit, period), 1.0) << w << ", " << c << ", " << period;
      // Somewhere between it and the limit of the spring, or that of the damper, they do.
      EXPECT_LT(limit, std::min(2.0 / w, 2.0 / c));
    }
  }
  EXPECT_GT(decayed(10.0, 5.0, 1.1 * longest_stable_step(10.0, 5.0, 10), 10), 1e3);
}

}  // namespace
}  // namespace trammel::integrators::testing::staggered_test
