// Who decides whether the frictions of a model stick or slide tells it here.
#pragma once

#include "trammel/model/slip.h"
#include "trammel/system/capability.h"

namespace trammel::model {

class FrictionModes : public system::Capability {
 public:
  /// How the friction of a stick row acts from now on; one that sticks does so where it stands.
  virtual void set_slip(const StickRow& row, Slip slip, const system::State& state) = 0;
  virtual SlipPlace slip_at(const StickRow& row, const system::Motion& motion) = 0;
};

/// Of a model with stick rows.
inline FrictionModes& friction_modes(system::MechanicalSystem& system) {
  return *system::capability<FrictionModes>(system);
}

}  // namespace trammel::model
