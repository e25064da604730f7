#include "trammel/integrators/radau.h"

#include <algorithm>
#include <cmath>

#include "trammel/integrators/radau_table.h"

namespace trammel::integrators {

using system::Vector;

Radau::Radau(system::MechanicalSystem& system, AdaptiveOptions options)
    : AdaptiveIntegrator(system, std::move(options)),
      matrices_(equations_.system(), options_.solver) {}

void Radau::restart() {
  const system::Sizes& sizes = equations_.sizes();
  base_ = now_;
  probe_ = now_;
  equations_.regroup(base_.lambda);
  equations_.make_unique(now_);
  for (std::size_t i = 0; i < stages; ++i) {
    level_[i] = base_;
    last_lambda_[i] = base_.lambda;
    for (Vector* v : {&y_stage_[i], &y_before_[i], &last_[i], &powers_[i]}) {
      v->setZero(equations_.size());
    }
    residual_[i].setZero(sizes.v);
    rates_[i].setZero(sizes.v);
    rows_[i].setZero(sizes.multipliers());
  }
  for (Vector* v : {&iterate_, &error_, &delta_, &begin_}) v->setZero(equations_.size());
  for (Vector* v : {&x_, &dx_}) v->setZero(sizes.v);
  sum_.setZero(sizes.multipliers());
  right_side_.setZero(sizes.v + sizes.multipliers());
  solution_ = right_side_;
  pair_.setZero(right_side_.size());
  matrices_.forget();
  factored_h_ = 0.0;
  last_h_ = 0.0;
  rate_ = 1.0;
  multiplier_rate_ = 1.0;
  accepted_h_ = 0.0;
  accepted_error_ = 1e-2;
  rejected_ = false;
  careful_ = 0;
  first_ = true;
  h_ = first_step(3);
}

void Radau::resume(double wanted) {
  h_ = std::max(h_, wanted);
}

void Radau::shorten(double factor) {
  rejected_ = true;
  h_ *= factor;
}

// The origin follows; rates of x at the origin are v.
void Radau::begin_step() {
  const int n = equations_.sizes().v;
  equations_.recentre(y_);
  dy_.head(n) = y_.segment(n, n);
  fresh_ = false;
  if (!equations_.begin_step(t_, y_)) return;
  // Other rows are left out than before: multipliers of before do not go with those to come.
  equations_.regroup(base_.lambda);
  matrices_.forget();
  last_h_ = 0.0;
}

bool Radau::attempt(Failure& failure) {
  begin_step();
  equations_.set_weights(y_);
  failure = solve();
  if (failure == Failure::none) {
    iterate_ = y_ + y_stage_[stages - 1];
    if (!equations_.resolved(y_, iterate_)) failure = Failure::unresolved;
  }
  if (failure != Failure::none) {
    if (failure == Failure::not_finite) last_h_ = 0.0;  // what goes on may be what is wrong
    careful_ = careful_steps;
    shorten(failure == Failure::diverged || failure == Failure::slow ? 0.5 : 0.25);
    return false;
  }
  add_work();
  const double h = h_;
  const double error = estimate_error();
  if (!(error <= 1.0)) {
    failure = Failure::tolerance;
    const double factor = 0.9 * std::pow(error, -0.25);
    shorten(first_ ? 0.1 : std::isfinite(factor) ? std::clamp(factor, 0.125, 0.9) : 0.125);
    return false;
  }
  if (!accept(failure)) {
    shorten(0.25);
    return false;
  }
  count_step(equations_.position_size(error_));
  choose_next(h, error);
  return true;
}

// Of the stages, and of the end.
void Radau::add_work() {
  const int n = equations_.work_size();
  if (n == 0) return;
  const RadauTable& table = radau_table();
  for (std::size_t i = 0; i < stages; ++i) equations_.powers(level_[i], powers_[i]);
  for (std::size_t i = 0; i < stages; ++i) {
    auto work = y_stage_[i].tail(n);
    work.setZero();
    for (std::size_t j = 0; j < stages; ++j) {
      work += h_ * table.a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) *
              powers_[j].tail(n);
    }
  }
  iterate_.tail(n) = y_.tail(n) + y_stage_[stages - 1].tail(n);
}

double Radau::estimate_error() {
  equations_.state(t_, y_, probe_.state);
  double error = filtered_error();
  if (error >= 1.0 && (first_ || rejected_)) {
    // Once more, at y_n + e.
    delta_ = y_ + error_;
    equations_.state(t_, delta_, probe_.state);
    error = filtered_error();
  }
  return error;
}

// With y'_n at the state of probe_; e into error_.
double Radau::filtered_error() {
  const RadauTable& table = radau_table();
  const system::Sizes& sizes = equations_.sizes();
  const int n = sizes.v;
  const double c = h_ * table.real;
  error_.setZero();
  for (std::size_t i = 0; i < stages; ++i) {
    error_ += table.error[static_cast<Eigen::Index>(i)] / h_ * y_stage_[i];
  }
  // M (y'_n + 1/h sum) of velocities is -r with minus that sum for v', and so with the mass of
  // here: that of the factors may be of some steps ago, and its change would count as an error.
  ++evaluations_;
  probe_.a = -error_.segment(n, n);
  probe_.lambda = base_.lambda;
  equations_.system().residual(probe_, residual_[0], constraint_);
  x_ = error_.head(n) + probe_.state.v;
  matrices_.stiffness_times(x_, rates_[0]);
  right_side_.setZero();
  right_side_.head(n) = -c * (residual_[0] + c * rates_[0]);
  matrices_.solve(right_side_, solution_);
  error_.segment(n, n) = solution_.head(n);
  error_.head(n) = c * (solution_.head(n) + x_);
  if (sizes.z > 0) {
    equations_.system().first_order_states()->rates(probe_.state, state_rates_);
    state_rates_ = c * (state_rates_ + error_.segment(2 * n, sizes.z));
    error_.segment(2 * n, sizes.z) = state_factors_.solve(state_rates_);
  }
  const int w = equations_.work_size();
  error_.tail(w) = c * (error_.tail(w) + dy_.tail(w));
  return std::max(equations_.norm(error_), equations_.energy_norm(t_ + h_, iterate_, error_));
}

bool Radau::accept(Failure& failure) {
  if (!equations_.project(t_ + h_, iterate_, matrices_)) {
    failure = Failure::projection;
    return false;
  }
  system::Motion& end = level_[stages - 1];
  equations_.state(t_ + h_, iterate_, end.state);
  begin_ = y_;
  y_ = iterate_;
  const double moved = equations_.position_size(y_stage_[stages - 1]);
  statistics_.largest_displacement = std::max(statistics_.largest_displacement, moved);
  for (std::size_t i = 0; i < stages; ++i) {
    last_[i].swap(y_stage_[i]);
    last_lambda_[i] = level_[i].lambda;
  }
  last_h_ = h_;
  t_ += h_;
  base_ = end;
  now_ = end;
  now_.state.t = t_;
  equations_.make_unique(now_);
  const int n = equations_.sizes().v;
  dy_.segment(n, n) = base_.a;
  if (equations_.sizes().z > 0) {
    equations_.system().first_order_states()->rates(base_.state, state_rates_);
    dy_.segment(2 * n, equations_.sizes().z) = state_rates_;
  }
  dy_.tail(equations_.work_size()) = powers_[stages - 1].tail(equations_.work_size());
  return true;
}

// The predictive controller of [Gustafsson 1994]; a size that would hardly grow stays, so that the
// factors do.
void Radau::choose_next(double h, double error) {
  constexpr double safety = 0.9;
  constexpr int most = 8;
  const double effort = safety * (2.0 * most + 1.0) / (2.0 * most + newton_iterations_);
  const double bounded = std::max(error, 1e-10);
  double quotient = std::clamp(std::pow(bounded, 0.25) / effort, 1.0 / 8.0, 5.0);
  if (accepted_h_ > 0.0) {
    const double predicted =
        accepted_h_ / h * std::pow(bounded * bounded / accepted_error_, 0.25) / safety;
    quotient = std::max(quotient, std::clamp(predicted, 1.0 / 8.0, 5.0));
  }
  accepted_h_ = h;
  accepted_error_ = std::max(bounded, 1e-2);
  if (rejected_) quotient = std::max(quotient, 1.0);
  // Newton's iteration did not follow a longer step not long ago.
  if (careful_ > 0) quotient = std::max(quotient, 0.8);
  careful_ = std::max(0, careful_ - 1);
  constexpr double hardly = 1.0 / 1.2;
  h_ = quotient <= 1.0 && quotient >= hardly ? h : h / quotient;
  rejected_ = false;
  first_ = false;
}

void Radau::interpolate(double t, Vector& y) {
  const RadauWeights weights(1.0 - (t_ - t) / last_h_);
  y = begin_;
  for (std::size_t i = 0; i < stages; ++i) {
    y += weights.value[static_cast<Eigen::Index>(i)] * last_[i];
  }
}

bool Radau::look_between(double t) {
  interpolate(t, iterate_);
  if (!equations_.project(t, iterate_, matrices_)) return false;
  equations_.state(t, iterate_, now_.state);
  const RadauWeights weights(1.0 - (t_ - t) / last_h_);
  const int n = equations_.sizes().v;
  now_.a.setZero();
  now_.lambda.setZero();
  for (std::size_t i = 0; i < stages; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    now_.a += weights.slope[k] / last_h_ * last_[i].segment(n, n);
    now_.lambda += weights.multiplier[k] * last_lambda_[i];
  }
  equations_.make_unique(now_);
  work_ = equations_.work(iterate_);
  return true;
}

std::size_t Radau::memory_bytes() const {
  const system::Sizes& s = equations_.sizes();
  const auto numbers = static_cast<std::size_t>(17 * equations_.size() + 30 * s.v + 5 * s.q +
                                                14 * s.multipliers() + 10 * s.z * s.z);
  return numbers * sizeof(double) + matrices_.memory_bytes() + equations_.memory_bytes();
}

}  // namespace trammel::integrators
