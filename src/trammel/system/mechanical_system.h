// The contract between models and solvers.
//
// Whatever the coordinates, a mechanical system is
//
//     q' = T(q) v
//     r  = M(q) v' + G(t,q)^T lambda - f(t,q,v,z) = 0
//     g(t,q) = 0                        holonomic rows
//     A(t,q) v + a(t,q) = 0             nonholonomic rows (Pfaff form)
//     z' = s(t,q,v,z)                   first-order states
//
// Where loads depend on reactions (friction in joints), f gains h(t,q,v,lambda): see
// ConstraintDependentForces.
//
// with G = [dg/dq T; A]. An integrator sees this interface and nothing else: no body, no file, no
// matrix library. Coordinates live on a manifold and are moved along it, never added to: a step
// takes q to retract(q, x), where x has the size of v. For vectors that is q + x; for a rotation
// R exp(x).
//
// A MechanicalSystem owns scratch memory, so use one per thread; clone() shares the constant model.
// No member function allocates after the first call with vectors of the right size.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "trammel/system/kkt_matrix.h"
#include "trammel/system/state.h"

namespace trammel::system {

/// Energies and powers of a system, for the energy balance of a run.
struct Energy {
  double kinetic = 0.0;    ///< J
  double potential = 0.0;  ///< J, gravity and springs
};

struct Power {
  double dissipated = 0.0;  ///< W, taken by dampers; >= 0
  double loads = 0.0;       ///< W, done by applied forces and torques
  double drives = 0.0;      ///< W, done by time-dependent constraints
};

class EnergyBook {
 public:
  virtual ~EnergyBook() = default;
  virtual Energy energy(const State& state) = 0;
  virtual Power power(const Motion& motion) = 0;
};

/// Active elements with memory: z' = s(t, q, v, z).
class FirstOrderStates {
 public:
  virtual ~FirstOrderStates() = default;
  virtual void rates(const State& state, Vector& rates) = 0;
  /// ds/dz, dense: the states of a model are few.
  virtual void rate_tangent(const State& state, Eigen::MatrixXd& tangent) = 0;
};

/// Forces and reactions between two states whose work is exactly the change of potential energy
/// (discrete gradients), for methods that keep the energy to Newton's tolerance.
class DiscreteGradients {
 public:
  virtual ~DiscreteGradients() = default;
  /// Which element has no discrete gradient, for the user; empty when all have one.
  virtual std::string obstacle() const = 0;
  /// The residual r at `middle` with forces and Jacobian replaced by ones for which
  ///     f . x = V(from) - V(to)   and   G x = g(to) - g(from),
  /// where to = retract(from, x) and `middle` stands at retract(from, x/2). Forces without a
  /// potential are those of `middle`.
  virtual void residual_between(
      const State& from, const Motion& middle, const State& to, const Vector& x, Vector& r) = 0;
};

/// Constraint-dependent forces, loads that depend on the multipliers: r = M v' + G^T lambda -
/// f(t,q,v,z) - h(t,q,v,lambda). residual() contains h; forces() does not; tangent() leaves out
/// dh/dlambda, so that Newton iterations on the residual converge linearly, with a rate that grows
/// with the friction coefficient. Whoever solves M a + G^T lambda = f for given q and v iterates on
/// lambda in h.
class ConstraintDependentForces {
 public:
  virtual ~ConstraintDependentForces() = default;
  /// h; motion.a is not used.
  virtual void constraint_dependent_forces(const Motion& motion, Vector& h) = 0;
};

/// What a system can do besides (capability.h).
class Capability {
 public:
  virtual ~Capability() = default;
};

class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;
  virtual std::unique_ptr<MechanicalSystem> clone() const = 0;

  virtual Sizes sizes() const = 0;
  /// The shape of all matrices below; the same object for the life of the system.
  virtual std::shared_ptr<const KktPattern> pattern() const = 0;
  /// A typical size of each velocity component's displacement (length of the model in m, 1 rad):
  /// x / scale is what convergence is judged by.
  virtual const Vector& displacement_scale() const = 0;

  // The manifold.
  /// Retraction: q_moved = q moved by x. q_moved may be q itself.
  virtual void retract(const Vector& q, const Vector& x, Vector& q_moved) const = 0;
  /// Logarithm: x such that retract(from, x) = to (the shortest one).
  virtual void logarithm(const Vector& from, const Vector& to, Vector& x) const = 0;
  /// Inverse tangent operator: if q moved by x is moved on by the small delta, x must change by dx:
  /// retract(q, x + dx) = retract(retract(q, x), delta) to first order. For vectors dx = delta; for
  /// rotations T(x)^-1 delta.
  virtual void inverse_tangent(const Vector& x, const Vector& delta, Vector& dx) const = 0;

  /// Angles that are known only up to whole turns are continued from one accepted state to the
  /// next, so that none may turn by half a revolution in between: the rate of the fastest, rad/s; 0
  /// where there are none. Methods that choose their own steps limit them by it.
  virtual double fastest_turn(const State& /*state*/) { return 0.0; }

  // Equations of motion and constraints.
  /// r, and the constraint residual: g(t,q), then A v + a.
  virtual void residual(const Motion& motion, Vector& r, Vector& constraint) = 0;
  /// K = w_q dr/dq + w_v dr/dv + w_a M, and G, into `tangent`. Derivatives with respect to q are
  /// along retract(). With `step` x, the v- and a-terms are multiplied by the inverse tangent
  /// operator at x, so that K is the derivative by delta when v and a are affine in x.
  virtual void tangent(const Motion& motion,
                       const Weights& weights,
                       const Vector* step,
                       KktMatrix& tangent) = 0;
  /// f(t,q,v,z).
  virtual void forces(const State& state, Vector& f) = 0;
  /// Holonomic g(t,q); nonholonomic rows are 0.
  virtual void position_constraint(const State& state, Vector& g) = 0;
  /// G v + dg/dt (nonholonomic: A v + a).
  virtual void velocity_constraint(const State& state, Vector& g_dot) = 0;
  /// gamma with g'' = G v' + gamma (nonholonomic: d/dt(A v + a) = A v' + gamma).
  virtual void acceleration_bias(const State& state, Vector& gamma) = 0;

  /// The system that this one stands before and passes questions on to; null for one that stands
  /// alone (capability.h).
  virtual MechanicalSystem* behind() { return nullptr; }
  /// True when the equations are those of the system behind, but for rows that this one leaves out
  /// and tells it to (forward_dynamics.h).
  virtual bool leaves_rows_out_behind() const { return false; }
  /// Parts that implement further interfaces, where the system does not do it itself.
  virtual std::span<Capability* const> capabilities() { return {}; }

  // Further small interfaces; null where the system has no such thing.
  virtual EnergyBook* energy_book() { return nullptr; }
  virtual FirstOrderStates* first_order_states() { return nullptr; }
  virtual DiscreteGradients* discrete_gradients() { return nullptr; }
  virtual ConstraintDependentForces* constraint_dependent_forces() { return nullptr; }
};

}  // namespace trammel::system
