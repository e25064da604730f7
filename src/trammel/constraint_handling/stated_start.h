// Consistent initial values that keep what somebody wrote down.
//
//     minimise  sum_s w_s (c_s - c_s0)^2   over the stated values c_s (w_s: their inertia)
//     subject to  g = 0  (velocities: G v + g_t = 0)  and  c_f = c_f0 for the fixed values,
// and among all that do, the least mass-weighted change of the rest. Stated values that the
// constraints allow are kept to round-off; those that contradict each other share the move.
//
// The two aims in their order come from a weight eps on the rest and repetition: each pass (of
// Newton, for positions) measures the rest from where the last one left it, so that its pull on the
// stated values fades with eps M/w, (eps M/w)^2, ... Where it fades slowly, as that of a heavy body
// on the stated turn of a light rod, eps gets smaller.
//
// Positions are a nonlinear least-squares problem. Passes without the curvature of the constraints
// converge to a nearest place, or not at all where the description is further from the constraints
// than their radius of curvature; there the curvature is added,
//
//     H = eps M + sum_s w_s J_s^T J_s + d(G^T y)/dq,   y: multipliers of the last pass,
//
// and steps are shortened until sum_s w_s (c_s - c_s0)^2 / 2 + nu sum |g| falls.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/system/initial_values.h"

namespace trammel::constraint_handling {

class StatedStart {
 public:
  StatedStart(system::MechanicalSystem& system, const system::InitialValues& values);

  /// Whether somebody wrote down values that may move; if not, ConsistentStart finds a place. With
  /// fixed values of frames beside their centre of mass, only this one keeps them.
  bool matters_for_positions(const system::State& state);
  bool matters_for_velocities(const system::State& state);
  /// The state is changed only when the report says converged.
  ProjectionReport positions(system::State& state, const Follow& follow = {});
  /// The same with the curvature of the constraints and with steps that are shortened, for where
  /// `positions` did not converge.
  ProjectionReport guarded_positions(system::State& state, const Follow& follow = {});
  ProjectionReport velocities(system::State& state);

 private:
  using Sparse = Eigen::SparseMatrix<double>;

  bool matters() const;
  /// Lessens the weight of the rest after a step of this size, when it is not far below the last
  /// one; whether it did.
  bool lessen_rest(double size, double last);
  /// Sets matrix_ and row_size_ at a state, and factors the system of the values at hand.
  bool factor(const system::State& state, const system::Vector* multipliers = nullptr);
  /// As many positive pivots as unknowns: the step leads down.
  bool leads_down() const;
  void add_curvature(const system::State& state,
                     const system::Vector& multipliers,
                     std::vector<Eigen::Triplet<double>>& entries);
  void add_metric(std::vector<Eigen::Triplet<double>>& entries) const;
  void add_rows(std::vector<Eigen::Triplet<double>>& entries) const;
  /// x for the differences of the values at hand and this residual of the constraints.
  bool solve(const system::Vector& residual, system::Vector& x);
  /// What is stated, and how far it is missed.
  double cost() const;
  /// Sum of |g|, in sizes of rows.
  double gaps(const system::Vector& g) const;
  /// A part of the step x from `trial` that lowers cost + penalty gaps; false: none does.
  bool descend(const system::Vector& x, double penalty, system::State& trial);
  /// Residual of `trial` and whether it is closed; takes it over when it is.
  void finish(const system::State& trial, system::State& state, ProjectionReport& report);
  double size(const system::Vector& x) const;
  /// The largest holonomic residual, in sizes of rows.
  double gap(const system::Vector& g) const;

  system::MechanicalSystem& system_;
  const system::InitialValues& source_;
  system::Sizes sizes_;
  std::vector<system::InitialValue> values_;
  system::KktMatrix matrix_;
  system::KktMatrix curved_;    ///< with the curvature of the constraints
  system::Vector multipliers_;  ///< of the last solution: of constraints, then of fixed values
  system::Motion motion_;
  system::Vector row_size_;
  int fixed_ = 0;             ///< values
  double rest_weight_ = 0.0;  ///< eps
  Sparse whole_;              ///< lower half
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt_;
};

}  // namespace trammel::constraint_handling
