#include "trammel/integrators/generalized_alpha.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

namespace trammel::integrators {

using system::Vector;

namespace {

std::unique_ptr<linear::KktSolver> solver_by_name(const std::string& name) {
  auto solver = linear::make_solver(name == "auto" ? "block-ldlt" : name);
  if (solver) return solver;
  std::vector<std::string> known{"auto"};
  for (const auto& kind : linear::solver_kinds()) known.push_back(kind.name);
  throw core::InputError(fmt::format("unknown linear solver '{}'", name),
                         core::suggestion(name, known));
}

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(system::MechanicalSystem& system,
                                   GeneralizedAlphaOptions options)
    : system_(system),
      options_(std::move(options)),
      sizes_(system.sizes()),
      solver_(solver_by_name(options_.solver)),
      matrix_(system.pattern()) {
  const double rho = options_.spectral_radius;
  if (!(rho >= 0.0 && rho <= 1.0)) {
    throw core::InputError(fmt::format("spectral_radius is {:g}", rho),
                           "give a number from 0 (most damping) to 1 (none)");
  }
  if (!(options_.newton_tolerance > 0.0)) {
    throw core::InputError(fmt::format("newton_tolerance is {:g}", options_.newton_tolerance),
                           "give a number above zero, e.g. 1e-8");
  }
  alpha_m_ = (2.0 * rho - 1.0) / (rho + 1.0);
  alpha_f_ = rho / (rho + 1.0);
  gamma_ = 0.5 + alpha_f_ - alpha_m_;
  beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
  solver_->analyse(system.pattern());
  inverse_scale_ = system.displacement_scale().cwiseInverse();
}

void GeneralizedAlpha::start(const system::Motion& motion) {
  now_ = motion;
  next_ = motion;
  alg_ = motion.a;
  alg_next_ = alg_;
  alg_last_ = alg_;
  last_h_ = 0.0;
  time_carry_ = 0.0;
  tangent_valid_ = false;
  for (Vector* v : {&x_, &x_free_, &x_predicted_, &residual_, &dx_}) v->setZero(sizes_.v);
  constraint_.setZero(sizes_.multipliers());
  right_side_.setZero(sizes_.v + sizes_.multipliers());
  solution_ = right_side_;
  if (sizes_.z > 0) {
    rates_next_.setZero(sizes_.z);
    system_.first_order_states()->rates(now_.state, rates_);
  }
}

StepReport GeneralizedAlpha::step(double h) {
  h_ = h;
  change_step(h);
  predict();
  StepReport report;
  const bool fresh =
      !tangent_valid_ || renewals_due_ > 0 || !control_.keep_tangent() || factored_step_ != h;
  if (fresh) {
    if (!renew_tangent()) report.failure = tangent_failure();
  } else {
    control_.begin(false);
    tangent_fresh_ = false;
  }
  if (report.ok()) report.failure = iterate(report.iterations);
  judge_tangent(fresh, report.iterations);
  report.displacement = x_.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
  constexpr double half_turn = 3.14159;
  if (report.ok() &&
      (report.displacement > half_turn || prediction_error() > options_.resolution)) {
    report.failure = Failure::unresolved;
  }
  statistics_.iterations += report.iterations;
  statistics_.most_iterations = std::max(statistics_.most_iterations, report.iterations);
  if (!report.ok()) {
    ++statistics_.failed_steps;
    restart();
    return report;
  }
  ++statistics_.steps;
  statistics_.largest_displacement =
      std::max(statistics_.largest_displacement, report.displacement);
  accept();
  return report;
}

// Keeping the tangent pays while it costs less than two more iterations.
void GeneralizedAlpha::judge_tangent(bool fresh, int iterations) {
  constexpr int worth = 2;
  constexpr int pause = 10;
  if (fresh) {
    fresh_iterations_ = iterations;
    renewals_due_ = std::max(0, renewals_due_ - 1);
  } else if (iterations > fresh_iterations_ + worth) {
    renewals_due_ = pause;
  }
}

// Displacement found minus displacement predicted, over its scale. The first step has no history.
double GeneralizedAlpha::prediction_error() {
  if (last_h_ == 0.0 || options_.resolution <= 0.0) return 0.0;
  dx_ = (x_ - x_predicted_).cwiseProduct(inverse_scale_);
  return dx_.lpNorm<Eigen::Infinity>();
}

// Makes velocities, accelerations and multipliers of t_n consistent: least change of v with G v +
// g_t = 0, then M a + G^T lambda = f, G a + gamma = 0.
void GeneralizedAlpha::restart() {
  tangent_valid_ = false;
  control_.forget();
  next_ = now_;
  system_.tangent(next_, {.acceleration = 1.0}, nullptr, matrix_);
  if (!solver_->factor(matrix_).ok) return;
  right_side_.head(sizes_.v).setZero();
  system_.velocity_constraint(now_.state, constraint_);
  right_side_.tail(sizes_.multipliers()) = -constraint_;
  refined_(*solver_, matrix_, right_side_, solution_);
  if (!solution_.allFinite()) return;
  next_.state.v += solution_.head(sizes_.v);
  system_.forces(next_.state, residual_);
  system_.acceleration_bias(next_.state, constraint_);
  right_side_.head(sizes_.v) = residual_;
  right_side_.tail(sizes_.multipliers()) = -constraint_;
  refined_(*solver_, matrix_, right_side_, solution_);
  if (!solution_.allFinite()) return;
  now_.state.v = next_.state.v;
  now_.a = solution_.head(sizes_.v);
  now_.lambda = solution_.tail(sizes_.multipliers());
  alg_ = now_.a;
  alg_last_ = now_.a;
  last_h_ = 0.0;
}

// a_n belongs to t_n + (alpha_m - alpha_f) h: a new h moves that time.
void GeneralizedAlpha::change_step(double h) {
  if (last_h_ == 0.0 || last_h_ == h) return;
  const double shift = (alpha_m_ - alpha_f_) * (h - last_h_) / last_h_;
  dx_ = alg_ - alg_last_;
  alg_ += shift * dx_;
  // The extrapolation of predict() looks back by the new step.
  alg_last_ = alg_ - h / last_h_ * dx_;
  last_h_ = h;
}

void GeneralizedAlpha::predict() {
  x_free_ = h_ * now_.state.v + h_ * h_ * (0.5 - beta_) * alg_;
  // Accelerations go on as they did over the last step. Multipliers do not: those of redundant
  // constraints are undetermined, and extrapolation would make them run away.
  alg_next_ = 2.0 * alg_ - alg_last_;
  next_.lambda = now_.lambda;
  x_ = x_free_ + h_ * h_ * beta_ * alg_next_;
  x_predicted_ = x_;
  // Compensated summation: after any number of steps the time is right to the last digit.
  const double advance = h_ - time_carry_;
  next_.state.t = now_.state.t + advance;
  next_time_carry_ = (next_.state.t - now_.state.t) - advance;
  if (sizes_.z > 0) next_.state.z = now_.state.z + h_ * rates_;
  set_from_displacement();
}

// q, v, a and v' that belong to x.
void GeneralizedAlpha::set_from_displacement() {
  const double inverse = 1.0 / (beta_ * h_ * h_);
  alg_next_ = inverse * (x_ - x_free_);
  next_.state.v = now_.state.v + h_ * (1.0 - gamma_) * alg_ + h_ * gamma_ * alg_next_;
  next_.a = ((1.0 - alpha_m_) * alg_next_ + alpha_m_ * alg_ - alpha_f_ * now_.a) / (1.0 - alpha_f_);
  system_.move(now_.state.q, x_, next_.state.q);
}

bool GeneralizedAlpha::renew_tangent() {
  const double s = beta_ * h_ * h_ * (1.0 - alpha_f_) / (1.0 - alpha_m_);
  const system::Weights weights{
      .position = s, .velocity = s * gamma_ / (beta_ * h_), .acceleration = 1.0};
  system_.tangent(next_, weights, solver_->symmetric() ? nullptr : &x_, matrix_);
  const linear::FactorReport report = solver_->factor(matrix_);
  ++statistics_.factorisations;
  if (report.wrong_signs > 0) ++statistics_.wrong_signs;
  redundant_ = report.dependent_rows > 0;
  tangent_valid_ = report.ok;
  tangent_fresh_ = true;
  factored_step_ = h_;
  control_.begin(true);
  return report.ok;
}

Failure GeneralizedAlpha::tangent_failure() const {
  const bool finite = std::all_of(matrix_.values.begin(), matrix_.values.end(),
                                  [](double value) { return std::isfinite(value); });
  return finite ? Failure::singular : Failure::not_finite;
}

// Rounding in q limits what a correction can mean.
double GeneralizedAlpha::tolerance() const {
  const double acceleration = next_.a.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
  const double velocity = next_.state.v.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
  constexpr double round_off = 1e-14;
  return std::max(options_.newton_tolerance * h_ * h_ * std::max(acceleration, velocity * velocity),
                  round_off);
}

Failure GeneralizedAlpha::iterate(int& iterations) {
  int renewals = 0;
  while (iterations < options_.most_iterations) {
    ++iterations;
    const double size = correct();
    if (!std::isfinite(size)) return Failure::not_finite;
    switch (control_.judge(size, tolerance(), redundant_)) {
      case NewtonControl::Verdict::converged:
        return Failure::none;
      case NewtonControl::Verdict::go_on:
        break;
      case NewtonControl::Verdict::renew_tangent:
        if (control_.theta() > 1.0 && renewals > 4) return Failure::diverged;
        // A fresh tangent that converges slowly lacks its unsymmetric part, or the step is too
        // large.
        if (tangent_fresh_ && control_.theta() > 0.3 && renewals > 1 && full_tangent_helps()) {
          use_full_tangent();
        }
        ++renewals;
        if (!renew_tangent()) return tangent_failure();
        break;
    }
  }
  return Failure::slow;
}

// One correction; returns its size relative to the displacement scale.
double GeneralizedAlpha::correct() {
  system_.residual(next_, residual_, constraint_);
  ++statistics_.residual_evaluations;
  const double s = beta_ * h_ * h_ * (1.0 - alpha_f_) / (1.0 - alpha_m_);
  right_side_.head(sizes_.v) = -s * residual_;
  right_side_.segment(sizes_.v, sizes_.holonomic) = -constraint_.head(sizes_.holonomic);
  // Velocity-level rows, as displacements: dv = gamma / (beta h) dx.
  right_side_.tail(sizes_.nonholonomic) =
      -beta_ * h_ / gamma_ * constraint_.tail(sizes_.nonholonomic);
  solver_->solve(right_side_, solution_);
  Vector& delta = residual_;  // its memory serves twice
  delta = solution_.head(sizes_.v);
  if (redundant_) remove_undetermined_multipliers();
  next_.lambda += solution_.tail(sizes_.multipliers()) / s;
  system_.pull_back(x_, delta, dx_);
  x_ += dx_;
  set_from_displacement();
  double size = delta.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
  if (sizes_.z > 0) size = std::max(size, correct_states());
  return size;
}

// Self-stresses of redundant constraints answer to nothing but round-off. With S = G K^-1 G^T and
// the floor e of its pivots, y' = (S + e)^-1 S y keeps what the motion determines and drops the
// rest.
void GeneralizedAlpha::remove_undetermined_multipliers() {
  right_side_.head(sizes_.v).setZero();
  right_side_.tail(sizes_.multipliers()) = solution_.tail(sizes_.multipliers());
  matrix_.multiply(right_side_, product_);
  right_side_.head(sizes_.v) = product_.head(sizes_.v);
  right_side_.tail(sizes_.multipliers()).setZero();
  solver_->solve(right_side_, product_);
  solution_.tail(sizes_.multipliers()) = product_.tail(sizes_.multipliers());
}

// One Newton iteration of the trapezoidal rule for z.
double GeneralizedAlpha::correct_states() {
  system::FirstOrderStates& states = *system_.first_order_states();
  states.rates(next_.state, rates_next_);
  states.rate_tangent(next_.state, rate_tangent_);
  const Vector error = next_.state.z - now_.state.z - 0.5 * h_ * (rates_ + rates_next_);
  const Eigen::MatrixXd tangent =
      Eigen::MatrixXd::Identity(sizes_.z, sizes_.z) - 0.5 * h_ * rate_tangent_;
  const Vector change = tangent.partialPivLu().solve(-error);
  next_.state.z += change;
  const double scale = std::max(1.0, next_.state.z.lpNorm<Eigen::Infinity>());
  return h_ * h_ * change.lpNorm<Eigen::Infinity>() / scale;
}

bool GeneralizedAlpha::full_tangent_helps() const {
  constexpr double noticeable = 0.05;
  return options_.solver == "auto" && solver_->symmetric() && matrix_.asymmetry() > noticeable;
}

void GeneralizedAlpha::use_full_tangent() {
  notes_.push_back(
      fmt::format("the symmetric part of the tangent converged slowly at t = {:.6g} s; the full "
                  "tangent (klu) is "
                  "used from there on",
                  now_.state.t));
  solver_ = linear::make_solver("klu");
  solver_->analyse(system_.pattern());
  control_.forget();
}

void GeneralizedAlpha::accept() {
  alg_last_.swap(alg_);
  alg_.swap(alg_next_);
  now_.lambda.swap(next_.lambda);
  now_.a.swap(next_.a);
  std::swap(now_.state, next_.state);
  last_h_ = h_;
  time_carry_ = next_time_carry_;
  if (sizes_.z > 0) rates_.swap(rates_next_);
}

std::size_t GeneralizedAlpha::memory_bytes() const {
  const auto vectors =
      static_cast<std::size_t>(2 * sizes_.q + 14 * sizes_.v + 6 * sizes_.multipliers() +
                               2 * (sizes_.v + sizes_.multipliers()));
  return vectors * sizeof(double) + matrix_.values.capacity() * sizeof(double) +
         solver_->memory_bytes();
}

}  // namespace trammel::integrators
