#include "trammel/analysis/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/analysis/linear_terms.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/constraint_handling/row_sizes.h"
#include "trammel/core/dense_factors.h"
#include "trammel/system/position_measure.h"

namespace trammel::analysis {
namespace {

// The least y with K y = b, as far as there is one. Directions may be stiff and soft by many orders
// of magnitude: those of a symmetric K are its principal ones, each with its own scale, and what is
// below the round-off of the stiffest has no stiffness.
Vector least_displacement(const Matrix& K, const Vector& b) {
  if (b.size() == 0) return b;
  const double size = K.cwiseAbs().maxCoeff();
  if ((K - K.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * size) {
    constexpr double none = 1e-14;
    const Eigen::SelfAdjointEigenSolver<Matrix> principal(0.5 * (K + K.transpose()));
    Vector y = principal.eigenvectors().transpose() * b;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      const double stiffness = principal.eigenvalues()[i];
      const bool soft = std::abs(stiffness) <= none * static_cast<double>(y.size()) * size;
      y[i] = soft ? 0.0 : y[i] / stiffness;
    }
    return principal.eigenvectors() * y;
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(1e-11);
  return decomposition.compute(K).solve(b);
}

}  // namespace

Equilibrium::Equilibrium(model::ModelSystem& system, const system::State& state, bool steady)
    : system_(system), motion_(motion_of(system, state)), steady_(steady) {
  motion_.state.v.setZero();
  trail_.push_back(motion_.state);
  held_.setZero(system.sizes().v);
  update();
  Vector f;
  system.forces(motion_.state, f);
  // Without any loads, what round-off makes of the stiffness stands for them.
  load_ = std::max(largest(f.cwiseProduct(system.displacement_scale())), largest(load_round_off_));
  if (load_ == 0.0) load_ = 1.0;
}

void Equilibrium::set_steady(system::Motion& motion) {
  const auto velocities = [&](const Vector& q, double t) {
    system::State at = motion.state;
    at.q = q;
    at.t = t;
    at.v.setZero();
    constraint_handling::ConsistentStart(system_).velocities(at, {});
    return at.v;
  };
  system::State& now = motion.state;
  now.v = velocities(now.q, now.t);
  const double speed = scaled_size(now.v, system_.displacement_scale());
  if (speed == 0.0) {
    motion.a.setZero();
    return;
  }
  // Central differences over a ten-thousandth of the time in which the model goes through its size.
  const double h = 1e-4 / speed;
  Vector before;
  Vector after;
  system_.retract(now.q, -h * now.v, before);
  system_.retract(now.q, h * now.v, after);
  motion.a = (velocities(after, now.t + h) - velocities(before, now.t - h)) / (2.0 * h);
}

void Equilibrium::update_states() {
  system::FirstOrderStates* states = system_.first_order_states();
  if (states == nullptr) return;
  states->rates(motion_.state, s_);
  const MotionDerivatives derivatives(system_, motion_);
  const auto rates = [&](const system::Motion& motion) {
    Vector rates;
    states->rates(motion.state, rates);
    return rates;
  };
  F_ = derivatives.by_state([&](const system::Motion& motion) {
    Vector f;
    system_.forces(motion.state, f);
    return f;
  });
  S_q_ = derivatives.by_position(rates);
  S_v_ = derivatives.by_velocity(rates);
  S_z_ = derivatives.by_state(rates);
  // A state is as large as the change that motions through the model's size bring about.
  const Matrix by_way = S_v_ * N_;
  state_size_.setOnes(s_.size());
  for (Eigen::Index i = 0; i < s_.size(); ++i) {
    const double size = by_way.cols() > 0 ? by_way.row(i).cwiseAbs().maxCoeff() : 0.0;
    if (size > 0.0) state_size_[i] = size;
  }
  // Rows of unit length, so that slow states count as fast ones do.
  Matrix rows(s_.size(), N_.cols() + s_.size());
  rows << S_q_ * N_, S_z_ * state_size_.asDiagonal();
  rows = state_size_.cwiseInverse().asDiagonal() * rows;
  Vector length = rows.rowwise().norm();
  for (Eigen::Index i = 0; i < length.size(); ++i) {
    if (length[i] == 0.0) length[i] = 1.0;
  }
  rows = length.cwiseInverse().asDiagonal() * rows;
  constexpr double none = 1e-9;  // differences of rates are good to 1e-10
  Eigen::ColPivHouseholderQR<Matrix> left(rows);
  left.setThreshold(none);
  const Eigen::Index rank = rows.isZero(0.0) ? 0 : left.rank();
  const Matrix basis = left.householderQ();
  // w^T rows = 0 for the scaled rows; back to states by their lengths.
  Matrix free = length.cwiseInverse().asDiagonal() * basis.rightCols(s_.size() - rank);
  Eigen::HouseholderQR<Matrix> orthonormal(free);
  const Matrix both = orthonormal.householderQ();
  free_states_ = both.leftCols(s_.size() - rank);
  held_states_ = both.rightCols(rank);
}

Matrix Equilibrium::states_by_freedoms() const {
  const Vector inverse = state_size_.cwiseInverse();
  const Eigen::Index held = held_states_.cols();
  Matrix left(s_.size(), s_.size());
  Matrix right(s_.size(), N_.cols());
  left.topRows(held) =
      held_states_.transpose() * (inverse.asDiagonal() * S_z_ * state_size_.asDiagonal());
  right.topRows(held) = -held_states_.transpose() * (inverse.asDiagonal() * S_q_ * N_);
  left.bottomRows(s_.size() - held) = free_states_.transpose();
  right.bottomRows(s_.size() - held) =
      free_states_.transpose() * (inverse.asDiagonal() * S_v_ * N_);
  return state_size_.asDiagonal() * left.completeOrthogonalDecomposition().solve(right);
}

void Equilibrium::carry_states(const Vector& q, const Vector& x) {
  if (free_states_.cols() == 0) return;
  system::FirstOrderStates& states = *system_.first_order_states();
  constexpr int pieces = 8;
  const double step = 1.0 / pieces;
  system::State at = motion_.state;
  Vector with;
  Vector without;
  // Per way: what moving adds to the rates, of the free combinations.
  const auto slope = [&](double way, const Vector& z) -> Vector {
    system_.retract(q, way * x, at.q);
    at.z = z;
    at.v = motion_.state.v + x;
    states.rates(at, with);
    at.v = motion_.state.v;
    states.rates(at, without);
    return state_size_.asDiagonal() *
           (free_states_ *
            (free_states_.transpose() * (with - without).cwiseQuotient(state_size_)));
  };
  Vector z = motion_.state.z;
  for (int i = 0; i < pieces; ++i) {
    const double way = i * step;
    const Vector k1 = slope(way, z);
    const Vector k2 = slope(way + 0.5 * step, z + 0.5 * step * k1);
    const Vector k3 = slope(way + 0.5 * step, z + 0.5 * step * k2);
    const Vector k4 = slope(way + step, z + step * k3);
    z += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  motion_.state.z = z;
}

void Equilibrium::update() {
  const system::Sizes sizes = system_.sizes();
  if (steady_) set_steady(motion_);
  const Vector& scale = system_.displacement_scale();
  const DenseTangent mass = dense_tangent(system_, motion_, {.acceleration = 1.0});
  M_ = mass.K;
  G_ = mass.G;
  N_ = subspaces(G_, scale).allowed;
  // The multipliers that balance the loads best.
  motion_.lambda.setZero();
  Vector constraint;
  system_.residual(motion_, r_, constraint);
  const Vector unbalanced = scale.asDiagonal() * (r_ - share_ * held_);
  if (sizes.multipliers() > 0) {
    const Matrix rows = (G_ * scale.asDiagonal()).transpose();
    motion_.lambda = rows.completeOrthogonalDecomposition().solve(-unbalanced);
  }
  system_.residual(motion_, r_, constraint);
  system_.position_constraint(motion_.state, g_);
  K_ = dense_tangent(system_, motion_, {.position = 1.0}).K;
  if (steady_ && !motion_.state.v.isZero(0.0)) {
    // What moves along changes with the position, too.
    const MotionDerivatives derivatives(system_, motion_);
    K_ = derivatives.by_position([&](const system::Motion& motion) {
      system::Motion moving = motion;
      set_steady(moving);
      Vector r;
      Vector rows;
      system_.residual(moving, r, rows);
      return r;
    });
  }
  update_states();
  find_round_off();
}

// Positions that are known to e give loads that are known to |K| e, which a stiff system does not
// have in balance any better under small loads; likewise rows and rates.
void Equilibrium::find_round_off() {
  constexpr double margin = constraint_handling::round_off_margin;
  constexpr double eps = margin * std::numeric_limits<double>::epsilon();
  Vector e;
  system::position_round_off(system_, motion_.state, e);
  e *= margin;
  Vector f;
  system_.forces(motion_.state, f);
  const Vector loads = K_.cwiseAbs() * e +
                       eps * (f.cwiseAbs() + G_.cwiseAbs().transpose() * motion_.lambda.cwiseAbs());
  load_round_off_ = N_.cwiseAbs().transpose() * loads;
  row_round_off_ = G_.cwiseAbs() * e;
  if (s_.size() > 0) {
    rate_round_off_ = S_q_.cwiseAbs() * e + eps * S_z_.cwiseAbs() * motion_.state.z.cwiseAbs();
  }
}

Vector Equilibrium::out_of_balance() const {
  return N_.transpose() * (r_ - share_ * held_);
}

double Equilibrium::error() const {
  return std::max({largest(out_of_balance()) / load_, largest(g_) / system_.size(), largest(s_)});
}

bool Equilibrium::rests(double tolerance) const {
  const auto within = [](const Vector& x, double limit, const Vector& round_off) {
    return (x.array().abs() <= limit + round_off.array()).all();
  };
  return within(out_of_balance(), tolerance * load_, load_round_off_) &&
         within(g_, tolerance * system_.size(), row_round_off_) &&
         within(s_, tolerance, rate_round_off_);
}

void Equilibrium::hold_present() {
  held_ = r_;
  share_ = 1.0;
}

Matrix Equilibrium::reduced_stiffness() const {
  Matrix K = N_.transpose() * K_ * N_;
  if (s_.size() > 0) K -= N_.transpose() * F_ * states_by_freedoms();
  return K;
}

double Equilibrium::newton_step(double longest) {
  const Vector& scale = system_.displacement_scale();
  Vector x = Vector::Zero(scale.size());
  if (G_.rows() > 0) {
    const Matrix rows = G_ * scale.asDiagonal();
    x = scale.asDiagonal() * rows.completeOrthogonalDecomposition().solve(-g_);
  }
  const Eigen::Index freedoms = N_.cols();
  Matrix left = Matrix::Zero(freedoms + s_.size(), freedoms + s_.size());
  Vector right(freedoms + s_.size());
  left.topLeftCorner(freedoms, freedoms) = N_.transpose() * K_ * N_ / load_;
  right.head(freedoms) = -(out_of_balance() + N_.transpose() * K_ * x) / load_;
  if (s_.size() > 0) {
    // States in their own sizes; first those that s determines, then those that follow the way.
    const Vector inverse = state_size_.cwiseInverse();
    const Matrix held = held_states_.transpose() * inverse.asDiagonal();
    const Matrix free = free_states_.transpose() * inverse.asDiagonal();
    left.topRightCorner(freedoms, s_.size()) =
        -N_.transpose() * F_ * state_size_.asDiagonal() / load_;
    left.block(freedoms, 0, held.rows(), freedoms) = held * S_q_ * N_;
    left.block(freedoms, freedoms, held.rows(), s_.size()) = held * S_z_ * state_size_.asDiagonal();
    right.segment(freedoms, held.rows()) = -held * (s_ + S_q_ * x);
    left.bottomLeftCorner(free.rows(), freedoms) = -free * S_v_ * N_;
    left.bottomRightCorner(free.rows(), s_.size()) = free_states_.transpose();
    right.tail(free.rows()) = free * S_v_ * x;
  }
  const Vector solution = least_displacement(left, right);
  x += N_ * solution.head(freedoms);
  const double size = scaled_size(x, scale);
  if (!std::isfinite(size)) return NAN;
  const double factor = size > longest ? longest / size : 1.0;
  const Vector from = motion_.state.q;
  system_.retract(from, factor * x, motion_.state.q);
  if (s_.size() > 0) {
    carry_states(from, factor * x);
    const Vector scaled = solution.tail(s_.size());
    motion_.state.z +=
        factor * state_size_.cwiseProduct(held_states_ * (held_states_.transpose() * scaled));
  }
  moved();
  update();
  return size;
}

void Equilibrium::moved() {
  system_.accept(motion_.state);
  // Two bodies that turn by this against each other stay below half a revolution.
  constexpr double apart = 0.5;
  Vector way;
  system_.logarithm(trail_.back().q, motion_.state.q, way);
  if (scaled_size(way, system_.displacement_scale()) > apart) trail_.push_back(motion_.state);
}

void Equilibrium::return_to(const Mark& mark) {
  for (; trail_.size() > mark.passed; trail_.pop_back()) system_.accept(trail_.back());
  system_.accept(trail_.back());
  motion_ = mark.motion;
  system_.accept(motion_.state);
}

bool Equilibrium::move(const Vector& x) {
  system::State state = motion_.state;
  system_.retract(motion_.state.q, x, state.q);
  constraint_handling::ConsistentStart closure(system_);
  if (!closure.positions(state, {}).converged) return false;
  if (s_.size() > 0) {
    Vector way;
    system_.logarithm(motion_.state.q, state.q, way);
    carry_states(motion_.state.q, way);
  }
  motion_.state.q = state.q;
  moved();
  return true;
}

}  // namespace trammel::analysis
