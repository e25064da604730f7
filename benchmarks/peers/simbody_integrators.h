/// The integrators of Simbody by the names used on the command line.
///
/// Fixed step: rk4 (Runge-Kutta-Merson, order 4, 5 stages), rkf (Fehlberg, order 4(5), 6 stages),
/// rk3, rk2, verlet, semi_explicit_euler, explicit_euler. Adaptive, by --accuracy: adaptive_merson,
/// adaptive_rkf, adaptive_rk3, adaptive_rk2, adaptive_verlet, adaptive_euler2 (SemiExplicitEuler2),
/// and implicit (CPODES, variable-order BDF with Newton iteration).
#pragma once

#include <memory>
#include <string>

#include "arguments.h"
#include <Simbody.h>

namespace peers {

struct NamedIntegrator {
  std::string name;  ///< as printed in the report
  bool adaptive = false;
  std::unique_ptr<SimTK::Integrator> integrator;
};

/// Makes the integrator that arguments.method names, set up for the run; `h` is the fixed step [s].
NamedIntegrator make_integrator(const Arguments& arguments,
                                const SimTK::MultibodySystem& system,
                                double h);

}  // namespace peers
