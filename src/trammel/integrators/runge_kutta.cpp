#include "trammel/integrators/runge_kutta.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trammel::integrators {

using system::Vector;

RungeKutta::RungeKutta(system::MechanicalSystem& system,
                       const RungeKuttaTable& table,
                       AdaptiveOptions options)
    : AdaptiveIntegrator(system, std::move(options)), table_(table) {
  k_.resize(static_cast<std::size_t>(table.stages) + 1);
}

void RungeKutta::restart() {
  for (Vector& k : k_) k.setZero(equations_.size());
  k_.back() = dy_;
  stage_ = y_;
  end_ = y_;
  begin_ = y_;
  error_ = y_;
  inside_ = y_;
  defect_ = y_;
  begin_time_ = t_;
  last_error_ = 1e-4;
  rejected_ = false;
  time_carry_ = 0.0;
  if (adaptive()) h_ = first_step(table_.order);
}

// Stages, end and rates at the end of a step of size h from y_.
bool RungeKutta::take(double h, Failure& failure) {
  // The origin follows; rates of x at the origin are v.
  equations_.recentre(y_);
  equations_.begin_step(t_, y_);
  const int n = equations_.sizes().v;
  k_[0] = dy_;
  k_[0].head(n) = y_.segment(n, n);
  const auto stages = static_cast<std::size_t>(table_.stages);
  for (std::size_t i = 1; i < stages; ++i) {
    stage_ = y_;
    for (std::size_t j = 0; j < i; ++j) {
      if (table_.a[i][j] != 0.0) stage_ += h * table_.a[i][j] * k_[j];
    }
    if (!equations_.rates(t_ + table_.c[i] * h, stage_, k_[i])) {
      failure = Failure::not_finite;
      return false;
    }
  }
  end_ = y_;
  for (std::size_t i = 0; i < stages; ++i) {
    if (table_.b[i] != 0.0) end_ += h * table_.b[i] * k_[i];
  }
  if (!equations_.resolved(y_, end_)) {
    failure = Failure::unresolved;
    return false;
  }
  if (!equations_.project(t_ + h, end_)) {
    failure = Failure::projection;
    return false;
  }
  if (!equations_.rates(t_ + h, end_, k_[stages])) {
    failure = Failure::not_finite;
    return false;
  }
  reached_ = equations_.motion();
  return true;
}

void RungeKutta::accept(double h) {
  begin_.swap(y_);
  y_ = end_;
  dy_ = k_.back();
  begin_time_ = t_;
  t_ += h;
  now_ = reached_;
  const double moved = equations_.position_size(y_);
  statistics_.largest_displacement = std::max(statistics_.largest_displacement, moved);
}

bool RungeKutta::attempt(Failure& failure) {
  const double h = h_;
  if (!take(h, failure)) {
    rejected_ = true;
    h_ *= 0.25;
    return false;
  }
  error_.setZero();
  for (std::size_t i = 0; i < k_.size(); ++i) {
    if (table_.e[i] != 0.0) error_ += h * table_.e[i] * k_[i];
  }
  constexpr double least_share = 0.25;
  equations_.set_weights(y_, equations_.share(0.5 * h, least_share));
  const double error =
      std::max(equations_.norm(error_), equations_.energy_norm(t_ + h, end_, error_));
  constexpr double beta = 0.04;
  constexpr double safety = 0.8;
  const double growth = std::pow(error, 0.2 - 0.75 * beta);
  if (!(error <= 1.0)) {
    failure = Failure::tolerance;
    rejected_ = true;
    h_ *= std::isfinite(growth) ? std::max(0.2, safety / growth) : 0.2;
    return false;
  }
  if (!fulfils_equations(h, error) || !(equations_.missing_norm(t_ + h, end_) <= 1.0)) {
    failure = Failure::tolerance;
    rejected_ = true;
    h_ *= 0.5;
    return false;
  }
  watch_stability(h);
  accept(h);
  count_step(equations_.position_size(error_));
  const double factor = safety * std::pow(last_error_, beta) / std::max(growth, 1e-8);
  h_ = h * std::clamp(factor, 0.2, rejected_ ? 1.0 : 10.0);
  last_error_ = std::max(error, 1e-4);
  rejected_ = false;
  return true;
}

// With r_1 ... r_5 of interpolate():
// u' h = r_2 + (1 - 2s) r_3 + s (2 - 3s) r_4 + 2 s (1 - s)(1 - 2s) r_5.
double RungeKutta::defect(double h, double s) {
  const double r = 1.0 - s;
  const double of_3 = 1.0 - 2.0 * s;
  const double of_4 = s * (2.0 - 3.0 * s);
  const double of_5 = 2.0 * s * r * of_3;
  // r_2 = y_{n+1} - y_n,  r_3 = h k_1 - r_2,  r_4 = 2 r_2 - h k_1 - h k_7,  r_5 = h sum_i d_i k_i.
  const Vector& first = k_.front();
  const Vector& last = k_.back();
  inside_ = y_ + s * (1.0 - r + 2.0 * r * s) * (end_ - y_) + h * (s * r * r) * first;
  inside_ -= h * (s * r * s) * last;
  for (std::size_t i = 0; i < k_.size(); ++i) {
    if (table_.d[i] != 0.0) inside_ += h * (s * r * s * r) * table_.d[i] * k_[i];
  }
  if (!equations_.rates(t_ + s * h, inside_, defect_)) {
    return std::numeric_limits<double>::infinity();
  }
  defect_ *= -h;
  defect_ += (1.0 - of_3 + 2.0 * of_4) * (end_ - y_);
  defect_ += h * (of_3 - of_4) * first - h * of_4 * last;
  for (std::size_t i = 0; i < k_.size(); ++i) {
    if (table_.d[i] != 0.0) defect_ += h * of_5 * table_.d[i] * k_[i];
  }
  return equations_.motion_norm(defect_);
}

bool RungeKutta::fulfils_equations(double h, double error) {
  constexpr double far_below = 1e-2;
  // Stages with weight stand at 0, 3/10, 4/5, 8/9 and 1.
  constexpr std::array<double, 2> gaps{0.15, 0.55};
  if (error > far_below) return true;
  return std::all_of(gaps.begin(), gaps.end(), [&](double s) { return defect(h, s) <= 1.0; });
}

// |df/dy| from the last stage and the end, which are both at t + h [Hairer & Wanner 1996, IV.2].
void RungeKutta::watch_stability(double h) {
  error_.swap(stage_);  // the estimate is kept in the other's memory
  error_ = end_ - error_;
  const double distance = equations_.motion_norm(error_);
  error_ = k_.back() - k_[k_.size() - 2];
  const double change = equations_.motion_norm(error_);
  error_.swap(stage_);
  constexpr double border = 3.25;
  if (h * change > border * distance) {
    stable_ = 0;
    if (++unstable_ == 15) note_stiffness();
  } else if (++stable_ == 6) {
    unstable_ = 0;
  }
}

StepReport RungeKutta::step(double h) {
  if (adaptive()) return AdaptiveIntegrator::step(h);
  begin(h);
  StepReport report;
  constexpr double largest_turn = 2.5;  // rad, below the half turn that can be told apart
  if (turn_rate() * h > largest_turn) {
    ++statistics_.failed_steps;
    report.failure = Failure::unresolved;
    return report;
  }
  if (!take(h, report.failure)) {
    ++statistics_.failed_steps;
    return report;
  }
  // Compensated summation: after any number of steps the time is right to the last digit.
  const double begin = t_;
  const double advance = h - time_carry_;
  accept(h);
  t_ = begin + advance;
  time_carry_ = (t_ - begin) - advance;
  now_.state.t = t_;
  work_ = equations_.work(y_);
  watch_turns(h);
  report.displacement = equations_.position_size(y_);
  count_step(0.0);
  statistics_.residual_evaluations = evaluations();
  statistics_.factorisations = factorisations();
  return report;
}

// y(t_n + s h) = r_1 + s (r_2 + (1 - s)(r_3 + s (r_4 + (1 - s) r_5))).
void RungeKutta::interpolate(double t, Vector& y) {
  const double h = t_ - begin_time_;
  const double s = (t - begin_time_) / h;
  const double r = 1.0 - s;
  // Of y_n, y_{n+1}, h k_1 and h k_7 in this polynomial, and of r_5 = h sum_i d_i k_i.
  const double difference = s * (1.0 - r + r * s * 2.0);
  y = begin_ + difference * (end_ - begin_);
  y += h * (s * r * (1.0 - s)) * k_.front();
  y -= h * (s * r * s) * k_.back();
  const double last = s * r * s * r;
  for (std::size_t i = 0; i < k_.size(); ++i) {
    if (table_.d[i] != 0.0) y += h * last * table_.d[i] * k_[i];
  }
}

std::size_t RungeKutta::memory_bytes() const {
  const auto vectors = (k_.size() + 12) * static_cast<std::size_t>(equations_.size());
  return vectors * sizeof(double) + equations_.memory_bytes();
}

}  // namespace trammel::integrators
