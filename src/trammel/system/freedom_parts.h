// Translations and rotations among the freedoms, for methods that advance them differently.
//
// The contract moves q along its manifold by retract(), whatever it is made of. Staggered methods
// [Chiou1990, sec. 5.5.4; ParkChiou1987, sec. 4] advance numbers by v and Euler parameters e by an
// implicit rule of their own, node by node; for this alone they ask which is which.
#pragma once

#include <span>

#include "trammel/system/capability.h"

namespace trammel::system {

/// Coordinates one behind the other. Of numbers: q' = v, `count` of them. Of a rotation: Euler
/// parameters q[first_q .. +3] = (e_0, e), |q| = 1, and v[first_v .. +2] = w in body axes,
///     e_0' = -w . e / 2,   e' = (e_0 w + e x w)/2.
struct FreedomPart {
  int first_q = 0;
  int first_v = 0;
  int count = 0;  ///< of velocities
  bool rotation = false;
};

/// A small interface besides MechanicalSystem, for systems whose freedoms are nothing else.
class FreedomParts : public Capability {
 public:
  /// All of q and v, each once, in ascending order.
  virtual std::span<const FreedomPart> freedom_parts() const = 0;
};

/// Empty where the system does not tell; systems that stand before another one share its q.
inline std::span<const FreedomPart> freedom_parts(MechanicalSystem& system) {
  const auto* parts = capability<FreedomParts>(system);
  return parts == nullptr ? std::span<const FreedomPart>{} : parts->freedom_parts();
}

}  // namespace trammel::system
