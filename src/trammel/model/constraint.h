// A constraint primitive between two nodes: up to three rows g(t, q_a, q_b) = 0.
//
// Joints are composed of these. A primitive knows its value, its Jacobian G with respect to the
// freedoms of both nodes, the bias gamma of g'' = G v' + gamma, and the exact tangent of G^T
// lambda.
#pragma once

#include <vector>

#include "trammel/model/space.h"

namespace trammel::model {

/// Structural non-zeros in local numbering: (row, freedom) of G and (freedom, freedom) of the
/// stiffness; freedoms 0 .. 2f-1, node a first.
struct LocalPattern {
  std::vector<std::pair<int, int>> jacobian;
  std::vector<std::pair<int, int>> stiffness;
};

template <class S>
class Constraint {
 public:
  static constexpr int max_rows = S::dimension;
  using Kinematics = typename S::Kinematics;
  /// Only the first rows() rows are written.
  using Jacobian = Eigen::Matrix<double, max_rows, pair_freedoms<S>, Eigen::RowMajor>;
  using Rows = Eigen::Matrix<double, max_rows, 1>;

  Constraint(int node_a, int node_b, int rows) : a_(node_a), b_(node_b), rows_(rows) {}
  virtual ~Constraint() = default;

  int node_a() const { return a_; }
  int node_b() const { return b_; }
  int rows() const { return rows_; }

  /// False for Pfaff rows A(t, q) v + a = 0: `linearise` then gives A v + a and A, `bias` gives
  /// gamma = d/dt(A) v + d/dt(a), and `time_derivative` gives a.
  virtual bool holonomic() const { return true; }
  virtual LocalPattern pattern() const = 0;
  /// g and G; entries of G outside the pattern are left alone.
  virtual void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const = 0;
  /// gamma = d/dt(G) v + d/dt(dg/dt).
  virtual void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const = 0;
  /// Adds scale * d(G^T lambda)/dq to K.
  virtual void add_stiffness(const Kinematics& a,
                             const Kinematics& b,
                             double t,
                             const double* lambda,
                             double scale,
                             PairMatrix<S>& K) const = 0;
  /// dg/dt at fixed q, for rheonomic constraints.
  virtual void time_derivative(double /*t*/, Rows& g_t) const { g_t.setZero(); }

 private:
  int a_;
  int b_;
  int rows_;
};

}  // namespace trammel::model
