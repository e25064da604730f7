// A reference motion by classical Runge-Kutta on the manifold, with accelerations from the dense
// equations [M G^T; G 0] (a, lambda) = (f, -gamma): independent of every integrator.
#pragma once

#include "hand_written_systems.h"
#include <Eigen/Dense>

namespace trammel::integrators::testing {

/// Accelerations and multipliers of a state.
inline Motion consistent_motion(system::MechanicalSystem& system, const State& state) {
  const Sizes sizes = system.sizes();
  const int n = sizes.v + sizes.multipliers();
  Motion motion{state, Vector::Zero(sizes.v), Vector::Zero(sizes.multipliers())};
  system::KktMatrix matrix(system.pattern());
  system.tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  Eigen::MatrixXd dense(n, n);
  Vector column;
  for (int i = 0; i < n; ++i) {
    matrix.multiply(Vector::Unit(n, i), column);
    dense.col(i) = column;
  }
  Vector f;
  Vector gamma;
  system.forces(state, f);
  system.acceleration_bias(state, gamma);
  Vector right_side(n);
  right_side << f, -gamma;
  const Vector solution = dense.completeOrthogonalDecomposition().solve(right_side);
  motion.a = solution.head(sizes.v);
  motion.lambda = solution.tail(sizes.multipliers());
  return motion;
}

inline Motion runge_kutta(system::MechanicalSystem& system, State s, double until, int steps) {
  const double h = until / steps;
  const double start = s.t;
  const Vector zero = Vector::Zero(s.v.size());
  for (int i = 0; i < steps; ++i) {
    Vector x_sum = zero;
    Vector v_sum = zero;
    Vector dx = zero;  // rates of the last stage
    Vector dv = zero;
    const double node[] = {0.0, 0.5, 0.5, 1.0};
    const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int k = 0; k < 4; ++k) {
      const Vector x = node[k] * h * dx;
      State stage = s;
      stage.t = start + h * (i + node[k]);
      stage.v = s.v + node[k] * h * dv;
      system.retract(s.q, x, stage.q);
      system.inverse_tangent(x, stage.v, dx);
      dv = consistent_motion(system, stage).a;
      x_sum += weight[k] * h * dx;
      v_sum += weight[k] * h * dv;
    }
    system.retract(s.q, x_sum, s.q);
    s.v += v_sum;
    s.t = start + h * (i + 1);
  }
  return consistent_motion(system, s);
}

}  // namespace trammel::integrators::testing
