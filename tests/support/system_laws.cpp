#include "support/system_laws.h"

#include <algorithm>
#include <cmath>

#include "support/finite_differences.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/constraint_handling/consistent_start.h"

namespace trammel::support {

using Eigen::MatrixXd;
using system::Vector;

namespace {

// Round-off and truncation of first_derivative(); the functions here have derivatives of size ten.
constexpr double tolerance = 1e-9;

Vector stacked_residual(system::MechanicalSystem& system, const system::Motion& motion) {
  Vector r;
  Vector g;
  system.residual(motion, r, g);
  Vector both(r.size() + g.size());
  both << r, g;
  return both;
}

void expect_small(const MatrixXd& difference, double scale, double limit, const char* what) {
  if (difference.size() == 0) return;
  EXPECT_LE(difference.lpNorm<Eigen::Infinity>(), limit * std::max(1.0, scale)) << what;
}

}  // namespace

void expect_tangent_is_derivative(system::MechanicalSystem& system,
                                  const system::Motion& motion,
                                  const system::Weights& weights,
                                  const Vector* step) {
  const Eigen::Index n = motion.state.v.size();
  // With a step, its beginning q0 is found by going back.
  Vector q0 = motion.state.q;
  if (step != nullptr) system.retract(motion.state.q, -*step, q0);
  const MatrixXd differences = derivative_matrix(n, [&](const Vector& delta) {
    system::Motion there = motion;
    Vector dx = delta;
    if (weights.position != 0.0)
      system.retract(motion.state.q, weights.position * delta, there.state.q);
    if (step != nullptr) {
      Vector target;
      system.retract(motion.state.q, delta, target);
      system.logarithm(q0, target, dx);
      dx -= *step;
    }
    there.state.v += weights.velocity * dx;
    there.a += weights.acceleration * dx;
    return stacked_residual(system, there);
  });
  const MatrixXd whole = tangent_matrix(system, motion, weights, step);
  const MatrixXd K = whole.topLeftCorner(n, n);
  const double scale = K.lpNorm<Eigen::Infinity>();
  expect_small(K - differences.topRows(n), scale, tolerance, "K");
  const Eigen::Index m = whole.rows() - n;
  const MatrixXd G = whole.bottomLeftCorner(m, n);
  const Eigen::Index holonomic = system.sizes().holonomic;
  expect_small((weights.position * G - differences.bottomRows(m)).topRows(holonomic), 1.0,
               tolerance, "G");
  // Pfaff rows are given as functions of the velocities.
  const MatrixXd rates = derivative_matrix(n, [&](const Vector& delta) {
    system::Motion faster = motion;
    faster.state.v += delta;
    return stacked_residual(system, faster);
  });
  expect_small((G - rates.bottomRows(m)).bottomRows(m - holonomic), 1.0, tolerance, "A");
  EXPECT_EQ(whole.topRightCorner(n, m), G.transpose());
  // Rows of zeros may be open: -1 keeps their multiplier zero (system/open_row.h).
  MatrixXd open = MatrixXd::Zero(m, m);
  for (Eigen::Index i = 0; i < m; ++i) {
    if (G.row(i).isZero(0.0) && whole(n + i, n + i) == -1.0) open(i, i) = -1.0;
  }
  EXPECT_EQ(whole.bottomRightCorner(m, m), open);
}

void expect_move_and_displacement_agree(const system::MechanicalSystem& system,
                                        const Vector& q,
                                        Random& random) {
  // Each rotation vector stays shorter than half a turn, so that it is the shortest.
  const Vector x = random.values(system.sizes().v, 1.5);
  Vector there;
  Vector back;
  system.retract(q, x, there);
  system.logarithm(q, there, back);
  expect_small(back - x, 1.0, 1e-13, "displacement of a move");
  Vector again;
  system.retract(q, back, again);
  expect_small(again - there, 1.0, 1e-13, "move by a displacement");
  Vector in_place = q;
  system.retract(in_place, x, in_place);
  EXPECT_EQ(in_place, there);
  Vector same;
  system.retract(q, Vector::Zero(x.size()), same);
  expect_small(same - q, 1.0, 1e-15, "move by zero");
}

void expect_inverse_tangent_is_derivative(const system::MechanicalSystem& system,
                                          const Vector& q,
                                          Random& random) {
  const Vector x = random.values(system.sizes().v, 1.2);
  Vector there;
  system.retract(q, x, there);
  const MatrixXd differences = derivative_matrix(x.size(), [&](const Vector& delta) {
    Vector target;
    Vector dx;
    system.retract(there, delta, target);
    system.logarithm(q, target, dx);
    return dx;
  });
  const Vector delta = random.values(x.size());
  Vector dx;
  system.inverse_tangent(x, delta, dx);
  expect_small(dx - differences * delta, 1.0, tolerance, "inverse_tangent");
  system.inverse_tangent(Vector::Zero(x.size()), delta, dx);
  expect_small(dx - delta, 1.0, 1e-15, "inverse_tangent at zero");
}

void expect_residual_is_sum_of_parts(system::MechanicalSystem& system,
                                     const system::State& state,
                                     Random& random) {
  system::Motion motion = at_rest(system, state);
  Vector r;
  Vector g;
  Vector f;
  system.residual(motion, r, g);
  system.forces(state, f);
  const double scale = f.lpNorm<Eigen::Infinity>();
  // Forces, and with them the loads that depend on multipliers.
  const auto all_forces = [&] {
    Vector h = Vector::Zero(f.size());
    if (auto* loads = system.constraint_dependent_forces())
      loads->constraint_dependent_forces(motion, h);
    return Vector(f + h);
  };
  expect_small(all_forces() + r, scale, 1e-14, "f = -r at rest");
  Vector position;
  system.position_constraint(state, position);
  Vector velocity;
  system.velocity_constraint(state, velocity);
  const system::Sizes sizes = system.sizes();
  EXPECT_EQ(position.head(sizes.holonomic), g.head(sizes.holonomic));
  expect_small(velocity.tail(sizes.nonholonomic) - g.tail(sizes.nonholonomic), 1.0, 1e-14,
               "A v + a");

  motion.a = random.values(motion.a.size(), 3.0);
  motion.lambda = random.values(motion.lambda.size(), 3.0);
  system.residual(motion, r, g);
  const MatrixXd whole = tangent_matrix(system, motion, {.acceleration = 1.0});
  const Eigen::Index n = motion.a.size();
  const Vector sum = whole.topLeftCorner(n, n) * motion.a +
                     whole.topRightCorner(n, motion.lambda.size()) * motion.lambda - all_forces();
  expect_small(r - sum, scale, 1e-13, "r = M a + G^T lambda - f");
}

void expect_energy_balance(system::MechanicalSystem& system, const system::State& state) {
  system::EnergyBook* book = system.energy_book();
  ASSERT_NE(book, nullptr);
  constraint_handling::ConsistentStart start(system);
  system::Motion motion = at_rest(system, state);
  ASSERT_TRUE(start.accelerations(state, motion.a, motion.lambda).converged);
  Vector state_rates;
  if (system.first_order_states() != nullptr) {
    system.first_order_states()->rates(state, state_rates);
  }
  // x = v s + a s^2/2 has the right velocity and acceleration at s = 0; dE/ds needs no more.
  const Vector rate = first_derivative([&](double s) {
    system::State later = state;
    const Vector x = s * state.v;
    system.retract(state.q, x, later.q);
    later.v += s * motion.a;
    later.t += s;
    if (state_rates.size() > 0) later.z += s * state_rates;
    const system::Energy energy = book->energy(later);
    return Vector::Constant(1, energy.kinetic + energy.potential);
  });
  const system::Power power = book->power(motion);
  const double scale = std::max({1.0, std::abs(rate[0]), std::abs(power.loads), power.dissipated});
  // Differences of an energy of some 100 J.
  EXPECT_NEAR(rate[0], power.loads + power.drives - power.dissipated, 1e-8 * scale);
}

void expect_clone_is_independent(system::MechanicalSystem& system,
                                 const system::State& state,
                                 Random& random) {
  const auto clone = system.clone();
  system::Motion here = at_rest(system, state);
  here.lambda = random.values(here.lambda.size());
  const Vector expected = stacked_residual(system, here);
  // The clone works elsewhere in between.
  system::Motion elsewhere = here;
  system.retract(state.q, random.values(state.v.size()), elsewhere.state.q);
  const Vector other = stacked_residual(*clone, elsewhere);
  EXPECT_NE(other, expected);
  EXPECT_EQ(stacked_residual(system, here), expected);
  EXPECT_EQ(stacked_residual(*clone, here), expected);
  EXPECT_EQ(clone->pattern(), system.pattern());
}

}  // namespace trammel::support
