#include "trammel/integrators/adams.h"

#include <algorithm>
#include <cmath>

namespace trammel::integrators {

using system::Vector;

Adams::Adams(system::MechanicalSystem& system, AdaptiveOptions options)
    : AdaptiveIntegrator(system, std::move(options)) {
  // gamma_m = -sum_{j<m} gamma_j/(m + 1 - j), of which absolute values are kept.
  gamma_[0] = 1.0;
  for (std::size_t m = 1; m < gamma_.size(); ++m) {
    for (std::size_t j = 0; j < m; ++j) {
      gamma_[m] -= gamma_[j] / static_cast<double>(m + 1 - j);
    }
  }
  for (double& gamma : gamma_) gamma = std::abs(gamma);
}

void Adams::restart() {
  const int room = options_.most_order + 2;
  differences_.begin(t_, dy_, room);
  history_.begin(equations_, room, now_.state);
  if (equations_.curved()) {
    rebuilt_.assign(at(room), Vector::Zero(equations_.sizes().v));
    x_.setZero(equations_.sizes().v);
    dx_.setZero(equations_.sizes().v);
  }
  for (Vector* v : {&predicted_, &rates_, &first_rates_, &correction_, &work_}) {
    v->setZero(equations_.size());
  }
  order_ = 1;
  step_order_ = 1;
  equal_steps_ = 0;
  failures_ = 0;
  starting_ = true;
  h_ = first_step(1);
}

// g_0 ... g_k and beta_0 ... beta_{k-1}.
void Adams::set_weights_of(double h) {
  const int k = order_;
  differences_.betas(h, k, beta_);
  Coefficients c{};
  for (int q = 1; q <= k + 1; ++q) c[at(q)] = 1.0 / q;
  g_[0] = 1.0;
  for (int j = 1; j <= k; ++j) {
    const double ratio = h / (h + differences_.psi(j - 1));
    for (int q = 1; q <= k + 1 - j; ++q) c[at(q)] -= c[at(q + 1)] * ratio;
    g_[at(j)] = c[1];
  }
}

// y* and, in correction_, minus its rates.
void Adams::predict(double h) {
  predicted_ = y_;
  correction_.setZero();
  for (int j = 0; j < order_; ++j) {
    predicted_ += h * g_[at(j)] * beta_[at(j)] * differences_[j];
    correction_ -= beta_[at(j)] * differences_[j];
  }
}

Adams::Estimates Adams::estimate(double h) {
  const int k = order_;
  Estimates estimates;
  estimates.same = h * gamma_[at(k)] * equations_.norm(correction_);
  if (k == 1) return estimates;
  work_ = correction_ + beta_[at(k - 1)] * differences_[k - 1];
  estimates.lower = h * gamma_[at(k - 1)] * equations_.norm(work_);
  if (k == 2) return estimates;
  work_ += beta_[at(k - 2)] * differences_[k - 2];
  estimates.lowest = h * gamma_[at(k - 2)] * equations_.norm(work_);
  return estimates;
}

bool Adams::lower_order_pays(const Estimates& e) const {
  if (order_ > 2) return std::max(e.lower, e.lowest) <= e.same;
  return order_ == 2 && e.lower <= 0.5 * e.same;
}

bool Adams::attempt(Failure& failure) {
  if (equations_.far(y_)) move_origin();
  const double h = h_;
  set_weights_of(h);
  predict(h);
  equations_.begin_step(t_, y_);
  constexpr double least_share = 0.2;
  equations_.set_weights(y_, equations_.share(h, least_share));
  if (!equations_.resolved(y_, predicted_)) {
    failure = Failure::unresolved;
    reject({});
    return false;
  }
  if (!equations_.rates(t_ + h, predicted_, first_rates_)) {
    failure = Failure::not_finite;
    fail();
    return false;
  }
  correction_ += first_rates_;
  const double constant = h * std::abs(g_[at(order_)] - g_[at(order_ - 1)]);
  Estimates estimates = estimate(h);
  work_ = constant * correction_;
  estimates.energy = equations_.energy_norm(t_ + h, predicted_, work_);
  const double error = std::max(equations_.norm(work_), estimates.energy);
  if (!(error <= 1.0)) {
    failure = Failure::tolerance;
    reject(estimates);
    return false;
  }
  const double position_error = equations_.position_size(work_);
  if (!correct(h, failure)) {
    if (failure == Failure::tolerance) {
      reject(estimates);
    } else {
      fail();
    }
    return false;
  }
  count_step(position_error);
  choose_next(h, estimates);
  return true;
}

void Adams::reject(const Estimates& estimates) {
  starting_ = false;
  equal_steps_ = 0;
  ++failures_;
  double factor = 0.5;
  const double error = std::max(estimates.same, estimates.energy);
  if (failures_ > 3 && error > 2.0) factor = std::sqrt(0.5 / error);
  if (lower_order_pays(estimates)) --order_;
  if (failures_ > 2) order_ = 1;
  h_ *= std::isfinite(factor) ? factor : 0.1;
}

// No rates, or no projection.
void Adams::fail() {
  starting_ = false;
  equal_steps_ = 0;
  ++failures_;
  order_ = 1;
  h_ *= 0.25;
}

bool Adams::correct(double h, Failure& failure) {
  work_ = predicted_ + h * g_[at(order_)] * correction_;
  if (!equations_.project(t_ + h, work_)) {
    failure = Failure::projection;
    return false;
  }
  if (!(equations_.missing_norm(t_ + h, work_) <= 1.0)) {
    failure = Failure::tolerance;
    return false;
  }
  if (!equations_.rates(t_ + h, work_, rates_)) {
    failure = Failure::not_finite;
    return false;
  }
  const double moved = h * equations_.position_size(rates_);
  statistics_.largest_displacement = std::max(statistics_.largest_displacement, moved);
  y_.swap(work_);
  watch_stability(h);
  differences_.add(h, rates_, order_);
  now_ = equations_.motion();
  t_ = now_.state.t;
  differences_.set_time(t_);
  history_.add(now_.state);
  step_order_ = order_;
  failures_ = 0;
  ++equal_steps_;
  return true;
}

void Adams::choose_next(double h, const Estimates& estimates) {
  const bool lower = lower_order_pays(estimates);
  if (lower || order_ == options_.most_order) starting_ = false;
  if (starting_) {
    ++order_;
    h_ = 2.0 * h;
    equal_steps_ = 0;
    return;
  }
  const double error = std::max(raise_order(h, estimates, lower), estimates.energy);
  constexpr double wanted = 0.5;
  if (wanted >= error * std::ldexp(1.0, order_ + 1)) {
    h_ = 2.0 * h;
    equal_steps_ = 0;
  } else if (wanted < error) {
    h_ = h * std::clamp(std::pow(wanted / error, 1.0 / (order_ + 1)), 0.5, 0.9);
    equal_steps_ = 0;
  }
}

// Sets the order of the next step; returns the error of this one with that order.
double Adams::raise_order(double h, const Estimates& e, bool lower) {
  const int k = order_;
  if (lower) {
    order_ = k - 1;
    return e.lower;
  }
  // The estimate of a higher order holds after steps of one size.
  if (equal_steps_ < k + 1 || k == options_.most_order || differences_.available() < k + 2) {
    return e.same;
  }
  const double higher = h * gamma_[at(k + 1)] * equations_.norm(differences_[k + 1]);
  if (k > 1 && e.lower <= std::min(e.same, higher)) {
    order_ = k - 1;
    return e.lower;
  }
  if (higher >= (k > 1 ? 1.0 : 0.5) * e.same) return e.same;
  order_ = k + 1;
  return higher;
}

// |df/dy| from the predicted and the corrected end. Steps that accuracy limits have h |df/dy| well
// below the border of the stability region.
void Adams::watch_stability(double h) {
  work_ = y_ - predicted_;
  const double distance = equations_.motion_norm(work_);
  work_ = rates_ - first_rates_;
  const double change = equations_.motion_norm(work_);
  constexpr double border = 0.8;
  constexpr int often = 40;
  if (h * change > border * distance && distance > 0.0) {
    if (++unstable_ == often) note_stiffness();
  } else if (unstable_ > 0) {
    --unstable_;
  }
}

// The rates of x in the coordinates of a new origin, as far back as turns can be told apart.
void Adams::move_origin() {
  equations_.recentre(y_);
  system::MechanicalSystem& system = equations_.system();
  for (int i = 0; i < differences_.available(); ++i) {
    system.logarithm(equations_.origin(), history_[i].q, x_);
    if (!equations_.near(x_)) differences_.keep(i);
    system.inverse_tangent(x_, history_[i].v, dx_);
    rebuilt_[at(i)] = dx_;
  }
  differences_.replace_head(rebuilt_);
  order_ = std::min(order_, differences_.available());
}

void Adams::interpolate(double t, Vector& y) {
  // The polynomial of the rates, integrated from t_n.
  const double s = t - t_;
  const int terms = std::min(step_order_ + 1, differences_.available());
  Coefficients w{};
  for (int i = 1; i <= terms; ++i) w[at(i)] = 1.0 / i;
  y = y_ + s * differences_[0];
  for (int j = 1; j < terms; ++j) {
    const double psi = differences_.psi(j);
    const double gamma = (s + differences_.psi(j - 1)) / psi;
    const double eta = s / psi;
    for (int i = 1; i <= terms - j; ++i) w[at(i)] = gamma * w[at(i)] - eta * w[at(i + 1)];
    y += s * w[1] * differences_[j];
  }
}

std::size_t Adams::memory_bytes() const {
  return 7 * static_cast<std::size_t>(equations_.size()) * sizeof(double) +
         differences_.memory_bytes() + history_.memory_bytes() + equations_.memory_bytes();
}

}  // namespace trammel::integrators
