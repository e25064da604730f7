// Forward dynamics as a part of its own: accelerations and multipliers of a state.
//
//     M a + G^T lambda = f + h(lambda),   G a + gamma = 0
//
// A system that solves this faster than by its KKT matrix (a recursion over its tree) implements
// this interface besides its own; explicit integrators ask for it by forward_dynamics().
#pragma once

#include <vector>

#include "trammel/system/mechanical_system.h"

namespace trammel::system {

/// Small changes that constraints ask for.
class LeastChange {
 public:
  virtual ~LeastChange() = default;
  /// Least x with G x = -residual, in the metric and with the Jacobian last taken.
  virtual void constrain(const Vector& residual, Vector& x) = 0;
};

/// Its metric is the mass matrix, taken by accelerations().
class ForwardDynamics : public LeastChange {
 public:
  /// False when there is no solution: a singular matrix, or loads that depend on reactions and were
  /// not found by iteration. Rows may be redundant.
  virtual bool accelerations(const State& state, Vector& a, Vector& lambda) = 0;
  /// Rows that do not hold from now on, so that their multipliers are zero: told by a system that
  /// opens and closes rows of the one behind it. One that solves the equations of the former has
  /// them left out already.
  virtual void leave_out(const std::vector<int>& /*rows*/) {}
};

/// Forward dynamics of the system, or of one behind it that leaves out the same rows; null when
/// there are none.
inline ForwardDynamics* forward_dynamics(MechanicalSystem& system) {
  for (MechanicalSystem* one = &system; one != nullptr; one = one->behind()) {
    if (auto* found = dynamic_cast<ForwardDynamics*>(one)) return found;
    if (!one->leaves_rows_out_behind()) return nullptr;
  }
  return nullptr;
}

}  // namespace trammel::system
