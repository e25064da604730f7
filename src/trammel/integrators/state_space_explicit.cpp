#include "trammel/integrators/state_space_explicit.h"

namespace trammel::integrators {

using system::Vector;

StateSpaceExplicit::StateSpaceExplicit(system::MechanicalSystem& system,
                                       StateSpaceOptions options,
                                       ExplicitRule rule)
    : StateSpaceIntegrator(system, std::move(options)),
      rule_(rule),
      book_(system.sizes().v > 0 ? system.energy_book() : nullptr) {}

void StateSpaceExplicit::begin() {
  last_h_ = 0.0;
  before_ = now_;
  x_.setZero(form_.sizes().v);
  resize();
}

// The coordinates may have changed.
void StateSpaceExplicit::resize() {
  np_ = form_.position_freedoms();
  nd_ = form_.freedoms();
  nz_ = form_.sizes().z;
  const int size = np_ + nd_ + nz_ + (book_ != nullptr ? 3 : 0);
  for (Vector* v : {&y_, &stage_, &sum_}) v->setZero(size);
  for (Vector& k : k_) k.setZero(size);
}

void StateSpaceExplicit::add_powers(const system::Motion& motion, Vector& f) {
  if (book_ == nullptr) return;
  unique_ = motion;
  form_.make_unique(unique_);
  const system::Power power = book_->power(unique_);
  f.tail<3>() << power.dissipated, power.loads, power.drives;
}

void StateSpaceExplicit::known_rates(const system::Motion& motion, const Vector& x, Vector& f) {
  form_.system().inverse_tangent(x, motion.state.v, dx_);
  form_.project_position(dx_, p_);
  f.head(np_) = p_;
  form_.project_velocity(motion.a, s_);
  f.segment(np_, nd_) = s_;
  if (nz_ > 0) {
    form_.system().first_order_states()->rates(motion.state, rates_);
    f.segment(np_ + nd_, nz_) = rates_;
  }
  add_powers(motion, f);
}

Failure StateSpaceExplicit::rates(double t, const Vector& y, Vector& f) {
  p_ = y.head(np_);
  if (const Failure failure = form_.set_positions(t, p_); failure != Failure::none) return failure;
  s_ = y.segment(np_, nd_);
  form_.set_velocities(s_);
  form_.motion().state.z = y.segment(np_ + nd_, nz_);
  if (!form_.accelerations(s_)) return Failure::singular;
  f.segment(np_, nd_) = s_;
  form_.position_rates(p_);
  f.head(np_) = p_;
  if (nz_ > 0) {
    form_.system().first_order_states()->rates(form_.motion().state, rates_);
    f.segment(np_ + nd_, nz_) = rates_;
  }
  if (!f.head(np_ + nd_ + nz_).allFinite()) return Failure::not_finite;
  add_powers(form_.motion(), f);
  return Failure::none;
}

Failure StateSpaceExplicit::advance(double t, double h, int& /*iterations*/) {
  resize();
  y_.setZero();
  form_.project_velocity(now_.state.v, s_);
  y_.segment(np_, nd_) = s_;
  y_.segment(np_ + nd_, nz_) = now_.state.z;
  if (book_ != nullptr) y_.tail<3>() << work_.dissipated, work_.loads, work_.drives;
  x_.setZero();
  known_rates(now_, x_, k_[0]);
  return rule_ == ExplicitRule::rk4 ? take_rk4(t, h) : take_abm2(t, h);
}

Failure StateSpaceExplicit::take_abm2(double t, double h) {
  stage_ = y_ + h * k_[0];
  if (last_h_ > 0.0) {
    form_.system().logarithm(now_.state.q, before_.state.q, x_);
    known_rates(before_, x_, k_[1]);
    stage_ += 0.5 * h * h / last_h_ * (k_[0] - k_[1]);
  }
  if (const Failure failure = rates(t, stage_, k_[1]); failure != Failure::none) return failure;
  sum_ = y_ + 0.5 * h * (k_[0] + k_[1]);
  return rates(t, sum_, k_[1]);
}

Failure StateSpaceExplicit::take_rk4(double t, double h) {
  const double middle = t - 0.5 * h;
  stage_ = y_ + 0.5 * h * k_[0];
  if (const Failure failure = rates(middle, stage_, k_[1]); failure != Failure::none) {
    return failure;
  }
  stage_ = y_ + 0.5 * h * k_[1];
  if (const Failure failure = rates(middle, stage_, k_[2]); failure != Failure::none) {
    return failure;
  }
  stage_ = y_ + h * k_[2];
  if (const Failure failure = rates(t, stage_, k_[3]); failure != Failure::none) return failure;
  sum_ = y_ + h / 6.0 * (k_[0] + 2.0 * k_[1] + 2.0 * k_[2] + k_[3]);
  return rates(t, sum_, k_[3]);
}

void StateSpaceExplicit::keep(double h) {
  before_ = now_;
  last_h_ = h;
  if (book_ == nullptr) return;
  const auto w = sum_.tail<3>();
  work_ = {.dissipated = w[0], .loads = w[1], .drives = w[2]};
}

}  // namespace trammel::integrators
