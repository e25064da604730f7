#include "trammel/analysis/linear_terms.h"

#include <algorithm>
#include <cmath>

#include "trammel/analysis/central_difference.h"
#include "trammel/analysis/linear_coordinates.h"
#include "trammel/constraint_handling/acceleration_constraint.h"

namespace trammel::analysis {

MotionDerivatives::MotionDerivatives(const system::MechanicalSystem& system,
                                     const system::Motion& motion)
    : system_(system), motion_(motion) {}

Matrix MotionDerivatives::by_position(const Function& f) const {
  const Vector& scale = system_.displacement_scale();
  system::Motion moved = motion_;
  Vector x = Vector::Zero(scale.size());
  Matrix result(f(motion_).size(), scale.size());
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    result.col(i) = central_difference([&](double s) {
                      x[i] = s * scale[i];
                      system_.retract(motion_.state.q, x, moved.state.q);
                      return f(moved);
                    }) /
                    scale[i];
    x[i] = 0.0;
  }
  return result;
}

Matrix MotionDerivatives::by_part(Vector& part,
                                  system::Motion& motion,
                                  const Vector& size,
                                  const Function& f) const {
  Matrix result(f(motion).size(), part.size());
  const Vector start = part;
  for (Eigen::Index i = 0; i < part.size(); ++i) {
    result.col(i) = central_difference([&](double s) {
                      part[i] = start[i] + s * size[i];
                      return f(motion);
                    }) /
                    size[i];
    part[i] = start[i];
  }
  return result;
}

Matrix MotionDerivatives::by_velocity(const Function& f) const {
  const Vector& scale = system_.displacement_scale();
  system::Motion motion = motion_;
  const Vector size = scale * std::max(1.0, scaled_size(motion.state.v, scale));
  return by_part(motion.state.v, motion, size, f);
}

Matrix MotionDerivatives::by(Vector system::Motion::*part, const Function& f) const {
  system::Motion motion = motion_;
  const double size = std::max(1.0, largest(motion.*part));
  return by_part(motion.*part, motion, Vector::Constant((motion.*part).size(), size), f);
}

Matrix MotionDerivatives::by_acceleration(const Function& f) const {
  return by(&system::Motion::a, f);
}

Matrix MotionDerivatives::by_multiplier(const Function& f) const {
  return by(&system::Motion::lambda, f);
}

Matrix MotionDerivatives::by_state(const Function& f) const {
  system::Motion motion = motion_;
  const double size = std::max(1.0, largest(motion.state.z));
  return by_part(motion.state.z, motion, Vector::Constant(motion.state.z.size(), size), f);
}

namespace {

void add_constraint_terms(model::ModelSystem& system,
                          const MotionDerivatives& derivatives,
                          LinearTerms& terms) {
  terms.W = derivatives.by_position([&](const system::Motion& motion) {
    Vector rows;
    system.velocity_constraint(motion.state, rows);
    return rows;
  });
  constraint_handling::AccelerationConstraint constraint(system);
  const auto acceleration = [&](const system::Motion& motion) {
    Vector rows;
    constraint(motion.state, motion.a, rows);
    return rows;
  };
  terms.P = derivatives.by_position(acceleration);
  terms.Q = derivatives.by_velocity(acceleration);
}

void add_state_terms(model::ModelSystem& system,
                     const MotionDerivatives& derivatives,
                     LinearTerms& terms) {
  const system::Sizes sizes = system.sizes();
  terms.F.setZero(sizes.v, sizes.z);
  terms.S_q.setZero(sizes.z, sizes.v);
  terms.S_v.setZero(sizes.z, sizes.v);
  terms.S_z.setZero(sizes.z, sizes.z);
  system::FirstOrderStates* states = system.first_order_states();
  if (states == nullptr) return;
  terms.F = derivatives.by_state([&](const system::Motion& motion) {
    Vector f;
    system.forces(motion.state, f);
    return f;
  });
  const auto rates = [&](const system::Motion& motion) {
    Vector rates;
    states->rates(motion.state, rates);
    return rates;
  };
  terms.S_q = derivatives.by_position(rates);
  terms.S_v = derivatives.by_velocity(rates);
  terms.S_z = derivatives.by_state(rates);
}

}  // namespace

LinearTerms linear_terms(model::ModelSystem& system, const system::Motion& motion) {
  const system::Sizes sizes = system.sizes();
  const MotionDerivatives derivatives(system, motion);
  LinearTerms terms;
  const DenseTangent mass = dense_tangent(system, motion, {.acceleration = 1.0});
  terms.G = mass.G;
  terms.K = dense_tangent(system, motion, {.position = 1.0}).K;
  terms.D = dense_tangent(system, motion, {.velocity = 1.0}).K;
  terms.B = displacement_rate(system, motion.state.v);
  add_constraint_terms(system, derivatives, terms);
  add_state_terms(system, derivatives, terms);
  Matrix equations = Matrix::Zero(sizes.v + sizes.multipliers(), sizes.v + sizes.multipliers());
  equations.topLeftCorner(sizes.v, sizes.v) = mass.K;
  equations.topRightCorner(sizes.v, sizes.multipliers()) = mass.G.transpose();
  equations.bottomLeftCorner(sizes.multipliers(), sizes.v) = mass.G;
  if (system::ConstraintDependentForces* loads = system.constraint_dependent_forces()) {
    equations.topRightCorner(sizes.v, sizes.multipliers()) -=
        derivatives.by_multiplier([&](const system::Motion& changed) {
          Vector h;
          loads->constraint_dependent_forces(changed, h);
          return h;
        });
  }
  terms.size.resize(equations.rows());
  for (int i = 0; i < sizes.v; ++i) terms.size[i] = 1.0 / std::sqrt(equations(i, i));
  for (int i = sizes.v; i < equations.rows(); ++i) {
    const double length =
        equations.row(i).head(sizes.v).cwiseProduct(terms.size.head(sizes.v).transpose()).norm();
    terms.size[i] = length > 0.0 ? 1.0 / length : 1.0;
  }
  terms.equations.setThreshold(1e-11);
  terms.equations.compute(terms.size.asDiagonal() * equations * terms.size.asDiagonal());
  return terms;
}

}  // namespace trammel::analysis
