// Laws that every force obeys, whatever its kind. The force is called "item", its bodies "a" and
// "b" as random_force() makes them; there is no gravity and no joint.
#pragma once

#include "support/random_models.h"
#include "support/system_view.h"

namespace trammel::support {

/// df/dq and df/dv are the derivatives of the residual, apart and together.
void expect_force_tangent_is_derivative(model::ModelSystem& system, const system::State& state);

/// d(energy)/dt + dissipated - load + f . v = 0 along a motion with constant v, and no force
/// dissipates less than nothing. The kinetic energy changes where the mass depends on positions.
void expect_energy_rate_is_power(model::ModelSystem& system, const system::State& state);

/// Forces between two free bodies have no resultant force and no moment about any point.
void expect_momentum_is_kept(const model::Description& description,
                             model::ModelSystem& system,
                             const system::State& state);

/// When both bodies are turned and shifted together, and set in a common rigid motion on top of
/// their own, the force only turns with them.
void expect_objective(const model::Description& description,
                      model::ModelSystem& system,
                      const system::State& state,
                      Random& random);

/// The recorded rate of "item.<quantity>" is the derivative of its value along the motion.
void expect_recorded_rate(model::ModelSystem& system,
                          const system::State& state,
                          const std::string& quantity,
                          const std::string& rate);

}  // namespace trammel::support
