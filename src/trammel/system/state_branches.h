// Conditions on the motion in the functions of a system: if(rail.displacement > 1 m, ...).
//
// Each is a branch, which can be held: the functions are then those of that branch on either side
// of the place where it would change, so that a step can end at the place as if it were smooth.
// Whoever holds branches has to watch them (analysis/branch_events.h).
//
// A system with such functions implements this interface besides its own; it is found by
// state_branches().
#pragma once

#include <string>

#include "trammel/system/capability.h"

namespace trammel::system {

class StateBranches : public Capability {
 public:
  virtual int branch_count() const = 0;
  /// Of each branch how far the motion is inside of what is held (negative: outside; infinite:
  /// nothing is held), in the condition's own unit, and the size of what is compared.
  virtual void branch_distances(const Motion& motion, Vector& distances, Vector& magnitudes) = 0;
  /// The branches that the motion asks for.
  virtual void asked_branches(const Motion& motion, Vector& branches) = 0;
  virtual void hold_branch(int branch, double side) = 0;
  virtual void let_branch_go(int branch) = 0;
  /// "the force 'kick'".
  virtual std::string branch_name(int branch) const = 0;
};

/// The system's branches; null when it has none.
inline StateBranches* state_branches(MechanicalSystem& system) {
  auto* branches = capability<StateBranches>(system);
  return branches != nullptr && branches->branch_count() > 0 ? branches : nullptr;
}

}  // namespace trammel::system
