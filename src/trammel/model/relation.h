// A constraint row written as a formula: couplings, drives and constraints of the user's own.
//
//     position level   g(c, t) = 0,          c coordinates between any nodes
//     velocity level   h(c, c', t) = 0,      linear in the rates: a Pfaff row A v + a = 0
//
// With J_i the gradient of c_i and H_i its derivative, at position level
//     G     = sum g_i J_i
//     gamma = sum g_i v^T H_i v + sum g_ij c_i' c_j'           (time counted among the inputs)
//     d(G^T lambda)/dq = lambda (sum g_i H_i + sum g_ij J_i J_j^T),
// and at velocity level with h_i the derivatives by rates, h_j by positions and time,
//     A     = sum h_i J_i
//     gamma = sum h_i v^T H_i v + sum h_j c_j'
//     d(A^T lambda)/dq = lambda (sum h_i H_i + sum h_ij J_i J_j^T).
#pragma once

#include "trammel/model/formula.h"

namespace trammel::model {

enum class RelationLevel { position, velocity };

template <class S>
class Relation {
 public:
  Relation(RelationLevel level, Formula<S> formula);

  RelationLevel level() const { return level_; }
  const Formula<S>& formula() const { return formula_; }
  const LocalNodes& nodes() const { return nodes_; }
  int local_size() const { return static_cast<int>(nodes_.nodes().size()) * S::freedoms; }

  /// g or h; fills work.row with G or A.
  double linearise(const Place<S>& place, FormulaWorkspace<S>& work) const;
  double bias(const Place<S>& place, FormulaWorkspace<S>& work) const;
  /// Fills work.matrix with factor * d(row)/dq.
  void stiffness(const Place<S>& place, double factor, FormulaWorkspace<S>& work) const;
  /// dg/dt at position level; a = h - A v at velocity level. With multiplier lambda, the row brings
  /// in the power lambda times this.
  double time_derivative(const Place<S>& place, FormulaWorkspace<S>& work) const;

 private:
  using Kind = typename Measure<S>::Kind;
  /// Inputs whose direction enters the row.
  Kind carrier() const { return level_ == RelationLevel::position ? Kind::position : Kind::rate; }
  double input_rate(const Measure<S>& input, const Place<S>& place) const;
  double curvature(const Measure<S>& input, const Place<S>& place) const;

  RelationLevel level_;
  Formula<S> formula_;
  LocalNodes nodes_;
};

}  // namespace trammel::model
