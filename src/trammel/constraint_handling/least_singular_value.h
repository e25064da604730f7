// The least singular value of the constraint rows along a motion, and where it passes zero.
//
//     A = R^-1 G D,   A^T u = s w,   |u| = |w| = 1,   s the least singular value
//
// with D the displacement scales and R the sizes of the rows (scaled_jacobian.h), without the rows
// that follow from others everywhere (row_choice.h). Where s passes zero the rank of G falls for an
// instant: the mechanism gains a freedom, and may go on in another way [Sol1983, sec. 8.2].
//
// Inverse iteration with A A^T from the u of the place before: one factorisation and two solutions
// of the matrix of a step. Since u is continued, so is s w = A^T u with its sign: between two
// places at which these vectors are opposite s was zero, even if both are far from it.
#pragma once

#include "trammel/constraint_handling/row_choice.h"

namespace trammel::constraint_handling {

class LeastSingularValue {
 public:
  explicit LeastSingularValue(system::MechanicalSystem& system);

  /// False where the pattern alone tells that the rows never depend on each other: nothing is
  /// computed then.
  bool may_vanish() const { return may_vanish_; }

  struct Place {
    double value = 1.0;
    /// It passed zero since the place before, after this share of the way; else negative.
    double crossed = -1.0;
  };
  /// Where a run begins or goes on after an event.
  Place begin(const system::State& state);
  /// Further on.
  Place next(const system::State& state);

  /// Parts of the rows in the combination that comes to depend on nothing else: u.
  const system::Vector& combination() const { return u_; }

 private:
  /// Sets u_ and b_ = A^T u_; false when it cannot be found.
  bool iterate(int iterations);
  Place fresh();

  system::MechanicalSystem& system_;
  bool may_vanish_ = false;
  std::unique_ptr<RowChoice> choice_;
  std::unique_ptr<ScaledJacobian> jacobian_;
  std::unique_ptr<system::KktMatrix> matrix_;
  linear::BlockLdlt solver_;
  std::vector<bool> open_;
  system::Vector factor_;
  system::Vector right_side_;
  system::Vector solution_;
  system::Vector u_;
  system::Vector b_;
  system::Vector last_u_;
  system::Vector last_b_;
};

}  // namespace trammel::constraint_handling
