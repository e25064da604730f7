// Dry friction in a joint, with the normal load taken from the joint's own reaction.
//
//     N = N0 + sqrt(|F|^2 + (|M|/l)^2)        F, M: reaction force and moment at the joint
//     load along the joint coordinate x:   -r N mu(s) s / sqrt(s^2 + s0^2),   s = r x'
// with mu as in friction_coefficient.h. r is the radius of the pin (1 m along displacements), l the
// length over which a moment is carried (0: moments press nothing). N depends on the multipliers:
// see system::ConstraintDependentForces. The tangent keeps the multipliers in N fixed.
//
// With `stick: event` there is no smoothing in runs: the sign of the load is frozen between events,
//     sliding    load = -sign r N mu(|s|)
//     sticking   x = const, a constraint row whose multiplier is the load, |load| <= r mu_s N,
// see model/slip.h.
#pragma once

#include "trammel/model/coordinate.h"
#include "trammel/model/forces/friction_coefficient.h"
#include "trammel/model/kinds.h"
#include "trammel/model/slip.h"

namespace trammel::model {

struct JointFrictionParameters {
  FrictionCoefficient friction;
  double radius = 1.0;   ///< r, m
  double lever = 0.0;    ///< l, m
  double preload = 0.0;  ///< N0, N
  bool sticks = false;   ///< by event

  /// Throws InputError when the values contradict each other.
  static JointFrictionParameters from(const Values& values);

  double normal_load(double force, double moment) const;
  struct Load {
    double load = 0.0;     ///< along the coordinate, N or N m
    double by_rate = 0.0;  ///< d load / d x', N fixed
  };
  /// Without what a row carries while it sticks.
  Load at(double rate, double normal_load, Slip slip) const;
  /// The largest load with which it can stick.
  double limit(double normal_load) const { return radius * friction.sticking * normal_load; }
};

ForceKind joint_friction(Space space);

}  // namespace trammel::model
