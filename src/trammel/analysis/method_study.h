// What there is to know about one member of the GSSSS family: parameters, amplification of an
// oscillator at all frequencies, measured orders on a constrained problem, and what it is good for.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/comparison/compare.h"
#include "trammel/integrators/gssss_parameters.h"

namespace trammel::analysis {

/// A step of u'' + 2 xi w u' + w^2 u = 0 at one frequency.
struct Amplification {
  double frequency = 0.0;     ///< w h, rad
  double radius = 0.0;        ///< largest |eigenvalue| of a step
  double damping = 0.0;       ///< ratio of the numerical solution; NaN where it does not oscillate
  double period_error = 0.0;  ///< relative; NaN where it does not oscillate
};

/// At `count` frequencies from w h = `lowest` to `highest`, evenly spaced in their logarithms.
/// `damping` is the oscillator's own ratio xi.
std::vector<Amplification> amplification(const integrators::GssssParameters& p,
                                         double damping = 0.0,
                                         double lowest = 1e-2,
                                         double highest = 1e4,
                                         int count = 181);

/// Names of the family's members that are this one: "mpr-mpa", "generalized-alpha 0.8".
std::vector<std::string> names_of(integrators::Family family,
                                  const integrators::SpectralRadii& radii);

/// Sentences: what it does well and what it does not.
std::vector<std::string> uses_of(integrators::Family family,
                                 const integrators::SpectralRadii& radii);

/// A rod of 1 m on a hinge, released from the horizontal, for 1 s: the problem of the orders.
model::Description hinged_rod();

/// The member on the hinged rod at index 3, 2 and 1, without and with projection, at three steps:
/// errors and orders of positions, velocities, accelerations and reactions.
comparison::Comparison measured_orders(integrators::Family family,
                                       const integrators::SpectralRadii& radii);

}  // namespace trammel::analysis
