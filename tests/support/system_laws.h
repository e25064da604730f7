// Laws of the contract system/mechanical_system.h, for any system in any state.
#pragma once

#include "support/random_models.h"

#include "trammel/system/mechanical_system.h"

namespace trammel::support {

/// The tangent is the derivative by delta of the residual at retract(q, w_q delta), v + w_v dx,
/// a + w_a dx. Without a step dx = delta. With a step x, q was reached from some q0 by retract(q0,
/// x), and dx is the change of x that takes q0 to retract(q, delta).
void expect_tangent_is_derivative(system::MechanicalSystem& system,
                                  const system::Motion& motion,
                                  const system::Weights& weights,
                                  const system::Vector* step);

/// move and displacement undo each other; moving by zero does nothing; q may be moved in place.
void expect_move_and_displacement_agree(const system::MechanicalSystem& system,
                                        const system::Vector& q,
                                        Random& random);

/// retract(q, x + inverse_tangent(x, delta)) = retract(retract(q, x), delta) to first order.
void expect_inverse_tangent_is_derivative(const system::MechanicalSystem& system,
                                          const system::Vector& q,
                                          Random& random);

/// f = -r at a = 0 and lambda = 0, r = M a + G^T lambda - f, and the residual's second part is g.
void expect_residual_is_sum_of_parts(system::MechanicalSystem& system,
                                     const system::State& state,
                                     Random& random);

/// d/dt(kinetic + potential) = loads - dissipated + drives along the true motion.
void expect_energy_balance(system::MechanicalSystem& system, const system::State& state);

/// A clone gives the same answers and does not share scratch memory.
void expect_clone_is_independent(system::MechanicalSystem& system,
                                 const system::State& state,
                                 Random& random);

}  // namespace trammel::support
