#include "trammel/integrators/single_grid.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/integrators/solver_choice.h"

namespace trammel::integrators {

using system::Vector;

SingleGrid::SingleGrid(system::MechanicalSystem& system, SingleGridOptions options)
    : rows_left_(system),
      system_(rows_left_),
      options_(std::move(options)),
      sizes_(system.sizes()),
      reactions_(system_, solver_by_name(options_.solver), options_.penalty) {}

void SingleGrid::start(const system::Motion& motion) {
  now_ = motion;
  rows_left_.begin(motion.state);
  rows_left_.regroup(now_.lambda);
  reactions_.begin(now_.lambda);
  pass_ = now_;
  first_lambda_ = now_.lambda;
  lambda_rate_.setZero(sizes_.multipliers());
  base_lambda_ = now_.lambda;
  rows_left_.make_unique(now_.state, now_.lambda);
  h_ = 0.0;
  half_step_ = 0.0;
  time_carry_ = 0.0;
  for (Vector* v : {&known_v_, &came_from_, &x_, &last_v_}) v->setZero(sizes_.v);
  rows_.setZero(sizes_.multipliers());
  g_ = rows_;
  other_rows_ = rows_;
  rates_.setZero(sizes_.z);
  next_rates_ = rates_;
  settle_memory();
}

double SingleGrid::beta_squared() const {
  const double beta = options_.baumgarte_beta;
  return beta > 0.0 ? beta * beta : 2.0 / (h_ * h_);
}

void SingleGrid::multiply_rows(const Vector& x, Vector& rows) {
  probe_ = pass_.state;
  probe_.v.setZero();
  system_.velocity_constraint(probe_, rows);
  probe_.v = x;
  system_.velocity_constraint(probe_, other_rows_);
  rows = other_rows_ - rows;
}

// ---- one pass

// Positions and velocities that the acceleration of the last pass leads to.
void SingleGrid::place() {
  const double r = 0.5 * h_;
  came_from_ = pass_.a;
  pass_.state.v = known_v_ + r * came_from_;
  x_ = r * pass_.state.v;
  if (trapezoidal()) x_ += r * now_.state.v;
  system_.retract(now_.state.q, x_, pass_.state.q);
  if (sizes_.z == 0) return;
  system_.first_order_states()->rates(pass_.state, next_rates_);
  pass_.state.z = now_.state.z + r * next_rates_;
  if (trapezoidal()) pass_.state.z += r * rates_;
}

void SingleGrid::predict() {
  const double r = 0.5 * h_;
  pass_.a = now_.a;
  pass_.lambda = now_.lambda;
  pass_.state.t = now_.state.t + (trapezoidal() ? h_ : r);
  pass_.state.z = now_.state.z;
  known_v_ = now_.state.v;
  if (trapezoidal()) known_v_ += r * now_.a;
  if (sizes_.z > 0) {
    system_.first_order_states()->rates(now_.state, rates_);
    pass_.state.z += (trapezoidal() ? h_ : r) * rates_;
    pass_.state.v = now_.state.v;
    pass_.state.q = now_.state.q;
  }
  place();
}

// gamma + damping (G velocity + g_t) + stiffness g; of nonholonomic rows half the damping.
void SingleGrid::set_feedback_rows(const Vector& velocity, double damping, double stiffness) {
  system_.acceleration_bias(pass_.state, rows_);
  probe_ = pass_.state;
  probe_.v = velocity;
  system_.velocity_constraint(probe_, other_rows_);
  other_rows_.tail(sizes_.nonholonomic) *= 0.5;
  rows_ += damping * other_rows_;
  system_.position_constraint(pass_.state, g_);
  rows_ += stiffness * g_;
}

bool SingleGrid::solve_baumgarte() {
  const double r = 0.5 * h_;
  const double damping = 2.0 * alpha();
  const double stiffness = beta_squared();
  if (options_.treatment == RowTreatment::baumgarte) {
    set_feedback_rows(pass_.state.v, damping, stiffness);
    return reactions_.solve_rows(rows_, pass_);
  }
  set_feedback_rows(known_v_, damping, stiffness);
  multiply_rows(came_from_, g_);
  rows_.head(sizes_.holonomic) -= stiffness * r * r * g_.head(sizes_.holonomic);
  rows_.head(sizes_.holonomic) /= 1.0 + damping * r + stiffness * r * r;
  rows_.tail(sizes_.nonholonomic) /= 1.0 + 0.5 * damping * r;
  return reactions_.solve_rows(rows_, pass_);
}

bool SingleGrid::solve_algebraic() {
  system_.position_constraint(pass_.state, g_);
  system_.velocity_constraint(pass_.state, rows_);
  pass_.lambda.head(sizes_.holonomic) = g_.head(sizes_.holonomic) / options_.penalty.epsilon;
  pass_.lambda.tail(sizes_.nonholonomic) =
      rows_.tail(sizes_.nonholonomic) / options_.penalty.epsilon;
  return reactions_.solve_with_multipliers(pass_);
}

bool SingleGrid::solve_position_penalty() {
  const double r = 0.5 * h_;
  base_lambda_.head(sizes_.holonomic) = first_lambda_.head(sizes_.holonomic);
  system_.position_constraint(pass_.state, g_);
  multiply_rows(came_from_, rows_);
  g_ = g_ / (r * r) - rows_;
  probe_ = pass_.state;
  probe_.v = known_v_;
  system_.velocity_constraint(probe_, rows_);
  g_.tail(sizes_.nonholonomic) = rows_.tail(sizes_.nonholonomic) / r;
  return reactions_.solve_penalty(g_, base_lambda_, pass_);
}

bool SingleGrid::solve_pass() {
  if (sizes_.multipliers() == 0) return reactions_.solve_accelerations(pass_);
  const double r = 0.5 * h_;
  base_lambda_ = now_.lambda;
  if (trapezoidal()) base_lambda_ += r * lambda_rate_;
  switch (options_.treatment) {
    case RowTreatment::penalty:
      return reactions_.solve(known_v_, base_lambda_, pass_);
    case RowTreatment::penalty_position:
      return solve_position_penalty();
    case RowTreatment::baumgarte:
    case RowTreatment::baumgarte_implicit:
      return solve_baumgarte();
    case RowTreatment::algebraic_penalty:
      return solve_algebraic();
    case RowTreatment::none:
      break;
  }
  return reactions_.solve_accelerations(pass_);
}

Failure SingleGrid::iterate(int& passes) {
  const Vector& scale = system_.displacement_scale();
  for (passes = 1; passes <= options_.passes; ++passes) {
    last_q_ = pass_.state.q;
    last_v_ = pass_.state.v;
    if (!solve_pass()) return Failure::not_finite;
    place();
    if (!pass_.state.v.allFinite()) return Failure::not_finite;
    if (options_.passes == 1) return Failure::none;
    system_.logarithm(last_q_, pass_.state.q, x_);
    x_ = x_.cwiseQuotient(scale);
    double change = system::largest(x_);
    x_ = h_ * (pass_.state.v - last_v_).cwiseQuotient(scale);
    change = std::max(change, system::largest(x_));
    if (change <= options_.tolerance) return Failure::none;
  }
  passes = options_.passes;
  return Failure::slow;
}

// ---- the step

// A pass feeds back -2 alpha r a - beta^2 r^2 a of the acceleration before it: errors of a are
// multiplied by alpha h + beta^2 h^2/4.
double SingleGrid::feedback() const {
  if (options_.treatment != RowTreatment::baumgarte || options_.passes == 1) return 0.0;
  if (sizes_.multipliers() == 0) return 0.0;
  return alpha() * h_ + 0.25 * beta_squared() * h_ * h_;
}

FailureAdvice SingleGrid::advice() const {
  if (!(asked_feedback_ >= 1.0)) return {};
  return {fmt::format("Baumgarte's feedback of the last pass multiplies errors by {:.2g} in every "
                      "pass, so that passes cannot converge",
                      asked_feedback_),
          fmt::format("give baumgarte_alpha and baumgarte_beta of at most {:.2g} 1/s, or take "
                      "stabilisation: baumgarte-implicit",
                      0.5 / asked_h_)};
}

// The midpoint rule goes on to the end of the step and finds a and lambda there for who asks.
bool SingleGrid::finish() {
  if (trapezoidal()) {
    lambda_rate_ = (pass_.lambda - now_.lambda) * (2.0 / h_) - lambda_rate_;
    return true;
  }
  x_ = h_ * pass_.state.v;
  system_.retract(now_.state.q, x_, pass_.state.q);
  pass_.state.v = now_.state.v + h_ * pass_.a;
  if (sizes_.z > 0) pass_.state.z = now_.state.z + h_ * next_rates_;
  pass_.state.t = now_.state.t + h_;
  return reactions_.solve_accelerations(pass_);
}

StepReport SingleGrid::step(double h) {
  StepReport report;
  if (rows_left_.revise(now_.state)) {
    rows_left_.regroup(now_.lambda);
    rows_left_.regroup(first_lambda_);
    lambda_rate_.setZero();
  }
  if (h != h_) lambda_rate_.setZero();
  h_ = h;
  if (half_step_ != 0.5 * h) {
    half_step_ = 0.5 * h;
    reactions_.set_half_step(half_step_);
  }
  if (asked_h_ == 0.0) {
    asked_h_ = h;
    asked_feedback_ = feedback();
    const FailureAdvice told = advice();
    if (!told.reason.empty()) notes_.push_back(told.reason + ": " + told.remedy);
  }
  constexpr double largest_turn = 2.5;  // rad, below the half turn that can be told apart
  if (system_.fastest_turn(now_.state) * h > largest_turn) report.failure = Failure::unresolved;
  const double advance = h - time_carry_;
  const double end = now_.state.t + advance;
  if (report.ok()) {
    predict();
    report.failure = iterate(report.iterations);
  }
  if (report.ok() && !finish()) report.failure = Failure::not_finite;
  statistics_.iterations += report.iterations;
  statistics_.most_iterations = std::max(statistics_.most_iterations, report.iterations);
  statistics_.factorisations = reactions_.factorisations();
  statistics_.residual_evaluations = reactions_.factorisations();
  if (!report.ok()) {
    ++statistics_.failed_steps;
    lambda_rate_.setZero();
    return report;
  }
  x_ = (h * pass_.state.v).cwiseQuotient(system_.displacement_scale());
  report.displacement = system::largest(x_);
  statistics_.largest_displacement =
      std::max(statistics_.largest_displacement, report.displacement);
  ++statistics_.steps;
  time_carry_ = (end - now_.state.t) - advance;
  pass_.state.t = end;
  std::swap(now_, pass_);
  rows_left_.make_unique(now_.state, now_.lambda);
  return report;
}

std::size_t SingleGrid::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(4 * (sizes_.q + 2 * sizes_.v + sizes_.z) +
                                                6 * sizes_.v + 8 * sizes_.multipliers());
  return numbers * sizeof(double) + rows_left_.memory_bytes() + reactions_.memory_bytes();
}

}  // namespace trammel::integrators
