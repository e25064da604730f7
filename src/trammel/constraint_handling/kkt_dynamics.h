// Forward dynamics of any system by its KKT matrix,
//
//     [M G^T; G 0] (a, lambda) = (f + h(lambda), -gamma),
//
// with one factorisation for each state. Loads h that depend on the multipliers are found by
// iteration from the last multipliers (loaded_solve.h).
#pragma once

#include <memory>

#include "trammel/constraint_handling/loaded_solve.h"
#include "trammel/system/forward_dynamics.h"

namespace trammel::constraint_handling {

class KktDynamics final : public system::ForwardDynamics {
 public:
  KktDynamics(system::MechanicalSystem& system, std::unique_ptr<linear::KktSolver> solver);

  bool accelerations(const system::State& state,
                     system::Vector& a,
                     system::Vector& lambda) override;
  void constrain(const system::Vector& residual, system::Vector& x) override;

  long factorisations() const { return factorisations_; }
  std::size_t memory_bytes() const;

 private:
  system::MechanicalSystem& system_;
  system::Sizes sizes_;
  std::unique_ptr<linear::KktSolver> solver_;
  system::KktMatrix matrix_;
  linear::RefinedSolve refined_;
  LoadedSolve loaded_;
  system::Motion motion_;  ///< the state, and the last multipliers
  system::Vector f_;
  system::Vector gamma_;
  system::Vector right_side_;
  system::Vector solution_;
  long factorisations_ = 0;
};

}  // namespace trammel::constraint_handling
