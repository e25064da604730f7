// How far two motions are apart, level by level, in numbers without units.
//
// Displacements are measured by the system's own scales D (the model's size for translations, 1 rad
// for rotations), so that a sum of metres and radians means something:
//
//     position      max |D^-1 x|,  x from one position to the other along the manifold
//     velocity      max |D^-1 (v - v')|          over the largest |D^-1 v| of the reference
//     acceleration  max |D^-1 (a - a')|          over the largest |D^-1 a|
//     reaction      max |D G^T (lambda - lambda')|  over the largest |D G^T lambda|
//
// Reactions are compared as generalised forces G^T lambda, which are unique where the multipliers
// themselves are not (redundant constraints).
#pragma once

#include "trammel/system/mechanical_system.h"

namespace trammel::analysis::comparison {

struct Deviation {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
  double reaction = 0.0;

  void include(const Deviation& other);
  Deviation times(double factor) const;
  /// Velocity, acceleration and reaction over those of `scale`, where that is not zero.
  Deviation relative_to(const Deviation& scale) const;
};

/// A motion with its generalised reaction forces.
struct Sample {
  system::State state;
  system::Vector a;
  system::Vector reaction;  ///< G^T lambda
};

/// Turns multipliers into generalised forces.
class ReactionForces {
 public:
  explicit ReactionForces(system::MechanicalSystem& system)
      : system_(system), matrix_(system.pattern()) {}
  void operator()(const system::Motion& motion, system::Vector& reaction);

 private:
  system::MechanicalSystem& system_;
  system::KktMatrix matrix_;
  system::Vector stacked_;
  system::Vector product_;
};

Deviation deviation(const system::MechanicalSystem& system, const Sample& a, const Sample& b);
/// Largest velocity, acceleration and reaction of a sample.
Deviation magnitude(const system::MechanicalSystem& system, const Sample& sample);

}  // namespace trammel::analysis::comparison
