// The state of a mechanical system: a value that can be copied, kept, restored and sent to a
// thread.
#pragma once

#include <Eigen/Core>

namespace trammel::system {

using Vector = Eigen::VectorXd;

/// The largest absolute value of an entry; 0 when there is none.
inline double largest(const Vector& x) {
  return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>();
}

struct Sizes {
  int q = 0;             ///< coordinates (Euler parameters counted as four)
  int v = 0;             ///< velocities
  int z = 0;             ///< first-order states
  int holonomic = 0;     ///< rows g(t, q) = 0, first
  int nonholonomic = 0;  ///< rows A(t, q) v + a(t, q) = 0, after them

  int multipliers() const { return holonomic + nonholonomic; }
};

struct State {
  double t = 0.0;  ///< s
  Vector q;
  Vector v;
  Vector z;
};

/// A state with what the equations of motion give for it: accelerations and multipliers.
struct Motion {
  State state;
  Vector a;       ///< dv/dt
  Vector lambda;  ///< multipliers; the constraints exert -G^T lambda
};

/// The three weights of a tangent: w_q dr/dq + w_v dr/dv + w_a M.
struct Weights {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

}  // namespace trammel::system
