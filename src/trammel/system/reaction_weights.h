// How reactions are compared where several of them could carry the same load.
//
// Reactions of rigid bodies need not be unique. Of all that balance the same motion the least ones
// are taken, in the norm
//
//     sum over rows of w_i lambda_i^2,    w_i = L^2 |F_i|^2 + |T_i|^2,
//
// with the force F_i and the moment T_i about the joint's point that a unit multiplier of row i
// exerts, and the length L of the model. Joints whose rows are perpendicular to each other, as
// those of the library are, contribute L^2 |F|^2 + |T|^2 of their whole reaction, whatever their
// axes, rows, units and coordinates.
#pragma once

#include "trammel/system/capability.h"

namespace trammel::system {

class ReactionWeights : public Capability {
 public:
  /// w, one entry per multiplier; 0 where a row belongs to no joint (couplings, drives): such a row
  /// counts by its length.
  virtual void reaction_weights(const State& state, Vector& weights) = 0;
  /// Whether something besides ConstraintDependentForces reads the multipliers of a motion:
  /// contacts that open where they pull.
  virtual bool reads_reactions() const { return false; }
};

/// The system's own weights; null when it has none.
inline ReactionWeights* reaction_weights(MechanicalSystem& system) {
  return capability<ReactionWeights>(system);
}

}  // namespace trammel::system
