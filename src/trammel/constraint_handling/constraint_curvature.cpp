#include "trammel/constraint_handling/constraint_curvature.h"

#include <array>

namespace trammel::constraint_handling {

using system::Vector;

namespace {

// f'(0) = sum over i of weight_i f(at_i d) / d, of fourth order.
constexpr std::array<double, 4> places{-2.0, -1.0, 1.0, 2.0};
constexpr std::array<double, 4> place_weights{1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
// Of the size of the model, or rad: what the formula leaves out and round-off are both some 1e-12.
constexpr double distance = 1e-3;

}  // namespace

ConstraintCurvature::ConstraintCurvature(system::MechanicalSystem& system)
    : system_(system), sizes_(system.sizes()) {
  zero_.setZero(sizes_.v);
  const Vector x = Vector::LinSpaced(sizes_.v, 0.3, 0.5);
  const Vector delta = Vector::LinSpaced(sizes_.v, 1.0, -0.7);
  system.inverse_tangent(x, delta, moved_);
  curved_ = moved_ != delta;
}

double ConstraintCurvature::size(const Vector& x) const {
  if (x.size() == 0) return 0.0;
  return x.cwiseQuotient(system_.displacement_scale()).lpNorm<Eigen::Infinity>();
}

const Vector& ConstraintCurvature::gamma(const Vector& v) {
  probe_.v = v;
  system_.acceleration_bias(probe_, gamma_);
  return gamma_;
}

void ConstraintCurvature::add_difference(const Vector& v,
                                         const Vector& w,
                                         double factor,
                                         Vector& rows) {
  const double length = size(w);
  if (length == 0.0) return;
  const double speed = size(v);
  const double c = (speed > 0.0 ? speed : 1.0) / length;
  moved_ = v + c * w;
  rows += factor / c * gamma(moved_);
  moved_ = v - c * w;
  rows -= factor / c * gamma(moved_);
}

void ConstraintCurvature::bracket(const Vector& w, const Vector& v, Vector& result) {
  // Far below the turn at which T is singular.
  const double length = size(w);
  result.setZero(sizes_.v);
  if (length == 0.0) return;
  const double c = 0.5 / length;
  moved_ = c * w;
  system_.inverse_tangent(moved_, v, plus_);
  moved_ *= -1.0;
  system_.inverse_tangent(moved_, v, minus_);
  result = (plus_ - minus_) / c;
}

void ConstraintCurvature::add_bracket(const Vector& w, const Vector& v, Vector& rows) {
  if (!curved_) return;
  bracket(w, v, sum_);
  probe_.v = sum_;
  system_.velocity_constraint(probe_, plus_);
  probe_.v = zero_;
  system_.velocity_constraint(probe_, minus_);
  rows += 0.5 * (plus_ - minus_);
}

void ConstraintCurvature::move_to(const Vector& w, double way) {
  moved_ = way * w;
  system_.retract(origin_, moved_, probe_.q);
}

void ConstraintCurvature::set_nonholonomic(const Vector& v,
                                           const Vector& w,
                                           bool acceleration,
                                           Vector& rows) {
  if (sizes_.nonholonomic == 0) return;
  auto change = rows.tail(sizes_.nonholonomic);
  change.setZero();
  const double length = size(w);
  if (length == 0.0) return;
  const double d = distance / length;
  for (std::size_t i = 0; i < places.size(); ++i) {
    move_to(w, places[i] * d);
    probe_.v = v;
    system_.velocity_constraint(probe_, plus_);
    change += place_weights[i] / d * plus_.tail(sizes_.nonholonomic);
    if (!acceleration) continue;
    probe_.v = zero_;
    system_.velocity_constraint(probe_, minus_);
    change -= place_weights[i] / d * minus_.tail(sizes_.nonholonomic);
  }
  probe_.q = origin_;
}

void ConstraintCurvature::add_bias_change(const Vector& v, const Vector& w, Vector& rows) {
  const double length = size(w);
  if (length == 0.0) return;
  const double d = distance / length;
  for (std::size_t i = 0; i < places.size(); ++i) {
    move_to(w, places[i] * d);
    rows += place_weights[i] / d * gamma(v);
  }
  probe_.q = origin_;
}

void ConstraintCurvature::of_velocity(const system::State& state, const Vector& w, Vector& rows) {
  probe_ = state;
  origin_ = state.q;
  rows.setZero(sizes_.multipliers());
  if (rows.size() == 0) return;
  add_difference(state.v, w, 0.25, rows);
  add_bracket(w, state.v, rows);
  set_nonholonomic(state.v, w, false, rows);
}

void ConstraintCurvature::of_acceleration(const system::Motion& motion,
                                          const Vector& w,
                                          const Vector& v_w,
                                          Vector& rows) {
  const system::State& state = motion.state;
  probe_ = state;
  origin_ = state.q;
  rows.setZero(sizes_.multipliers());
  if (rows.size() == 0) return;
  add_difference(motion.a, w, 0.25, rows);
  add_difference(zero_, w, -0.25, rows);
  add_bracket(w, motion.a, rows);
  set_nonholonomic(motion.a, w, true, rows);
  add_bias_change(state.v, w, rows);
  add_difference(state.v, v_w, 0.5, rows);
}

}  // namespace trammel::constraint_handling
