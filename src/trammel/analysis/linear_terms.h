// The matrices of a linearised motion in the system's own velocities; see linearise.h.
#pragma once

#include <functional>

#include "trammel/analysis/dense_matrices.h"
#include "trammel/core/dense_factors.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

/// Derivatives of any function of a motion by q (along move), v, a, lambda and z.
class MotionDerivatives {
 public:
  using Function = std::function<Vector(const system::Motion&)>;

  MotionDerivatives(const system::MechanicalSystem& system, const system::Motion& motion);

  Matrix by_position(const Function& f) const;
  Matrix by_velocity(const Function& f) const;
  Matrix by_acceleration(const Function& f) const;
  Matrix by_multiplier(const Function& f) const;
  Matrix by_state(const Function& f) const;

 private:
  Matrix by(Vector system::Motion::*part, const Function& f) const;
  Matrix by_part(Vector& part, system::Motion& motion, const Vector& size, const Function& f) const;

  const system::MechanicalSystem& system_;
  system::Motion motion_;
};

struct LinearTerms {
  Matrix G;
  Matrix K;
  Matrix D;
  Matrix B;
  Matrix F;  ///< df/dz
  Matrix W;
  Matrix P;
  Matrix Q;
  Matrix S_q;
  Matrix S_v;
  Matrix S_z;
  /// Solves [M, G^T - H; G, 0] (y', mu) = right side; the least mu, since rows may be redundant.
  Matrix solve(const Matrix& right_side) const {
    if (right_side.cols() == 0) return right_side;
    return size.asDiagonal() * equations.solve(size.asDiagonal() * right_side);
  }
  Vector size;  ///< unknowns and equations are scaled to unit masses and unit rows of G
  Eigen::CompleteOrthogonalDecomposition<Matrix> equations;
};

LinearTerms linear_terms(model::ModelSystem& system, const system::Motion& motion);

}  // namespace trammel::analysis
