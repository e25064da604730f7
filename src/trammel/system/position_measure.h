// What positions are measured with: angles or lengths, and how large the numbers are.
//
// Floating-point numbers carry their size along: at 1e7 m from the origin positions are known to
// 2e-9 m, and constraints and elastic forces that are differences of such positions no better. With
// the sizes m_j of what enters each component,
//
//     |error of g_i| <= eps sum_j |G_ij| m_j
//
// is what round-off leaves of a constraint, however good the iteration that closes it.
#pragma once

#include <limits>

#include "trammel/system/capability.h"

namespace trammel::system {

/// A small interface besides MechanicalSystem, for systems that know.
class PositionMeasure : public Capability {
 public:
  /// True for components of v that turn something: their displacements are angles.
  virtual bool turns(int component) const = 0;
  /// The size of the numbers that positions along each component of v are computed from: for a
  /// length, the distance from the origin, m; for an angle at least 1 rad.
  virtual void magnitudes(const State& state, Vector& m) = 0;
};

inline PositionMeasure* position_measure(MechanicalSystem& system) {
  return capability<PositionMeasure>(system);
}

/// 1 / displacement_scale() for components that turn, 0 for others. Systems that do not tell: all
/// may turn.
inline Vector inverse_turn_scale(MechanicalSystem& system) {
  Vector inverse = system.displacement_scale().cwiseInverse();
  const PositionMeasure* measure = position_measure(system);
  for (Eigen::Index i = 0; measure != nullptr && i < inverse.size(); ++i) {
    if (!measure->turns(static_cast<int>(i))) inverse[i] = 0.0;
  }
  return inverse;
}

/// eps m of a state: what positions are known to. Systems that do not tell have the sizes of their
/// displacement_scale().
inline void position_round_off(MechanicalSystem& system, const State& state, Vector& round_off) {
  PositionMeasure* measure = position_measure(system);
  if (measure == nullptr) {
    round_off = system.displacement_scale();
  } else {
    measure->magnitudes(state, round_off);
  }
  round_off *= std::numeric_limits<double>::epsilon();
}

}  // namespace trammel::system
