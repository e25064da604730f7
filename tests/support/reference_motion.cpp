#include "support/reference_motion.h"

#include <stdexcept>

#include "trammel/constraint_handling/consistent_start.h"

namespace trammel::support {

using system::Vector;

system::Motion reference_motion(system::MechanicalSystem& system,
                                const system::State& start,
                                double duration,
                                int steps) {
  constraint_handling::ConsistentStart solver(system);
  system::Motion motion;
  motion.state = start;
  const double h = duration / steps;

  struct Stage {
    Vector x;  ///< derivative of x
    Vector v;  ///< derivative of v
    Vector lambda;
    Vector z;  ///< derivative of z
  };
  const auto stage = [&](const Vector& x, const Vector& v, const Vector& z, double t) {
    Stage k;
    system::State there = motion.state;
    there.t = t;
    there.z = z;
    k.z.setZero(z.size());
    system.retract(motion.state.q, x, there.q);
    there.v = v;
    system.inverse_tangent(x, v, k.x);
    if (!solver.positions(there, {}).converged || !solver.velocities(there, {}).converged ||
        !solver.accelerations(there, k.v, k.lambda).converged) {
      throw std::runtime_error("reference_motion: the constraints cannot be satisfied");
    }
    if (auto* states = system.first_order_states()) states->rates(there, k.z);
    return k;
  };

  const Vector zero = Vector::Zero(start.v.size());
  for (int i = 0; i < steps; ++i) {
    const double t = motion.state.t;
    const Vector v = motion.state.v;
    const Vector z = motion.state.z;
    const Stage k1 = stage(zero, v, z, t);
    const Stage k2 = stage(0.5 * h * k1.x, v + 0.5 * h * k1.v, z + 0.5 * h * k1.z, t + 0.5 * h);
    const Stage k3 = stage(0.5 * h * k2.x, v + 0.5 * h * k2.v, z + 0.5 * h * k2.z, t + 0.5 * h);
    const Stage k4 = stage(h * k3.x, v + h * k3.v, z + h * k3.z, t + h);
    const Vector x = h / 6.0 * (k1.x + 2.0 * k2.x + 2.0 * k3.x + k4.x);
    Vector moved;
    system.retract(motion.state.q, x, moved);
    motion.state.q = moved;
    motion.state.v = v + h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v);
    motion.state.z = z + h / 6.0 * (k1.z + 2.0 * k2.z + 2.0 * k3.z + k4.z);
    motion.state.t = start.t + (i + 1) * h;
  }
  const Stage end = stage(zero, motion.state.v, motion.state.z, motion.state.t);
  motion.a = end.v;
  motion.lambda = end.lambda;
  return motion;
}

}  // namespace trammel::support
