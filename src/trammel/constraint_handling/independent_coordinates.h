// Dependent coordinates from independent ones, and what constraints make of loads.
//
// With the rows G of the constraints and the independent coordinates P x (a selection, or a plane:
// coordinate_partition.h),
//
//     [G; P]^-1 = [X Z]:   G X = 1,  P X = 0,  G Z = 0,  P Z = 1,
//
//     x = Z p - X r        has P x = p and G x = -r            (positions, velocities,
//     accelerations) lambda = X^T (f - M a)   and   Z^T (M a - f) = 0         (equations of motion)
//
// For a selection X = [Phi_u^-1; 0] and Z = [H; 1], H = -Phi_u^-1 Phi_v [Haug1997, eqs. 31, 37 and
// 38]. One factorisation of Phi_u serves all of it: a dense one, or, of many rows, that of
// [1 Phi_u^T; Phi_u 0] along the graph of the mechanism. Nothing allocates after the first
// factorisation of a partition.
#pragma once

#include <memory>

#include "trammel/constraint_handling/coordinate_partition.h"
#include "trammel/core/dense_factors.h"
#include "trammel/linear/kkt_solver.h"

namespace trammel::constraint_handling {

class IndependentCoordinates {
 public:
  /// `solver` names the linear solver of large models, e.g. "block-ldlt".
  IndependentCoordinates(system::MechanicalSystem& system, std::string solver);

  /// `positions`: the coordinates for holonomic rows alone, which are more where there are
  /// nonholonomic ones.
  void set_partition(const CoordinatePartition& partition, bool positions = false);
  int freedoms() const { return freedoms_; }
  /// Takes G out of a matrix of the system. False when the dependent coordinates do not follow.
  bool factor(const system::KktMatrix& matrix);
  /// Z, a column for each freedom.
  const Eigen::MatrixXd& basis() const { return Z_; }
  /// x = X rows; entries of rows that do not count are not read.
  void fulfil(const system::Vector& rows, system::Vector& x);
  /// lambda = X^T r; zero for rows that do not count.
  void multipliers(const system::Vector& r, system::Vector& lambda);
  /// p = P x.
  void project(const system::Vector& x, system::Vector& p) const;
  /// |G| |Phi_u^-1| in the 1-norm, with rows of length 1 and displacements over their scales, as
  /// far as a few solutions tell [Hager1984]; |G| |[G; P]^-1| for a plane. Measured against all of
  /// G it also tells of a single row, whose Phi_u is a number and always well conditioned, that its
  /// coordinate goes out of use.
  double condition();
  std::size_t memory_bytes() const;

 private:
  void factor_dense(const system::KktMatrix& matrix);
  bool factor_sparse(const system::KktMatrix& matrix);
  void set_basis_dense();
  void set_basis_sparse(const system::KktMatrix& matrix);
  void take_rows(const system::KktMatrix& matrix);
  double norm_of_inverse();
  /// y = B^-1 y, or B^-T y, with B = Phi_u or [G; P], scaled.
  void solve_scaled(system::Vector& y, bool transposed);

  system::MechanicalSystem& system_;
  system::Sizes sizes_;
  std::string solver_name_;
  std::vector<int> rows_;
  std::vector<int> dependent_;
  std::vector<int> independent_;
  std::vector<int> place_;      ///< of each row of the system among rows_, or -1
  std::vector<int> column_of_;  ///< of each component among the dependent ones, or -1
  Eigen::MatrixXd P_;           ///< of a plane
  int freedoms_ = 0;
  bool sparse_ = false;

  Eigen::MatrixXd B_;      ///< Phi_u, or [G; P]; scaled
  Eigen::MatrixXd right_;  ///< Phi_v
  Eigen::MatrixXd solved_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::MatrixXd Z_;
  system::Vector row_scale_;  ///< 1 / length of the rows
  double norm_ = 0.0;         ///< of G
  system::Vector y_;
  system::Vector z_;
  system::Vector sign_;

  std::unique_ptr<linear::KktSolver> solver_;
  std::unique_ptr<system::KktMatrix> augmented_;
  linear::RefinedSolve refined_;
  system::Vector right_side_;
  system::Vector solution_;
};

}  // namespace trammel::constraint_handling
