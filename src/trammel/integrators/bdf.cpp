#include "trammel/integrators/bdf.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trammel::integrators {

using system::Vector;

namespace {

// Factor of the next step for an error at this order.
double growth(double error, int order) {
  return std::pow(2.0 * error + 1e-4, -1.0 / (order + 1));
}

}  // namespace

Bdf::Bdf(system::MechanicalSystem& system, AdaptiveOptions options)
    : AdaptiveIntegrator(system, std::move(options)),
      matrix_(equations_.system(), options_.solver) {}

void Bdf::restart() {
  const system::Sizes& sizes = equations_.sizes();
  h_ = first_step(1);
  equations_.regroup(now_.lambda);
  place_start();
  equations_.make_unique(now_);
  if (equations_.curved()) {
    rebuilt_.assign(at(options_.most_order + 2), Vector::Zero(sizes.v));
  }
  level_ = now_;
  for (Vector* v : {&iterate_, &slope_, &difference_, &delta_}) v->setZero(equations_.size());
  right_side_.setZero(sizes.v + sizes.multipliers());
  solution_ = right_side_;
  matrix_.forget();
  order_ = 1;
  step_order_ = 0;
  equal_steps_ = 0;
  failures_ = 0;
  starting_ = true;
  raised_ = false;
  refused_ = false;
}

// Two values are there from the start: y_0, and y_0 - h y_0' a step before it.
void Bdf::place_start() {
  const int room = options_.most_order + 2;
  h_ = t_ - (t_ - h_);  // as the differences will see it
  predicted_ = y_ - h_ * dy_;
  differences_.begin(t_ - h_, predicted_, room);
  differences_.add(h_, y_, 1);
  multipliers_.begin(t_ - h_, now_.lambda, room);
  multipliers_.add(h_, now_.lambda, 1);
  equations_.state(t_ - h_, predicted_, level_.state);
  history_.begin(equations_, room, level_.state);
  history_.add(now_.state);
}

// y*, y*' and the coefficients of the step.
void Bdf::predict() {
  const int k = order_;
  const double h = h_;
  double sum = 0.0;
  double alpha_sum = 0.0;
  alpha_[1] = 1.0;
  sigma_[1] = 1.0;
  for (int i = 1; i <= k + 1; ++i) {
    alpha_[at(i)] = h / (h + differences_.psi(i - 1));
    if (i > 1) sigma_[at(i)] = (i - 1) * sigma_[at(i - 1)] * alpha_[at(i)];
    if (i > k) continue;
    sum += 1.0 / i;
    alpha_sum += alpha_[at(i)];
  }
  c_ = h / sum;
  error_constant_ = std::max(alpha_[at(k + 1)], std::abs(alpha_[at(k + 1)] - sum + alpha_sum));
  differences_.value(h, k + 1, predicted_);
  differences_.rate(h, k + 1, slope_);
}

// A lower order has to pay for the motion and for the work: the multipliers of one order are not
// those of the next, and where the order changed the powers of drives show that for some steps.
Bdf::Estimates Bdf::estimate() {
  const int k = order_;
  Estimates e;
  e.same = sigma_[at(k + 1)] * equations_.norm(difference_);
  const double same = sigma_[at(k + 1)] * equations_.motion_norm(difference_);
  delta_ = error_constant_ * difference_;
  e.energy = equations_.energy_norm(t_ + h_, iterate_, delta_);
  if (k == 1) return e;
  std::array<double, ModifiedDifferences::most> beta{};
  differences_.betas(h_, k + 1, beta);
  delta_ = difference_ + beta[at(k)] * differences_[k];
  e.lower = sigma_[at(k)] * equations_.norm(delta_);
  const double lower = sigma_[at(k)] * equations_.motion_norm(delta_);
  e.lower_serves = k * lower <= (k + 1) * same;
  if (k == 2) {
    e.lower_pays = 2.0 * e.lower <= 0.5 * 3.0 * e.same && 2.0 * lower <= 0.5 * 3.0 * same;
    return e;
  }
  delta_ += beta[at(k - 1)] * differences_[k - 1];
  const double lowest = (k - 1) * sigma_[at(k - 1)] * equations_.norm(delta_);
  e.lower_pays = e.lower_serves && std::max(k * e.lower, lowest) <= (k + 1) * e.same;
  return e;
}

bool Bdf::attempt(Failure& failure) {
  if (equations_.far(y_)) move_origin();
  // A first step that was shortened moves the value before the start along.
  if (step_order_ == 0 && failures_ > 0) place_start();
  if (equations_.begin_step(t_, y_)) regroup_multipliers();
  predict();
  equations_.set_weights(y_);
  failure = equations_.resolved(y_, predicted_) ? solve() : Failure::unresolved;
  if (failure != Failure::none) {
    shorten();
    return false;
  }
  add_work();
  difference_ = iterate_ - predicted_;
  const Estimates estimates = estimate();
  const double error = std::max(error_constant_ * equations_.norm(difference_), estimates.energy);
  if (!(error <= 1.0)) {
    failure = Failure::tolerance;
    reject(estimates);
    return false;
  }
  const double higher = estimate_higher();
  const double position_error = error_constant_ * equations_.position_size(difference_);
  if (!accept(failure)) {
    shorten();
    return false;
  }
  count_step(position_error);
  choose_next(estimates, higher);
  return true;
}

// Where other rows are left out than before: multipliers of before do not go with those to come.
void Bdf::regroup_multipliers() {
  matrix_.forget();
  rows_ = multipliers_[0];
  equations_.regroup(rows_);
  multipliers_.begin(t_ - h_, rows_, options_.most_order + 2);
  multipliers_.add(h_, rows_, 1);
}

void Bdf::reject(const Estimates& estimates) {
  refused_ = true;
  starting_ = false;
  equal_steps_ = 0;
  ++failures_;
  if (failures_ == 1) {
    if (estimates.lower_pays) --order_;
    const double error =
        std::max(estimates.lower_pays ? estimates.lower : estimates.same, estimates.energy);
    const double factor = 0.9 * growth(error, order_);
    h_ *= std::isfinite(factor) ? std::clamp(factor, 0.25, 0.9) : 0.25;
    return;
  }
  if (failures_ > 2) order_ = 1;
  h_ *= 0.25;
}

// Newton or the projection failed.
void Bdf::shorten() {
  starting_ = false;
  equal_steps_ = 0;
  ++failures_;
  if (failures_ > 3) order_ = 1;
  h_ *= 0.25;
}

// The error of a step of one order more; infinite where it is not known.
double Bdf::estimate_higher() {
  const int k = order_;
  const bool known =
      k < options_.most_order && equal_steps_ > k && !raised_ && differences_.available() > k + 1;
  if (!known) return std::numeric_limits<double>::infinity();
  delta_ = difference_ - differences_[k + 1];
  return equations_.norm(delta_) / (k + 2);
}

bool Bdf::accept(Failure& failure) {
  if (!equations_.project(t_ + h_, iterate_, matrix_)) {
    failure = Failure::projection;
    return false;
  }
  equations_.state(t_ + h_, iterate_, level_.state);
  raised_ = order_ > step_order_ && step_order_ > 0;
  step_order_ = order_;
  failures_ = 0;
  ++equal_steps_;
  differences_.add(h_, iterate_, order_);
  multipliers_.add(h_, level_.lambda, order_);
  y_ = iterate_;
  t_ += h_;
  now_ = level_;
  equations_.make_unique(now_);
  history_.add(now_.state);
  const double moved = h_ * equations_.position_size(slope_);
  statistics_.largest_displacement = std::max(statistics_.largest_displacement, moved);
  return true;
}

// w = w* + c (w' - w*'): explicit, since nothing depends on w.
void Bdf::add_work() {
  const int n = equations_.work_size();
  equations_.powers(level_, delta_);
  iterate_.tail(n) = predicted_.tail(n) + c_ * (delta_.tail(n) - slope_.tail(n));
}

void Bdf::choose_next(const Estimates& e, double higher) {
  const int k = order_;
  if (e.lower_pays || k == options_.most_order) starting_ = false;
  if (starting_) {
    ++order_;
    h_ *= 2.0;
    equal_steps_ = 0;
    return;
  }
  double error = e.same;
  const double scaled = (k + 1) * e.same;
  const double scaled_higher = (k + 2) * higher;
  if (e.lower_pays || (std::isfinite(higher) && k > 1 && e.lower_serves &&
                       k * e.lower <= std::min(scaled, scaled_higher))) {
    order_ = k - 1;
    error = e.lower;
  } else if (scaled_higher < (k > 1 ? 1.0 : 0.5) * scaled) {
    order_ = k + 1;
    error = higher;
  }
  const double factor = growth(std::max(error, e.energy), order_);
  // Not soon after a longer step was refused: stiff components answer to a change of step, and one
  // that is doubled and refused again and again never sees that a higher order would do.
  if (equal_steps_ > k + 1) refused_ = false;
  if (factor >= 2.0 && !refused_) {
    h_ *= 2.0;
    equal_steps_ = 0;
  } else if (factor <= 1.0) {
    h_ *= std::clamp(factor, 0.5, 0.9);
    equal_steps_ = 0;
  }
}

// The values of x in the coordinates of a new origin, as far back as turns can be told apart.
void Bdf::move_origin() {
  equations_.recentre(y_);
  for (int i = 0; i < differences_.available(); ++i) {
    equations_.system().logarithm(equations_.origin(), history_[i].q, x_);
    if (!equations_.near(x_)) differences_.keep(i);
    rebuilt_[at(i)] = x_;
  }
  differences_.replace_head(rebuilt_);
  order_ = std::min(order_, differences_.available() - 1);
}

void Bdf::interpolate(double t, Vector& y) {
  differences_.value(t - t_, step_order_ + 1, y);
}

bool Bdf::look_between(double t) {
  interpolate(t, iterate_);
  if (!equations_.project(t, iterate_, matrix_)) return false;
  equations_.state(t, iterate_, now_.state);
  differences_.rate(t - t_, step_order_ + 1, slope_);
  const int n = equations_.sizes().v;
  now_.a = slope_.segment(n, n);
  multipliers_.value(t - t_, std::min(step_order_ + 1, multipliers_.available()), now_.lambda);
  equations_.make_unique(now_);
  work_ = equations_.work(iterate_);
  return true;
}

std::size_t Bdf::memory_bytes() const {
  const system::Sizes& s = equations_.sizes();
  const auto numbers = static_cast<std::size_t>(6 * equations_.size() + 6 * s.v + s.q +
                                                5 * s.multipliers() + 2 * s.z * s.z);
  return numbers * sizeof(double) + matrix_.memory_bytes() + differences_.memory_bytes() +
         multipliers_.memory_bytes() + history_.memory_bytes() + equations_.memory_bytes();
}

}  // namespace trammel::integrators
