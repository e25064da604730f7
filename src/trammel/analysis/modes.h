// trammel modes: eigenvalues and mode shapes of a linearised motion.
//
//     A s = sigma s,   frequency |Im sigma| / 2 pi,   damping ratio -Re sigma / |sigma|
//
// A conjugate pair is one mode. Eigenvalues that round-off cannot tell from zero are zero: freedoms
// without stiffness, coordinates that nothing depends on.
//
// Frequencies beside the fastest one W are known within n eps W^2/|sigma|, and rates of decay
// within 1e-8 |sigma|, since they come from differences: growth and decay below that are none.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "trammel/analysis/linearise.h"
#include "trammel/analysis/simulate.h"

namespace trammel::analysis {

struct Mode {
  std::complex<double> eigenvalue;  ///< 1/s; Im >= 0
  double frequency = 0.0;           ///< Hz, of the damped oscillation
  double damping_ratio = 0.0;       ///< 1: no oscillation; < 0: grows
  Eigen::VectorXcd state;           ///< eigenvector, largest displacement 1
  Eigen::VectorXcd displacement;    ///< x of the system, largest scaled entry 1

  double round_off = 0.0;  ///< of the eigenvalue, 1/s

  bool zero = false;
  bool grows() const { return !zero && eigenvalue.real() > round_off; }
  /// Does it decay or grow by more than round-off?
  bool damped() const { return std::abs(eigenvalue.real()) > round_off; }
  bool oscillates() const { return eigenvalue.imag() > 0.0; }
};

struct Modes {
  Linearisation linear;
  std::vector<Mode> modes;  ///< by frequency, then by rate of decay; zero ones first
  int unstable = 0;         ///< how many grow
};

Modes modes(Linearisation linearisation, const Vector& displacement_scale);

/// The coordinates that move most in a mode, with amplitude and phase in degrees: "steer.angle 1,
/// lean 0.42 at 90 deg".
std::string participants(const Modes& modes, const Mode& mode);

/// Shows every mode for `seconds` of pseudo-time, one after the other, two cycles each, with an
/// amplitude of a tenth of the model's size or 0.1 rad, moved onto the constraints. Channels
/// mode.number, mode.frequency and mode.damping_ratio say which. Velocities and reactions are those
/// of the motion it is about.
void animate(model::ModelSystem& system,
             const system::Motion& motion,
             const Modes& modes,
             double seconds,
             SimulationOptions options);

}  // namespace trammel::analysis
