#include "trammel/integrators/adaptive_gssss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::integrators {

using system::Vector;

namespace {

// Results between steps stand on the constraints where those at their ends do.
AdaptiveOptions with_drift(AdaptiveOptions control, const GssssOptions& options) {
  const bool kept = index_of(options) == 3 || options.stabilisation != Stabilisation::none;
  control.drift = kept ? DriftControl::projection : DriftControl::none;
  control.solver = options.solver;
  return control;
}

// Members whose accelerations may alternate from step to step, while velocities do not.
bool saw_tooth(const GssssOptions& options) {
  const bool conservative = options.radii.minimum == 1.0 && options.radii.maximum == 1.0;
  return conservative && (options.family == Family::U0 || options.radii.spurious == 1.0);
}

// Members whose accelerations alternate at index 3, more and more from step to step: no estimate of
// an error survives that.
GssssOptions checked_for_control(const GssssOptions& options, const system::Sizes& sizes) {
  if (!saw_tooth(options) || sizes.holonomic == 0 || index_of(options) != 3 ||
      options.stabilisation != Stabilisation::none) {
    return options;
  }
  throw core::InputError(
      fmt::format("accelerations of {} alternate from step to step at index 3, so that its steps "
                  "cannot be chosen by their error",
                  to_string(options.family, options.radii)),
      "write stabilisation: projection or index: 2 beside the tolerance, or take a method that "
      "damps, such as generalized-alpha");
}

double largest_entry(const Vector& v) {
  return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0;
}

}  // namespace

AdaptiveGssss::AdaptiveGssss(system::MechanicalSystem& system,
                             const GssssOptions& options,
                             AdaptiveOptions control)
    : AdaptiveIntegrator(system, with_drift(std::move(control), options)),
      method_(system, checked_for_control(options, system.sizes())),
      velocities_free_(index_of(options) == 3 && options.stabilisation == Stabilisation::none),
      alternates_(saw_tooth(options) && options.radii.spurious == 1.0) {}

void AdaptiveGssss::restart() {
  method_.start(now_);
  lambda_begin_ = now_.lambda;
  lambda_before_ = now_.lambda;
  // Reactions that begin at nothing are measured by the loads.
  equations_.system().forces(now_.state, dx_);
  const double loads = dx_.allFinite() ? largest_entry(dx_) : 0.0;
  largest_multiplier_ = std::max({largest_multiplier_, largest_entry(now_.lambda), loads});
  for (Vector* v : {&begin_, &end_, &error_}) *v = y_;
  forbidden_.setZero(equations_.size());
  for (Vector* v : {&before_, &rates_begin_, &rates_end_}) *v = dy_;
  last_h_ = 0.0;
  last_error_ = 1.0;
  rejected_ = false;
  refusals_ = 0;
  deaf_ = deaf_steps;
  // As of one order less, since a step gets only its share of the tolerance.
  h_ = first_step(1);
}

void AdaptiveGssss::describe(const system::Motion& motion, Vector& y, Vector& rates) {
  const system::Sizes& sizes = equations_.sizes();
  const int n = sizes.v;
  system::MechanicalSystem& system = equations_.system();
  system.logarithm(equations_.origin(), motion.state.q, x_);
  system.inverse_tangent(x_, motion.state.v, dx_);
  y.head(n) = x_;
  y.segment(n, n) = motion.state.v;
  if (sizes.z > 0) y.segment(2 * n, sizes.z) = motion.state.z;
  if (alternates_ && equations_.rates(motion.state.t, y, rates)) return;
  rates.head(n) = dx_;
  rates.segment(n, n) = motion.a;
  if (sizes.z > 0) {
    system.first_order_states()->rates(motion.state, state_rates_);
    rates.segment(2 * n, sizes.z) = state_rates_;
  }
  equations_.powers(motion, rates);
}

bool AdaptiveGssss::attempt(Failure& failure) {
  const double h = h_;
  equations_.recentre(y_);
  equations_.begin_step(t_, y_);
  equations_.set_weights(y_);
  method_.keep();
  const StepReport step = method_.step(h);
  statistics_.iterations += step.iterations;
  if (!step.ok()) {
    // Velocities and accelerations were made consistent again.
    failure = step.failure;
    describe(method_.motion(), y_, dy_);
    last_h_ = 0.0;
    refuse(0.25);
    return false;
  }
  const double error = measure(h);
  constexpr double exponent = -0.5;
  if (!(error <= 1.0)) {
    failure = Failure::tolerance;
    take_back();
    refuse(std::isfinite(error) ? std::clamp(0.9 * std::pow(error, exponent), 0.2, 0.9) : 0.2);
    return false;
  }
  if (!(equations_.missing_norm(t_ + h, end_) <= 1.0)) {
    failure = Failure::tolerance;
    take_back();
    refuse(0.5);
    return false;
  }
  statistics_.largest_displacement = std::max(statistics_.largest_displacement, step.displacement);
  accept(h);
  choose_next(h, error);
  return true;
}

// Where step after step is refused, what the method remembers is what is wrong.
void AdaptiveGssss::take_back() {
  constexpr int patience = 4;
  method_.take_back();
  if (refusals_ == 0 || refusals_ % patience != 0) return;
  method_.make_consistent();
  describe(method_.motion(), y_, dy_);
  last_h_ = 0.0;
  deaf_ = deaf_steps;
}

void AdaptiveGssss::refuse(double factor) {
  rejected_ = true;
  ++refusals_;
  h_ *= factor;
}

// e_x, e_v, e_z and e_w into error_; end_ and rates_end_ are those of the step.
double AdaptiveGssss::measure(double h) {
  const system::Sizes& sizes = equations_.sizes();
  const int n = sizes.v;
  describe(method_.motion(), end_, rates_end_);
  if (!end_.head(equations_.motion_size()).allFinite()) {
    return std::numeric_limits<double>::infinity();
  }
  // The quadrature of third order, of second where there is no step before; y_ has x = 0.
  error_ = 0.5 * h * (dy_ + rates_end_);
  if (last_h_ > 0.0) {
    const double share = h * h * h / (6.0 * (h + last_h_));
    error_ -= share * ((rates_end_ - dy_) / h - (dy_ - before_) / last_h_);
  }
  const int work = equations_.work_size();
  const int rest = n + sizes.z;
  end_.tail(work) = y_.tail(work) + error_.tail(work);
  if (last_h_ > 0.0) {
    error_.tail(work) -= 0.5 * h * (dy_ + rates_end_).tail(work);
  } else {
    error_.tail(work).setZero();
  }
  error_.segment(n, rest) = end_.segment(n, rest) - y_.segment(n, rest) - error_.segment(n, rest);
  // The hermite rule for positions knows that x'' = a where x = 0.
  error_.head(n) = end_.head(n) - h / 3.0 * (2.0 * y_.segment(n, n) + rates_end_.head(n)) -
                   h * h / 6.0 * dy_.segment(n, n);
  const double at_once = velocities_free_ ? forbidden_error() : 0.0;
  constexpr double part = 0.125;
  const double share = std::min(1.0, part * h * equations_.fastest());
  const double multipliers = multiplier_error(h);
  if (multipliers > 1.0 && refusals_ > 0) deaf_ = deaf_steps;
  // The work of drives is that of multipliers, and tells nothing where these do not.
  if (deaf_ > 0 && work > 0) error_[error_.size() - 1] = 0.0;
  const double motion = std::max(equations_.norm(error_) / share, at_once);
  return deaf_ > 0 ? motion : std::max(motion, multipliers);
}

// At index 3 velocities miss their constraints by O(h^2), at every step anew: that is no error that
// adds up, and changes with h. It is taken out of error_ and counts like that of the multipliers.
double AdaptiveGssss::forbidden_error() {
  const int n = equations_.sizes().v;
  x_ = error_.segment(n, n);
  dx_ = x_;
  method_.remove_forbidden(dx_);
  forbidden_.segment(n, n) = x_ - dx_;
  error_.segment(n, n) = dx_;
  return equations_.motion_norm(forbidden_);
}

// A shorter step has to help: where rows depend on others multipliers are not unique and may jump,
// and after a start at index 3 they oscillate for some steps. They have nothing to say then.
double AdaptiveGssss::multiplier_error(double h) const {
  const Vector& lambda = method_.motion().lambda;
  if (last_h_ == 0.0 || deaf_ > 0 || lambda.size() == 0) return 0.0;
  const double scale = std::max(largest_multiplier_, largest_entry(lambda));
  if (!(scale > 0.0)) return 0.0;
  double largest = 0.0;
  for (Eigen::Index i = 0; i < lambda.size(); ++i) {
    const double slope = (lambda[i] - lambda_begin_[i]) / h;
    const double last_slope = (lambda_begin_[i] - lambda_before_[i]) / last_h_;
    largest = std::max(largest, std::abs(slope - last_slope));
  }
  const double error = h * h / 3.0 * largest / (h + last_h_);
  return error / ((options_.absolute_tolerance + options_.relative_tolerance) * scale);
}

void AdaptiveGssss::accept(double h) {
  begin_.swap(y_);
  y_ = end_;
  before_.swap(dy_);  // now that of the step's start
  rates_begin_ = before_;
  dy_ = rates_end_;
  lambda_before_ = lambda_begin_;
  lambda_begin_ = method_.motion().lambda;
  largest_multiplier_ = std::max(largest_multiplier_, largest_entry(lambda_begin_));
  last_h_ = h;
  t_ += h;
  now_ = method_.motion();
  now_.state.t = t_;
  count_step(equations_.position_size(error_));
}

// PI control [Gustafsson 1991] for an error of second order.
void AdaptiveGssss::choose_next(double h, double error) {
  constexpr double proportional = 0.35;
  constexpr double integral = 0.2;
  constexpr double least = 1e-3;
  constexpr double worth_it = 1.25;
  const double bounded = std::max(error, least);
  const double factor = 0.9 * std::pow(bounded, -proportional) * std::pow(last_error_, integral);
  const double most = rejected_ ? 1.0 : 2.0;
  const double wanted = std::clamp(factor, 0.3, most);
  h_ = wanted >= 1.0 && wanted < worth_it ? h : h * wanted;
  last_error_ = bounded;
  rejected_ = false;
  refusals_ = 0;
  deaf_ = std::max(0, deaf_ - 1);
}

// The cubic of values and rates at both ends.
void AdaptiveGssss::interpolate(double t, Vector& y) {
  const double h = last_h_;
  const double s = 1.0 - (t_ - t) / h;
  const double r = 1.0 - s;
  y = r * r * (1.0 + 2.0 * s) * begin_ + s * s * (1.0 + 2.0 * r) * end_;
  y += h * s * r * (r * rates_begin_ - s * rates_end_);
}

// Accelerations and multipliers are those of the method: the equations would magnify what
// interpolation leaves of stiff forces.
bool AdaptiveGssss::look_between(double t) {
  const system::Sizes& sizes = equations_.sizes();
  interpolate(t, error_);
  if (!equations_.project(t, error_)) return false;
  equations_.state(t, error_, now_.state);
  const double s = 1.0 - (t_ - t) / last_h_;
  now_.a =
      (1.0 - s) * rates_begin_.segment(sizes.v, sizes.v) + s * rates_end_.segment(sizes.v, sizes.v);
  now_.lambda = (1.0 - s) * lambda_before_ + s * lambda_begin_;
  work_ = equations_.work(error_);
  return true;
}

const std::vector<std::string>& AdaptiveGssss::notes() const {
  return method_.notes();
}

std::size_t AdaptiveGssss::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(10 * equations_.size() + 3 * equations_.sizes().v +
                                                3 * equations_.sizes().multipliers());
  return numbers * sizeof(double) + method_.memory_bytes() + equations_.memory_bytes();
}

}  // namespace trammel::integrators
