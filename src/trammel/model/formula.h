// A formula over measures, with its derivatives by the velocities and positions of all nodes it
// touches: the common part of couplings, drives and force laws.
//
// A formula may be an equation r(F, inputs) = 0 for one unknown F: its value is then the root,
// found by Newton's method with bisection to fall back on, and its gradient that of the root,
//     dF/d(input) = -(dr/d(input)) / (dr/dF).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/expression/program.h"
#include "trammel/model/measure.h"

namespace trammel::model {

/// Scratch memory for formulas; one per system. Vectors and matrices are as large as the largest
/// element needs; others use the beginning.
template <class S>
struct FormulaWorkspace {
  void reserve(Eigen::Index local_size) {
    for (Eigen::VectorXd* vector : {&row, &second_row, &third_row}) vector->setZero(local_size);
    for (Eigen::MatrixXd* square : {&matrix, &second_matrix}) {
      square->setZero(local_size, local_size);
    }
  }

  expression::Workspace program;
  std::vector<double> inputs;
  std::vector<double> gradient;
  std::vector<double> hessian;
  std::vector<PairVector<S>> jacobians;  ///< of each input's direction
  Eigen::VectorXd row;                   ///< local
  Eigen::VectorXd second_row;
  Eigen::VectorXd third_row;
  Eigen::MatrixXd matrix;
  Eigen::MatrixXd second_matrix;
};

template <class S>
class Formula {
 public:
  /// `inputs` in the order of the program's.
  Formula(std::shared_ptr<const expression::Program> program, std::vector<Measure<S>> inputs);

  const expression::Program& program() const { return *program_; }
  const std::shared_ptr<const expression::Program>& shared_program() const { return program_; }
  const std::vector<Measure<S>>& inputs() const { return inputs_; }
  /// Adds the nodes of all inputs.
  void add_nodes(LocalNodes& nodes) const;
  bool reads(typename Measure<S>::Kind kind) const;
  /// Makes it an equation for its unknown, if it reads one; the root is looked for from `guess`.
  void solve_from(double guess);
  bool is_equation() const { return unknown_ >= 0; }

  double value(const Place<S>& place, FormulaWorkspace<S>& work) const;
  /// The value; fills work.inputs and work.gradient.
  double gradient(const Place<S>& place, FormulaWorkspace<S>& work) const;
  /// The value; fills also work.hessian.
  double hessian(const Place<S>& place, FormulaWorkspace<S>& work) const;
  /// Fills work.jacobians, of positions and rates.
  void jacobians(const Place<S>& place, FormulaWorkspace<S>& work) const;

  /// row += factor * (pair vector of input i), in local unknowns.
  void add(int input,
           double factor,
           const PairVector<S>& pair,
           const LocalNodes& nodes,
           Eigen::VectorXd& row) const;
  /// matrix += factor * (pair matrix of input i).
  void add(int input,
           double factor,
           const PairMatrix<S>& pair,
           const LocalNodes& nodes,
           Eigen::MatrixXd& matrix) const;

 private:
  void read(const Place<S>& place, FormulaWorkspace<S>& work) const;
  /// Puts the root among the inputs; NaN when there is none. Leaves the derivatives there in
  /// work.gradient.
  double solve(FormulaWorkspace<S>& work) const;
  double newton(FormulaWorkspace<S>& work) const;
  double bisect(FormulaWorkspace<S>& work) const;
  double residual(double unknown, FormulaWorkspace<S>& work) const;
  double residual_slope(double unknown, FormulaWorkspace<S>& work) const;

  std::shared_ptr<const expression::Program> program_;
  std::vector<Measure<S>> inputs_;
  int unknown_ = -1;  ///< number of the input that an equation is solved for
  double guess_ = 0.0;
};

/// A first-order state of a mechanism.
template <class S>
struct NamedState {
  std::string name;
  std::string unit;
  Formula<S> rate;
};

/// row += factor * pair, for the pair (a, b) of nodes.
template <class S>
void add_pair(int node_a,
              int node_b,
              double factor,
              const PairVector<S>& pair,
              const LocalNodes& nodes,
              Eigen::VectorXd& row);
template <class S>
void add_pair(int node_a,
              int node_b,
              double factor,
              const PairMatrix<S>& pair,
              const LocalNodes& nodes,
              Eigen::MatrixXd& matrix);

}  // namespace trammel::model
