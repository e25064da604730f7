// Consistent initial values that keep what somebody wrote down.
//
//     minimise  sum_s w_s (c_s - c_s0)^2   over the stated values c_s (w_s: their inertia)
//     subject to  g = 0  (velocities: G v + g_t = 0)  and  c_f = c_f0 for the fixed values,
// and among all that do, the least mass-weighted change of the rest. Stated values that the
// constraints allow are kept to round-off; those that contradict each other share the move.
//
// The two aims in their order come from a weight eps on the rest and repetition: each pass (of
// Newton, for positions) measures the rest from where the last one left it, so that its pull on the
// stated values fades with eps, eps^2, ...
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/system/initial_values.h"

namespace trammel::constraint_handling {

class StatedStart {
 public:
  StatedStart(system::MechanicalSystem& system, const system::InitialValues& values);

  /// Whether some values matter more than others; if not, ConsistentStart finds the same. With
  /// fixed values of frames beside their centre of mass, only this one keeps them.
  bool matters_for_positions(const system::State& state);
  bool matters_for_velocities(const system::State& state);
  /// The state is changed only when the report says converged.
  ProjectionReport positions(system::State& state, const Follow& follow = {});
  ProjectionReport velocities(system::State& state);

 private:
  using Sparse = Eigen::SparseMatrix<double>;

  bool matters() const;
  /// Sets matrix_ and row_size_ at a state, and factors the system of the values at hand.
  bool factor(const system::State& state);
  void add_metric(std::vector<Eigen::Triplet<double>>& entries) const;
  void add_rows(std::vector<Eigen::Triplet<double>>& entries) const;
  /// x for the differences of the values at hand and this residual of the constraints.
  bool solve(const system::Vector& residual, system::Vector& x);
  double size(const system::Vector& x) const;
  /// The largest holonomic residual, in sizes of rows.
  double gap(const system::Vector& g) const;

  system::MechanicalSystem& system_;
  const system::InitialValues& source_;
  system::Sizes sizes_;
  std::vector<system::InitialValue> values_;
  system::KktMatrix matrix_;
  system::Motion motion_;
  system::Vector row_size_;
  int fixed_ = 0;  ///< values
  Sparse whole_;   ///< lower half
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt_;
};

}  // namespace trammel::constraint_handling
