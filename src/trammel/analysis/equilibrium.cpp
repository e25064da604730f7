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

Equilibrium::Equilibrium(model::ModelSystem& system, const system::State& state)
    : system_(system), motion_(motion_of(system, state)) {
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

void Equilibrium::update() {
  const system::Sizes sizes = system_.sizes();
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
  if (system::FirstOrderStates* states = system_.first_order_states()) {
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
    S_z_ = derivatives.by_state(rates);
  }
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
  if (s_.size() > 0) {
    K += N_.transpose() * F_ * S_z_.completeOrthogonalDecomposition().solve(S_q_ * N_);
  }
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
    left.topRightCorner(freedoms, s_.size()) = -N_.transpose() * F_ / load_;
    left.bottomLeftCorner(s_.size(), freedoms) = S_q_ * N_;
    left.bottomRightCorner(s_.size(), s_.size()) = S_z_;
    right.tail(s_.size()) = -s_ - S_q_ * x;
  }
  const Vector solution = least_displacement(left, right);
  x += N_ * solution.head(freedoms);
  const double size = scaled_size(x, scale);
  if (!std::isfinite(size)) return NAN;
  const double factor = size > longest ? longest / size : 1.0;
  system_.retract(motion_.state.q, factor * x, motion_.state.q);
  if (s_.size() > 0) motion_.state.z += factor * solution.tail(s_.size());
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
  motion_.state.q = state.q;
  moved();
  return true;
}

}  // namespace trammel::analysis
