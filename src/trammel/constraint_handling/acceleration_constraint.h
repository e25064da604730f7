// The constraint at acceleration level, g'' = G a + gamma, from what the contract offers.
//
// Velocity rows are linear in v: G a is the difference of those for v = a and for v = 0.
#pragma once

#include "trammel/system/mechanical_system.h"

namespace trammel::constraint_handling {

class AccelerationConstraint {
 public:
  explicit AccelerationConstraint(system::MechanicalSystem& system) : system_(system) {}

  /// Does not allocate after the first call.
  void operator()(const system::State& state, const system::Vector& a, system::Vector& residual) {
    system_.acceleration_bias(state, residual);
    scratch_ = state;
    scratch_.v.setZero();
    system_.velocity_constraint(scratch_, rows_);
    residual -= rows_;
    scratch_.v = a;
    system_.velocity_constraint(scratch_, rows_);
    residual += rows_;
  }

 private:
  system::MechanicalSystem& system_;
  system::State scratch_;
  system::Vector rows_;
};

}  // namespace trammel::constraint_handling
