// Optional capabilities of a system, found in one way.
//
// What only some systems can do is a small interface besides MechanicalSystem (PositionMeasure,
// TimeSwitches, ReactionWeights), which the system or a part of it implements. A system that stands
// before another one (events, rows left out) need not know them: whoever asks looks through it.
// What depends on the equations themselves is not looked for behind a system that changes them
// (Operators), or only where that one tells the other of it (ForwardDynamics).
#pragma once

#include "trammel/system/mechanical_system.h"

namespace trammel::system {

/// The capability of the system or of one that it stands before; null when none has it.
template <class Wanted>
Wanted* capability(MechanicalSystem& system) {
  for (MechanicalSystem* one = &system; one != nullptr; one = one->behind()) {
    if (auto* found = dynamic_cast<Wanted*>(one)) return found;
    for (Capability* part : one->capabilities()) {
      if (auto* found = dynamic_cast<Wanted*>(part)) return found;
    }
  }
  return nullptr;
}

}  // namespace trammel::system
