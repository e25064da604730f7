// Newton's iteration of a GSSSS step.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "trammel/constraint_handling/row_sizes.h"
#include "trammel/integrators/gssss.h"
#include "trammel/integrators/pieces.h"
#include "trammel/system/position_measure.h"

namespace trammel::integrators {

using system::Vector;

// Everything that belongs to da, at t_{n+1} and at the level.
void Gssss::set_from_increment(double dx_share) {
  const double h = h_;
  const double hh = h_ * h_;
  system::State& next = end();
  const bool ggl = x_position_.size() > 0;
  acceleration_size_ = 0.0;
  turn_rate_ = 0.0;
  const auto measure = [](const auto& piece, const Vector& x, const Vector& scale, double& size) {
    size = std::max(size, x(piece).cwiseProduct(scale(piece)).cwiseAbs().maxCoeff());
  };
  in_pieces(sizes_.v, [&](const auto& piece) {
    if (dx_share != 0.0) increment_(piece) += dx_share * dx_(piece);
    const auto v = now_.state.v(piece);
    const auto alg = alg_(piece);
    const auto increment = increment_(piece);
    x_(piece) = h * v + hh * (0.5 * alg + p_.l3 * increment);
    if (ggl) x_(piece) += x_position_(piece);
    next.v(piece) = v + h * (alg + p_.l5 * increment);
    measure(piece, next.v, turn_scale_, turn_rate_);
    level_.a(piece) = alg + p_.l6_w1 * increment;
    if (at_end_) level_.a(piece) = (level_.a(piece) - (1.0 - p_.w1) * now_.a(piece)) / p_.w1;
    measure(piece, level_.a, inverse_scale_, acceleration_size_);
    if (shared_) return;
    x_level_(piece) = p_.w1 * h * v + hh * (p_.l2_w2 * alg + p_.l3_w3 * increment);
    if (ggl) x_level_(piece) += p_.l3_w3 / p_.l3 * x_position_(piece);
    level_.state.v(piece) = v + h * (p_.w1 * alg + p_.l5_w2 * increment);
  });
  system_.retract(now_.state.q, x_, next.q);
  if (shared_) return;
  system_.retract(now_.state.q, x_level_, level_.state.q);
  if (sizes_.z > 0) level_.state.z = now_.state.z + p_.w1 * (next.z - now_.state.z);
}

bool Gssss::renew_tangent() {
  const double position = at_end_ ? 1.0 : p_.l3_w3 / p_.l3;
  const double velocity = (at_end_ ? p_.l5 : p_.l5_w2) / (p_.l3 * h_);
  const system::Weights weights{
      .position = sigma_ * position, .velocity = sigma_ * velocity, .acceleration = 1.0};
  system_.tangent(level_, weights, solver_->symmetric() ? nullptr : &x_, matrix_);
  const linear::FactorReport report = solver_->factor(matrix_);
  ++statistics_.factorisations;
  if (report.wrong_signs > 0) ++statistics_.wrong_signs;
  redundant_ = report.dependent_rows > 0;
  tangent_valid_ = report.ok;
  tangent_fresh_ = true;
  factored_step_ = h_;
  control_.begin(true);
  if (report.ok && floor_ > 0.0) find_floor();
  return report.ok;
}

Failure Gssss::tangent_failure() const {
  const bool finite = std::all_of(matrix_.values.begin(), matrix_.values.end(),
                                  [](double value) { return std::isfinite(value); });
  return finite ? Failure::singular : Failure::not_finite;
}

// Rounding in q limits what a correction can mean; far from the origin floor_ takes its place.
constexpr double round_off = 1e-14;

double Gssss::wanted_tolerance() const {
  return options_.newton_tolerance * h_ * h_ *
         std::max(acceleration_size_, turn_rate_ * turn_rate_);
}

Failure Gssss::iterate(int& iterations) {
  int renewals = 0;
  double size = 0.0;
  while (iterations < options_.most_iterations) {
    ++iterations;
    size = correct();
    if (!std::isfinite(size)) return Failure::not_finite;
    const double wanted = wanted_tolerance();
    const double least = std::max(round_off, floor_);
    const NewtonControl::Verdict verdict =
        control_.judge(size, std::max(wanted, least), redundant_, exact_tangent_);
    if (verdict == NewtonControl::Verdict::converged) {
      // At small steps what is wanted lies below what can be judged; 1/h^2 would make the rest of
      // it visible in accelerations. One more correction leaves nothing but round-off.
      if (wanted < least && size > 0.1 * least) {
        ++iterations;
        if (!std::isfinite(correct())) return Failure::not_finite;
      }
      return Failure::none;
    }
    if (verdict == NewtonControl::Verdict::go_on) continue;
    if (at_round_off(size)) return Failure::none;
    const Failure failure = renew(renewals);
    if (failure != Failure::none) return reason(failure, size);
  }
  return reason(Failure::slow, size);
}

// Rows are solved for the displacement that mends them, R2 l3 h^2 over the factor of C that the
// source has in its Jacobian.
double Gssss::source_rows() const {
  const double in_increment = 1.0 / (p_.l3 * h_ * h_);
  const RowWeights& a = holonomic_;
  const RowWeights& b = nonholonomic_;
  const double holonomic = in_increment * (a.position + a.velocity + slope_ * a.acceleration);
  const double nonholonomic = in_increment * (b.velocity + slope_ * b.acceleration);
  return std::sqrt((holonomic * right_side_.segment(sizes_.v, sizes_.holonomic)).squaredNorm() +
                   (nonholonomic * right_side_.tail(sizes_.nonholonomic)).squaredNorm());
}

// The iteration of [Huang2014, sec. 4.1]: its published counts are those of its corrections and two
// more. Its tolerance is a number of newtons: loads that are small beside it, or so large that
// round-off is more, are known to a part of themselves. R2 cannot fall below the round-off of
// positions over l3 h^2. First-order states, which the source has not, are known to
// newton_tolerance of themselves.
Failure Gssss::iterate_as_source(int& iterations) {
  constexpr double of_loads = 1e-6;
  constexpr double round_off_of_loads = 1e-13;
  constexpr double margin = 20.0;
  const double length = std::max(std::min(1.0, system_.displacement_scale().minCoeff()),
                                 now_.state.q.lpNorm<Eigen::Infinity>());
  const double of_rows =
      std::max(options_.newton_tolerance,
               margin * std::numeric_limits<double>::epsilon() * length / (p_.l3 * h_ * h_));
  double of_residual = options_.newton_tolerance;
  bool states_known = sizes_.z == 0;
  while (true) {
    set_equations();
    system_.forces(level_.state, rows_);
    largest_load_ = std::max(largest_load_, rows_.norm());
    if (largest_load_ > 0.0) {
      of_residual = std::clamp(options_.newton_tolerance, round_off_of_loads * largest_load_,
                               of_loads * largest_load_);
    }
    const double size = std::hypot(residual_.norm() / of_residual, source_rows() / of_rows);
    if (!std::isfinite(size)) return Failure::not_finite;
    if (size < 1.0 && states_known) return Failure::none;
    if (iterations == options_.most_iterations) return Failure::slow;
    if (!renew_tangent()) return tangent_failure();
    ++iterations;
    const double moved = move_by_solution();
    if (!std::isfinite(moved)) return Failure::not_finite;
    states_known = sizes_.z == 0 || moved <= std::max({wanted_tolerance(), round_off, floor_});
  }
}

// Corrections that do not fall any more may be what round-off makes of nothing.
bool Gssss::at_round_off(double size) {
  constexpr double stagnant = 0.3;
  constexpr double small = 1e-5;  // rad or model sizes; round-off is never larger
  if (!(size < small) || control_.theta() < stagnant) return false;
  if (floor_ == 0.0) find_floor();
  return size <= constraint_handling::round_off_margin * floor_;
}

// With the round-off e of positions, the equations are wrong by up to |A| e, one as much as the
// other but with signs that know nothing of each other: what a correction makes of such errors.
void Gssss::find_floor() {
  system::position_round_off(system_, end(), dx_);
  const system::KktPattern& pattern = *matrix_.pattern;
  right_side_.setZero();
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    // Loads know nothing of where an angle is.
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double in_loads = turn_scale_[column] > 0.0 ? eps / inverse_scale_[column] : dx_[column];
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const int row = pattern.row[entry];
      right_side_[row] +=
          std::abs(matrix_.values[entry]) * (row < pattern.velocities ? in_loads : dx_[column]);
    }
  }
  std::uint32_t sign = 1;  // xorshift
  for (double& error : right_side_) {
    sign ^= sign << 13U;
    sign ^= sign >> 17U;
    sign ^= sign << 5U;
    if ((sign & 1U) != 0) error = -error;
  }
  solver_->solve(right_side_, right_side_);
  const double error =
      right_side_.head(sizes_.v).cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
  floor_ = std::isfinite(error) ? error : 0.0;
  constexpr double much = 1e4;
  system::position_round_off(system_, end(), dx_);
  magnified_ = floor_ > much * dx_.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

Failure Gssss::reason(Failure failure, double size) const {
  constexpr double near = 1e3;
  // Near a singular position the equations magnify any round-off: that is what to tell then.
  const bool lost =
      floor_ > 0.0 && !magnified_ && size < near * floor_ && wanted_tolerance() < floor_;
  return lost && (failure == Failure::diverged || failure == Failure::slow) ? Failure::round_off
                                                                            : failure;
}

// Once, where round-off in a step's displacement shows in its accelerations.
void Gssss::note_round_off() {
  constexpr double noticeable = 0.01;
  const double error = floor_ / (p_.l3 * h_ * h_);
  const double size = std::max(acceleration_size_, turn_rate_ * turn_rate_);
  if (round_off_noted_ || magnified_ || !(error > noticeable * size)) return;
  round_off_noted_ = true;
  system::position_round_off(system_, end(), dx_);
  const double largest = dx_.maxCoeff();
  notes_.push_back(fmt::format(
      "coordinates of {:.2g} m carry a round-off of {:.1g} m, which steps of {:.3g} s "
      "show in accelerations and reactions (about {:.0f} % of the largest at t = {:.6g} "
      "s); describe the model nearer to the origin, or take longer steps",
      largest / std::numeric_limits<double>::epsilon(), largest, h_,
      100.0 * std::min(error / size, 1.0), now_.state.t));
}

Failure Gssss::renew(int& renewals) {
  if (control_.theta() > 1.0 && renewals > 4) return Failure::diverged;
  // A new tangent converges no faster than the last one where its constraint block is not exact.
  constexpr double converging = 0.5;
  if (!exact_tangent_ && tangent_fresh_ && control_.theta() < converging) return Failure::none;
  // A fresh tangent that converges slowly lacks its unsymmetric part, or the step is too large.
  if (tangent_fresh_ && control_.theta() > 0.3 && renewals > 1 && full_tangent_helps()) {
    use_full_tangent();
  }
  ++renewals;
  return renew_tangent() ? Failure::none : tangent_failure();
}

void Gssss::residuals() {
  ++statistics_.residual_evaluations;
  if (options_.conservation == Conservation::energy) {
    system_.discrete_gradients()->residual_between(now_.state, level_, end(), x_, residual_);
  } else {
    system_.residual(level_, residual_, constraint_);
  }
}

// What the constraint rows leave at t_{n+1}, as displacements that would mend it.
void Gssss::set_constraint_rows() {
  auto rows = right_side_.tail(sizes_.multipliers());
  if (exact_tangent_) {
    // residual() has given g, and A v + a of nonholonomic rows with dv = l5 / (l3 h) dx.
    rows.head(sizes_.holonomic) = -constraint_.head(sizes_.holonomic);
    rows.tail(sizes_.nonholonomic) = -p_.l3 * h_ / p_.l5 * constraint_.tail(sizes_.nonholonomic);
    return;
  }
  rows.setZero();
  const RowWeights& a = holonomic_;
  const RowWeights& b = nonholonomic_;
  const double of_velocity = p_.l3 * h_ / p_.l5;
  const double of_acceleration = p_.l3 * h_ * h_;
  const double holonomic = a.position + a.velocity + slope_ * a.acceleration;
  const double nonholonomic = b.velocity + slope_ * b.acceleration;
  if (a.position > 0.0) {
    system_.position_constraint(end(), rows_);
    add_row_level(a.position / holonomic, 0.0);
  }
  if (a.velocity > 0.0 || (b.velocity > 0.0 && sizes_.nonholonomic > 0)) {
    system_.velocity_constraint(end(), rows_);
    add_row_level(of_velocity * a.velocity / holonomic, of_velocity * b.velocity / nonholonomic);
  }
  if (a.acceleration > 0.0) {
    acceleration_constraint_(end(), true_acceleration(), rows_);
    add_row_level(of_acceleration / holonomic, of_acceleration / nonholonomic);
  }
}

void Gssss::add_row_level(double holonomic, double nonholonomic) {
  right_side_.segment(sizes_.v, sizes_.holonomic) -= holonomic * rows_.head(sizes_.holonomic);
  right_side_.tail(sizes_.nonholonomic) -= nonholonomic * rows_.tail(sizes_.nonholonomic);
}

// One correction; returns its size relative to the displacement scale.
double Gssss::correct() {
  set_equations();
  return move_by_solution();
}

void Gssss::set_equations() {
  residuals();
  right_side_.head(sizes_.v) = -sigma_ * residual_;
  set_constraint_rows();
}

double Gssss::move_by_solution() {
  solver_->solve(right_side_, right_side_);
  solution_.swap(right_side_);
  Vector& delta = residual_;  // its memory serves twice
  delta = solution_.head(sizes_.v);
  if (redundant_) remove_undetermined_multipliers();
  level_.lambda += solution_.tail(sizes_.multipliers()) / sigma_;
  system_.inverse_tangent(x_, delta, dx_);
  set_from_increment(1.0 / (p_.l3 * h_ * h_));
  double size = delta.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
  if (x_position_.size() > 0) size = std::max(size, correct_positions());
  if (sizes_.z > 0) {
    const double change = correct_states();
    size = std::isnan(change) ? change : std::max(size, change);
  }
  return size;
}

// GGL's own part of the displacement, x_position = -M^-1 G^T mu with g(q_{n+1}) = 0.
double Gssss::correct_positions() {
  Vector& delta = residual_;
  system_.position_constraint(end(), rows_);
  projection_->solve(rows_, delta);
  system_.inverse_tangent(x_, delta, dx_);
  x_position_ += dx_;
  set_from_increment();
  return delta.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

// Self-stresses of redundant constraints answer to nothing but round-off. With S = G K^-1 G^T and
// the floor e of its pivots, y' = (S + e)^-1 S y keeps what the motion determines and drops the
// rest.
void Gssss::remove_undetermined_multipliers() {
  right_side_.head(sizes_.v).setZero();
  right_side_.tail(sizes_.multipliers()) = solution_.tail(sizes_.multipliers());
  matrix_.multiply(right_side_, product_);
  right_side_.head(sizes_.v) = product_.head(sizes_.v);
  right_side_.tail(sizes_.multipliers()).setZero();
  solver_->solve(right_side_, product_);
  solution_.tail(sizes_.multipliers()) = product_.tail(sizes_.multipliers());
}

// One Newton iteration of the trapezoidal rule for z. Its size is such that it converges where each
// state is known to newton_tolerance of the largest value that it had, whatever the displacements
// ask for; states that never rise above 1e-6 count as 1e-6.
double Gssss::correct_states() {
  system::FirstOrderStates& states = *system_.first_order_states();
  system::State& next = end();
  states.rates(next, rates_next_);
  states.rate_tangent(next, rate_tangent_);
  rate_tangent_ *= -0.5 * h_;
  rate_tangent_.diagonal().array() += 1.0;
  state_factors_.compute(rate_tangent_);
  // Minus the error of the rule.
  dz_ = now_.state.z - next.z + 0.5 * h_ * (rates_ + rates_next_);
  state_change_ = state_factors_.solve(dz_);
  next.z += state_change_;
  if (!shared_) level_.state.z += p_.w1 * state_change_;
  if (!state_change_.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  constexpr double least_state = 1e-6;
  largest_state_ = largest_state_.cwiseMax(next.z.cwiseAbs());
  const double change =
      (state_change_.array().abs() / largest_state_.array().max(least_state)).maxCoeff();
  return std::max({wanted_tolerance(), round_off, floor_}) / options_.newton_tolerance * change;
}

bool Gssss::full_tangent_helps() const {
  constexpr double noticeable = 0.05;
  return options_.solver == "auto" && solver_->symmetric() && matrix_.asymmetry() > noticeable;
}

// What the symmetric part leaves out may be what an iteration diverged by, small as it is beside
// the largest entries: the step is tried again with all of the tangent, which stays where that
// helps.
void Gssss::try_full_tangent(StepReport& report) {
  constexpr int most_in_vain = 3;
  constexpr double any = 1e-6;
  const bool diverged = report.failure == Failure::diverged || report.failure == Failure::slow;
  if (!diverged || options_.solver != "auto" || !solver_->symmetric() || x_position_.size() > 0 ||
      vain_full_tangents_ >= most_in_vain || !(matrix_.asymmetry() > any)) {
    return;
  }
  std::unique_ptr<linear::KktSolver> other = linear::make_solver("klu");
  other->analyse(system_.pattern());
  other.swap(solver_);
  control_.forget();
  predict();
  Failure failure = renew_tangent() ? Failure::none : tangent_failure();
  int again = 0;
  if (failure == Failure::none) failure = iterate(again);
  report.iterations += again;
  if (failure == Failure::none) {
    report.failure = failure;
    notes_.push_back(fmt::format(
        "with the symmetric part of the tangent the step at t = {:.6g} s failed; the full tangent "
        "(klu) is used from there on",
        now_.state.t));
    return;
  }
  ++vain_full_tangents_;
  other.swap(solver_);
  tangent_valid_ = false;
  control_.forget();
}

void Gssss::use_full_tangent() {
  notes_.push_back(
      fmt::format("the symmetric part of the tangent converged slowly at t = {:.6g} s; the full "
                  "tangent (klu) is "
                  "used from there on",
                  now_.state.t));
  solver_ = linear::make_solver("klu");
  solver_->analyse(system_.pattern());
  control_.forget();
}

}  // namespace trammel::integrators
