// Products with the mass matrix M and the Jacobian G of the constraints, without forming either.
//
// For methods that never factorise the whole: explicit and staggered ones (M^-1 r, G v, G^T
// lambda), iterative solvers, and whoever checks a solution. A small interface besides
// MechanicalSystem; a system that stands before another one changes the matrices, so that it is
// not looked for behind it.
#pragma once

#include <string>

#include "trammel/system/mechanical_system.h"

namespace trammel::system {

class Operators : public Capability {
 public:
  /// y = M x.
  virtual void mass_product(const State& state, const Vector& x, Vector& y) = 0;
  /// Why M^-1 is not at hand, for the user; empty when it is: M is made of the blocks of bodies.
  virtual std::string mass_obstacle() const = 0;
  /// y = M^-1 x; only without an obstacle.
  virtual void solve_mass(const State& state, const Vector& x, Vector& y) = 0;
  /// A diagonal mass in the place of M; false when an element has none.
  virtual bool lumped_mass(const State& state, Vector& m) = 0;
  /// rows = G x, holonomic rows first.
  virtual void jacobian_product(const State& state, const Vector& x, Vector& rows) = 0;
  /// r = G^T lambda.
  virtual void transposed_product(const State& state, const Vector& lambda, Vector& r) = 0;
};

/// The system's own; null when it has none.
inline Operators* operators(MechanicalSystem& system) {
  for (Capability* part : system.capabilities()) {
    if (auto* found = dynamic_cast<Operators*>(part)) return found;
  }
  return nullptr;
}

}  // namespace trammel::system
