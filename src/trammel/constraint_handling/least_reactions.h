// Reactions that are not unique, made so: of all multipliers with the same G^T lambda those of the
// least norm, sum w_i lambda_i^2 with the weights of system/reaction_weights.h.
//
// They are what bearings of one stiffness, the same for every joint, would carry as that stiffness
// grows beyond all bounds. With mu = W^1/2 lambda and G' = W^-1/2 G D, from mu = 0,
//
//     [1 G'^T; G' -e] (x, d mu) = (p - G'^T mu, 0),    p = D G^T lambda,
//
// converges to them by the factor e / (e + s^2) for a singular value s of G': all iterates are
// perpendicular to what leaves p as it is. Beside the constraints the singular values of dependent
// rows are of the size of the drift; few iterations leave them alone as long as it is well below
// sqrt(e).
#pragma once

#include "trammel/constraint_handling/scaled_jacobian.h"
#include "trammel/linear/block_ldlt.h"
#include "trammel/system/reaction_weights.h"

namespace trammel::constraint_handling {

class LeastReactions {
 public:
  explicit LeastReactions(system::MechanicalSystem& system);

  /// Changes lambda at a state. `carrying_nothing` are rows without load besides the open ones
  /// (system/open_row.h). Does not allocate after the first call. False when it did not succeed:
  /// lambda stays.
  bool operator()(const system::State& state,
                  system::Vector& lambda,
                  const std::vector<int>& carrying_nothing = {});
  std::size_t memory_bytes() const;

 private:
  void set_factors(const system::State& state);
  /// right_side_ += factor G'^T mu.
  void add_load(const system::Vector& mu, double factor);

  ScaledJacobian jacobian_;
  system::KktMatrix matrix_;
  linear::BlockLdlt solver_;
  linear::RefinedSolve refined_;
  system::Vector factor_;
  system::Vector mu_;
  system::Vector right_side_;
  system::Vector solution_;
};

}  // namespace trammel::constraint_handling
