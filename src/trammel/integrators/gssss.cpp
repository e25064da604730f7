#include "trammel/integrators/gssss.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/pieces.h"
#include "trammel/integrators/solver_choice.h"
#include "trammel/system/position_measure.h"

namespace trammel::integrators {

using system::Vector;

namespace {

// Options that were checked, so that members can be built from them.
GssssOptions checked(GssssOptions options, system::MechanicalSystem& system) {
  check(options, system);
  return options;
}

bool only_positions(const RowWeights& w) {
  return w.velocity == 0.0 && w.acceleration == 0.0;
}

// Is there a velocity error of index 3, and nobody else removes it?
bool misses_velocities(const GssssOptions& o, const system::Sizes& sizes) {
  return sizes.holonomic > 0 && index_of(o) == 3 && o.stabilisation == Stabilisation::none &&
         o.conservation == Conservation::symplectic;
}

bool needs_balance(const GssssOptions& o, const system::Sizes& sizes) {
  return o.balanced_start && sizes.holonomic > 0 && balances_start(o);
}

}  // namespace

Gssss::Gssss(system::MechanicalSystem& system, GssssOptions options)
    : rows_left_(system),
      system_(rows_left_),
      options_(checked(std::move(options), system)),
      sizes_(system.sizes()),
      p_(gssss_parameters(options_.family, options_.radii)),
      holonomic_(holonomic_weights(options_)),
      nonholonomic_(nonholonomic_weights(options_)),
      at_end_(options_.evaluation == Evaluation::end),
      shared_(at_end_ || (options_.family == Family::U0 && p_.w1 == 1.0)),
      exact_tangent_(shared_ && only_positions(holonomic_)),
      balanced_(needs_balance(options_, sizes_)),
      scales_velocity_error_(!balanced_ && misses_velocities(options_, sizes_)),
      solver_(solver_by_name(options_.solver)),
      matrix_(system.pattern()),
      acceleration_constraint_(system_) {
  solver_->analyse(system.pattern());
  inverse_scale_ = system.displacement_scale().cwiseInverse();
  turn_scale_ = system::inverse_turn_scale(system);
  slide_scale_ = inverse_scale_ - turn_scale_;
  const Stabilisation stabilisation = options_.stabilisation;
  if (stabilisation == Stabilisation::projection || stabilisation == Stabilisation::ggl) {
    projection_ = std::make_unique<constraint_handling::MassOrthogonalProjection>(
        system_, solver_by_name(options_.solver));
    if (options_.multiplier_metric == MultiplierMetric::source) projection_->use_unit_metric();
  }
}

void Gssss::start(const system::Motion& motion) {
  now_ = motion;
  rows_left_.begin(motion.state);
  rows_left_.regroup(now_.lambda);
  level_ = now_;
  if (!shared_) end_ = motion.state;
  alg_ = motion.a;
  alg_last_ = alg_;
  last_h_ = 0.0;
  acceleration_age_ = 0.0;
  multiplier_age_ = 0.0;
  time_carry_ = 0.0;
  floor_ = 0.0;
  tangent_valid_ = false;
  for (Vector* v : {&x_, &x_predicted_, &increment_, &residual_, &dx_}) v->setZero(sizes_.v);
  if (!shared_) x_level_.setZero(sizes_.v);
  if (!at_end_) {
    true_a_ = motion.a;
    multiplier_last_ = now_.lambda;
  }
  rows_left_.make_unique(now_.state, now_.lambda);
  if (options_.stabilisation == Stabilisation::ggl) x_position_.setZero(sizes_.v);
  constraint_.setZero(sizes_.multipliers());
  right_side_.setZero(sizes_.v + sizes_.multipliers());
  solution_ = right_side_;
  if (sizes_.z > 0) {
    rates_next_.setZero(sizes_.z);
    largest_state_ = motion.state.z.cwiseAbs();
    system_.first_order_states()->rates(now_.state, rates_);
  }
  settle_memory();
}

StepReport Gssss::step(double h) {
  h_ = h;
  revise_rows();
  const bool changed = last_h_ != h;
  change_step(h);
  if (balanced_ && changed) balance_velocity();
  StepReport report = solve_step();
  judge_resolution(report);
  if (report.ok() && options_.stabilisation == Stabilisation::projection && !project()) {
    report.failure = Failure::projection;
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
  if (floor_ > 0.0) note_round_off();
  if (last_h_ > 0.0) {
    statistics_.moved += report.displacement;
    statistics_.mispredicted += report.misprediction;
  }
  accept();
  return report;
}

// Which rows are left out turns with the motion.
void Gssss::revise_rows() {
  if (!rows_left_.revise(now_.state)) return;
  tangent_valid_ = false;
  rows_left_.regroup(now_.lambda);
  if (!at_end_) rows_left_.regroup(multiplier_last_);
}

// Predicts and iterates with kept or new factors.
StepReport Gssss::solve_step() {
  predict();
  StepReport report;
  if (options_.newton == NewtonIteration::source) {
    if (x_position_.size() > 0 && !projection_->factor(end())) report.failure = Failure::singular;
    if (report.ok()) report.failure = iterate_as_source(report.iterations);
    return report;
  }
  const long factorisations = statistics_.factorisations;
  const bool fresh = !tangent_valid_ || economy_.renewal_pays() || !control_.keep_tangent() ||
                     factored_step_ != h_;
  if (fresh) {
    if (!renew_tangent()) report.failure = tangent_failure();
  } else {
    control_.begin(false);
    tangent_fresh_ = false;
  }
  // GGL moves positions along the mass and the Jacobian of the predicted end.
  if (x_position_.size() > 0 && !projection_->factor(end())) report.failure = Failure::singular;
  if (report.ok()) report.failure = iterate(report.iterations);
  if (!report.ok()) try_full_tangent(report);
  economy_.judge(fresh, report.iterations, statistics_.factorisations - factorisations);
  return report;
}

void Gssss::remember(History& history) const {
  history.now = now_;
  history.alg = alg_;
  history.alg_last = alg_last_;
  history.multiplier_last = multiplier_last_;
  history.rates = rates_;
  history.last_h = last_h_;
  history.acceleration_age = acceleration_age_;
  history.multiplier_age = multiplier_age_;
  history.span = history_;
  history.time_carry = time_carry_;
}

void Gssss::recall(const History& history) {
  now_ = history.now;
  alg_ = history.alg;
  alg_last_ = history.alg_last;
  multiplier_last_ = history.multiplier_last;
  rates_ = history.rates;
  last_h_ = history.last_h;
  acceleration_age_ = history.acceleration_age;
  multiplier_age_ = history.multiplier_age;
  history_ = history.span;
  time_carry_ = history.time_carry;
}

// Two trial steps; then v_n gets the velocity error of the smooth solution. Functions that are held
// before a switch do not go on smoothly behind it: no trial step may reach there.
void Gssss::balance_velocity() {
  constexpr double two_steps = 2.0 - 1e-6;
  const system::TimeSwitches* switches = system::time_switches(system_);
  if (switches != nullptr && switches->held().time < now_.state.t + two_steps * h_) return;
  remember(trial_);
  Vector(&w)[3] = balance_rows_;
  system_.velocity_constraint(now_.state, w[0]);
  bool ok = true;
  for (int i = 1; i < 3 && ok; ++i) {
    ok = solve_step().ok();
    if (!ok) break;
    accept();
    system_.velocity_constraint(now_.state, w[i]);
  }
  recall(trial_);
  tangent_valid_ = false;
  if (!ok) return;
  system_.tangent(now_, {.acceleration = 1.0}, nullptr, matrix_);
  if (!solver_->factor(matrix_).ok) return;
  // p_{1/2} = (w_0 + w_1)/2, p_{3/2} = (w_1 + w_2)/2.
  right_side_.head(sizes_.v).setZero();
  right_side_.tail(sizes_.multipliers()) = 0.75 * (w[0] + w[1]) - 0.25 * (w[1] + w[2]) - w[0];
  refined_(*solver_, matrix_, right_side_, solution_);
  if (solution_.allFinite()) now_.state.v += solution_.head(sizes_.v);
}

// The factors are those of positions some steps ago, perhaps: a second pass removes what they
// leave.
void Gssss::remove_forbidden(Vector& v) {
  if (sizes_.multipliers() == 0) return;
  constexpr int passes = 2;
  probe_ = now_.state;
  probe_.v.setZero();
  system_.velocity_constraint(probe_, constraint_);
  for (int pass = 0; pass < passes; ++pass) {
    probe_.v = v;
    system_.velocity_constraint(probe_, rows_);
    right_side_.head(sizes_.v).setZero();
    right_side_.tail(sizes_.multipliers()) = constraint_ - rows_;
    solver_->solve(right_side_, solution_);
    if (!solution_.allFinite()) return;
    v += solution_.head(sizes_.v);
  }
}

// Turns are angles: beyond half a revolution nobody can count them. Lengths have no such limit; a
// step resolves them when what it finds differs little from what was predicted, compared with the
// model or with the way itself. The first step has no history to predict from.
void Gssss::judge_resolution(StepReport& report) const {
  constexpr double half_turn = 3.14159;
  const auto largest = [](const auto& x) { return x.cwiseAbs().maxCoeff(); };
  double turn = 0.0;
  double way = 0.0;
  double turn_error = 0.0;
  double way_error = 0.0;
  in_pieces(sizes_.v, [&](const auto& piece) {
    const auto x = x_(piece);
    const auto error = x - x_predicted_(piece);
    turn = std::max(turn, largest(x.cwiseProduct(turn_scale_(piece))));
    way = std::max(way, largest(x.cwiseProduct(slide_scale_(piece))));
    turn_error = std::max(turn_error, largest(error.cwiseProduct(turn_scale_(piece))));
    way_error = std::max(way_error, largest(error.cwiseProduct(slide_scale_(piece))));
  });
  report.displacement = std::max(turn, way);
  if (last_h_ > 0.0) report.misprediction = std::max(turn_error, way_error);
  const bool predicted = last_h_ > 0.0 && options_.resolution > 0.0;
  const double limit = options_.resolution;
  if (report.ok() &&
      (turn > half_turn ||
       (predicted && (turn_error > limit || way_error > limit * std::max(1.0, way))))) {
    report.failure = Failure::unresolved;
  }
}

// Makes velocities, accelerations and multipliers of t_n consistent: least change of v with G v +
// g_t = 0, then M a + G^T lambda = f, G a + gamma = 0.
void Gssss::restart() {
  tangent_valid_ = false;
  control_.forget();
  level_ = now_;
  system_.tangent(level_, {.acceleration = 1.0}, nullptr, matrix_);
  if (!solver_->factor(matrix_).ok) return;
  right_side_.head(sizes_.v).setZero();
  system_.velocity_constraint(now_.state, constraint_);
  right_side_.tail(sizes_.multipliers()) = -constraint_;
  refined_(*solver_, matrix_, right_side_, solution_);
  if (!solution_.allFinite()) return;
  level_.state.v += solution_.head(sizes_.v);
  system_.forces(level_.state, residual_);
  system_.acceleration_bias(level_.state, constraint_);
  right_side_.head(sizes_.v) = residual_;
  right_side_.tail(sizes_.multipliers()) = -constraint_;
  loaded_(*solver_, refined_, matrix_, system_.constraint_dependent_forces(), right_side_, level_,
          solution_);
  if (!solution_.allFinite()) return;
  now_.state.v = level_.state.v;
  now_.a = solution_.head(sizes_.v);
  now_.lambda = solution_.tail(sizes_.multipliers());
  alg_ = now_.a;
  alg_last_ = now_.a;
  if (!at_end_) multiplier_last_ = now_.lambda;
  last_h_ = 0.0;
  acceleration_age_ = 0.0;
  multiplier_age_ = 0.0;
}

// a_n belongs to t_n - shift h: a new h moves that time. At index 3 the velocity error of the
// smooth solution is p h^2, and a step that begins with that of another h would have to make up for
// it by accelerations of order (h_n - h)^2/h: it is scaled along (members that balance it do
// without). Of a step that is longer by far nothing is known, and the next one may fail.
void Gssss::change_step(double h) {
  constexpr double largest_growth = 10.0;
  if (last_h_ == 0.0 || last_h_ == h) return;
  if (scales_velocity_error_ && h < largest_growth * last_h_) {
    const double ratio = h / last_h_;
    system_.velocity_constraint(now_.state, rows_);
    right_side_.head(sizes_.v).setZero();
    right_side_.tail(sizes_.multipliers()) = (ratio * ratio - 1.0) * rows_;
    right_side_.tail(sizes_.nonholonomic).setZero();
    solver_->solve(right_side_, solution_);
    if (solution_.allFinite()) now_.state.v += solution_.head(sizes_.v);
  }
  if (history_ > 0.0) {
    dx_ = (alg_ - alg_last_) / history_;
    alg_ -= (p_.shift * h - acceleration_age_) * dx_;
    // The extrapolation of predict() looks back by the new step.
    alg_last_ = alg_ - h * dx_;
  }
  acceleration_age_ = p_.shift * h;
  last_h_ = h;
}

void Gssss::predict() {
  // Newton's scales for this h.
  const double in_acceleration = at_end_ ? p_.l6_w1 / p_.w1 : p_.l6_w1;
  sigma_ = p_.l3 * h_ * h_ / in_acceleration;
  // With shift 1 the first acceleration computed belongs to t_0 again; it stands for itself.
  const double span = h_ + acceleration_age_ - p_.shift * h_;
  slope_ = at_end_ ? in_acceleration : (span > 0.0 ? (h_ + acceleration_age_) / span : 1.0);

  // Compensated summation: after any number of steps the time is right to the last digit.
  const double advance = h_ - time_carry_;
  system::State& next = end();
  next.t = now_.state.t + advance;
  next_time_carry_ = (next.t - now_.state.t) - advance;
  if (!shared_) level_.state.t = now_.state.t + p_.w1 * h_;
  if (sizes_.z > 0) next.z = now_.state.z + h_ * rates_;

  // Accelerations go on as they did over the last step. Multipliers do not: those of redundant
  // constraints are undetermined, and extrapolation would make them run away.
  level_.lambda = at_end_ ? now_.lambda : multiplier_last_;
  increment_ = alg_ - alg_last_;
  x_position_.setZero();
  set_from_increment();
  x_predicted_ = x_;
  if (options_.form == NewtonForm::extrapolated) return;
  switch (options_.form) {
    case NewtonForm::velocity:
      increment_ = -alg_ / p_.l5;
      break;
    case NewtonForm::displacement:
      increment_ = -(now_.state.v / h_ + 0.5 * alg_) / p_.l3;
      break;
    default:
      increment_.setZero();
  }
  set_from_increment();
}

const Vector& Gssss::true_acceleration() {
  if (at_end_) return level_.a;
  true_a_ = alg_ + slope_ * increment_;
  return true_a_;
}

// Positions, velocities, accelerations in this order; the history follows them.
bool Gssss::project() {
  const ProjectedLevels levels = options_.projected_levels;
  system::State& next = end();
  if (levels != ProjectedLevels::velocities &&
      !projection_->positions(next, options_.projection_steps).converged) {
    return false;
  }
  if (levels != ProjectedLevels::positions && !projection_->velocities(next)) return false;
  if (levels != ProjectedLevels::all) return true;
  true_acceleration();
  Vector& a = at_end_ ? level_.a : true_a_;
  projection_->accelerations(next, a);
  if (at_end_) {
    increment_ = ((1.0 - p_.w1) * now_.a + p_.w1 * a - alg_) / p_.l6_w1;
  } else {
    increment_ = (a - alg_) / slope_;
  }
  return projection_->multipliers(next, a, rows_) && increment_.allFinite();
}

void Gssss::accept() {
  const bool recovered = projects_accelerations(options_);
  if (at_end_) {
    if (recovered) level_.lambda = rows_;
    now_.lambda = level_.lambda;
    now_.a.swap(level_.a);
  } else {
    // lambda~ stands at t~: extrapolated over the rest of the step.
    const double rest = (1.0 - p_.w1) * h_;
    const double ratio = rest / (p_.w1 * h_ + multiplier_age_);
    if (recovered) {
      now_.lambda = rows_;
      multiplier_last_ = (rows_ + ratio * multiplier_last_) / (1.0 + ratio);
    } else {
      now_.lambda = level_.lambda + ratio * (level_.lambda - multiplier_last_);
      multiplier_last_ = level_.lambda;
    }
    multiplier_age_ = rest;
    true_acceleration();
    now_.a = true_a_;
  }
  std::swap(now_.state, end());
  rows_left_.make_unique(now_.state, now_.lambda);
  alg_last_.swap(alg_);
  alg_ = alg_last_ + increment_;
  history_ = h_ + acceleration_age_ - p_.shift * h_;
  acceleration_age_ = p_.shift * h_;
  last_h_ = h_;
  time_carry_ = next_time_carry_;
  if (sizes_.z > 0) rates_.swap(rates_next_);
}

std::size_t Gssss::memory_bytes() const {
  const int states = shared_ ? 2 : 3;
  const int vectors = 14 + (shared_ ? 0 : 1) + (at_end_ ? 0 : 1);
  const auto numbers = static_cast<std::size_t>(
      states * (sizes_.q + sizes_.v) + vectors * sizes_.v +
      (at_end_ ? 4 : 5) * sizes_.multipliers() + 3 * (sizes_.v + sizes_.multipliers()));
  return numbers * sizeof(double) + matrix_.values.capacity() * sizeof(double) +
         solver_->memory_bytes() + rows_left_.memory_bytes() +
         (projection_ ? projection_->memory_bytes() : 0);
}

}  // namespace trammel::integrators
