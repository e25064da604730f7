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
  };
  const auto stage = [&](const Vector& x, const Vector& v, double t) {
    Stage k;
    system::State there = motion.state;
    there.t = t;
    system.move(motion.state.q, x, there.q);
    there.v = v;
    system.pull_back(x, v, k.x);
    if (!solver.positions(there, {}).converged || !solver.velocities(there, {}).converged ||
        !solver.accelerations(there, k.v, k.lambda).converged) {
      throw std::runtime_error("reference_motion: the constraints cannot be satisfied");
    }
    return k;
  };

  const Vector zero = Vector::Zero(start.v.size());
  for (int i = 0; i < steps; ++i) {
    const double t = motion.state.t;
    const Vector v = motion.state.v;
    const Stage k1 = stage(zero, v, t);
    const Stage k2 = stage(0.5 * h * k1.x, v + 0.5 * h * k1.v, t + 0.5 * h);
    const Stage k3 = stage(0.5 * h * k2.x, v + 0.5 * h * k2.v, t + 0.5 * h);
    const Stage k4 = stage(h * k3.x, v + h * k3.v, t + h);
    const Vector x = h / 6.0 * (k1.x + 2.0 * k2.x + 2.0 * k3.x + k4.x);
    Vector moved;
    system.move(motion.state.q, x, moved);
    motion.state.q = moved;
    motion.state.v = v + h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v);
    motion.state.t = start.t + (i + 1) * h;
  }
  const Stage end = stage(zero, motion.state.v, motion.state.t);
  motion.a = end.v;
  motion.lambda = end.lambda;
  return motion;
}

}  // namespace trammel::support
