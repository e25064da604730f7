// Dense looks at a mechanical system through its contract, for analyses of models whose freedoms
// are counted in hundreds: the tangent's blocks, and subspaces of the constraint Jacobian.
//
// Metres and radians are made comparable by the system's displacement scales D: a rank is that of
// the matrix G D with rows of unit length.
#pragma once

#include <Eigen/Core>

#include "trammel/system/mechanical_system.h"

namespace trammel::analysis {

using Matrix = Eigen::MatrixXd;
using system::largest;
using system::Vector;

/// Analyses of every step stay below this number of velocities.
constexpr int comfortable_size = 600;
/// Analyses with dense matrices refuse models with more velocities than this (InputError).
constexpr int largest_size = 4000;

/// A motion with this state and zero accelerations and multipliers.
system::Motion motion_of(const system::MechanicalSystem& system, const system::State& state);

/// K = w_q dr/dq + w_v dr/dv + w_a M, and G.
struct DenseTangent {
  Matrix K;
  Matrix G;
};
DenseTangent dense_tangent(system::MechanicalSystem& system,
                           const system::Motion& motion,
                           const system::Weights& weights);

/// G at a state: holonomic rows, then nonholonomic ones.
Matrix constraint_jacobian(system::MechanicalSystem& system, const system::State& state);

/// The motions that rows of a Jacobian forbid and allow.
struct Subspaces {
  int rank = 0;
  Vector singular_values;  ///< of the scaled rows, largest first
  Matrix allowed;          ///< D times an orthonormal basis of {x : G D x = 0}, one column each

  /// The least singular value that counts; 1 when there is none.
  double smallest() const { return rank > 0 ? singular_values[rank - 1] : 1.0; }
};

/// Singular values of scaled unit rows below this are zero.
constexpr double subspace_tolerance = 1e-8;

Subspaces subspaces(const Matrix& G, const Vector& scale, double tolerance = subspace_tolerance);

/// max |x_i| / scale_i; 0 for no entries.
double scaled_size(const Vector& x, const Vector& scale);

}  // namespace trammel::analysis
