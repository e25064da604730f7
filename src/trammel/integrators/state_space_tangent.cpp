#include "trammel/integrators/state_space_tangent.h"

#include <algorithm>

namespace trammel::integrators {

using system::Vector;

StateSpaceTangent::StateSpaceTangent(StateSpaceForm& form)
    : form_(form), curvature_(form.system()), tangent_(form.system().pattern()) {}

void StateSpaceTangent::resize() {
  const system::Sizes& sizes = form_.sizes();
  const int nd = form_.freedoms();
  const int np = form_.position_freedoms();
  if (Y_.rows() == sizes.v && Y_.cols() == nd && Z_x_.cols() == np) return;
  for (Eigen::MatrixXd* matrix : {&Z_x_, &J_x_}) matrix->setZero(sizes.v, np);
  for (Eigen::MatrixXd* matrix : {&Y_, &V_, &A_, &R_, &product_}) matrix->setZero(sizes.v, nd);
  L_.setZero(sizes.multipliers(), nd);
  jacobian_.setZero(nd, nd);
}

void StateSpaceTangent::set_positions_and_velocities(const RuleWeights& weights) {
  const system::State& state = form_.motion().state;
  const int nd = form_.freedoms();
  const int np = form_.position_freedoms();
  Z_x_ = form_.position_coordinates().basis();
  if (form_.curved()) {
    // Z W^-1, column by column.
    for (int j = 0; j < np; ++j) {
      p_.setZero(np);
      p_[j] = 1.0;
      form_.solve_chart(p_);
      Z_x_.col(j).noalias() = form_.position_coordinates().basis() * p_;
    }
  }
  for (int j = 0; j < np; ++j) {
    w_ = Z_x_.col(j);
    curvature_.of_velocity(state, w_, rows_);
    form_.velocity_coordinates().fulfil(rows_, x_);
    J_x_.col(j) = -x_;
  }
  const Eigen::MatrixXd& Z = form_.velocity_coordinates().basis();
  Y_ = weights.position * Z_x_.leftCols(nd);
  V_ = weights.velocity * Z + weights.position * J_x_.leftCols(nd);
  if (np == nd) return;
  // Carried coordinates close the circle: their positions follow from their velocities.
  const int nk = np - nd;
  const std::vector<int>& independent = form_.partition().independent;
  Eigen::MatrixXd closure = Eigen::MatrixXd::Identity(nk, nk);
  Eigen::MatrixXd V_K(nk, nd);
  for (int i = 0; i < nk; ++i) {
    const int component = independent[static_cast<std::size_t>(nd + i)];
    closure.row(i) -= weights.carried * J_x_.row(component).rightCols(nk);
    V_K.row(i) = V_.row(component);
  }
  V_K = Eigen::PartialPivLU<Eigen::MatrixXd>(closure).solve(V_K).eval();
  Y_ += weights.carried * Z_x_.rightCols(nk) * V_K;
  V_ += weights.carried * J_x_.rightCols(nk) * V_K;
}

void StateSpaceTangent::set_accelerations() {
  A_ = form_.velocity_coordinates().basis();
  for (Eigen::Index j = 0; j < A_.cols(); ++j) {
    w_ = Y_.col(j);
    v_w_ = V_.col(j);
    curvature_.of_acceleration(form_.motion(), w_, v_w_, rows_);
    form_.velocity_coordinates().fulfil(rows_, x_);
    A_.col(j) -= x_;
  }
}

// h_lambda by differences: friction is at most linear in loads, but for signs.
void StateSpaceTangent::set_reactions() {
  system::ConstraintDependentForces* loads = form_.system().constraint_dependent_forces();
  constraint_handling::IndependentCoordinates& coordinates = form_.velocity_coordinates();
  for (Eigen::Index j = 0; j < R_.cols(); ++j) {
    w_ = R_.col(j);
    coordinates.multipliers(w_, rows_);
    L_.col(j) = -rows_;
  }
  if (loads == nullptr) return;
  constexpr double share = 1e-6;
  motion_ = form_.motion();
  const double size = system::largest(motion_.lambda);
  const double step = share * (size > 0.0 ? size : 1.0);
  const int m = form_.sizes().multipliers();
  h_lambda_.setZero(form_.sizes().v, m);
  for (const int row : form_.partition().rows) {
    const double value = motion_.lambda[row];
    motion_.lambda[row] = value + step;
    loads->constraint_dependent_forces(motion_, above_);
    motion_.lambda[row] = value - step;
    loads->constraint_dependent_forces(motion_, below_);
    motion_.lambda[row] = value;
    h_lambda_.col(row) = (above_ - below_) / (2.0 * step);
  }
  // (1 - X^T h_lambda) L = -X^T R.
  Eigen::MatrixXd closure = Eigen::MatrixXd::Identity(m, m);
  for (const int row : form_.partition().rows) {
    w_ = h_lambda_.col(row);
    coordinates.multipliers(w_, rows_);
    closure.col(row) -= rows_;
  }
  L_ = Eigen::PartialPivLU<Eigen::MatrixXd>(closure).solve(L_).eval();
}

const Eigen::MatrixXd& StateSpaceTangent::jacobian(const RuleWeights& weights,
                                                   StateIteration iteration) {
  const bool exact = iteration == StateIteration::newton;
  resize();
  set_positions_and_velocities(weights);
  if (exact) {
    set_accelerations();
  } else {
    A_ = form_.velocity_coordinates().basis();
  }
  multiply_block(form_.mass(), A_, R_);
  motion_ = form_.motion();
  if (!exact) motion_.lambda.setZero();
  form_.system().tangent(motion_, {.position = 1.0}, nullptr, tangent_);
  multiply_block(tangent_, Y_, product_);
  R_ += product_;
  form_.system().tangent(motion_, {.velocity = 1.0}, nullptr, tangent_);
  multiply_block(tangent_, V_, product_);
  R_ += product_;
  const Eigen::MatrixXd& Z = form_.velocity_coordinates().basis();
  if (!exact) {
    jacobian_.noalias() = Z.transpose() * R_;
    return jacobian_;
  }
  set_reactions();
  if (form_.system().constraint_dependent_forces() != nullptr) R_.noalias() -= h_lambda_ * L_;
  jacobian_.noalias() = Z.transpose() * R_;
  return jacobian_;
}

}  // namespace trammel::integrators
