#include "trammel/integrators/state_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/integrators/solver_choice.h"
#include "trammel/system/position_measure.h"

namespace trammel::integrators {

using system::Vector;

StateEquations::StateEquations(system::MechanicalSystem& system, const AdaptiveOptions& options)
    : rows_left_(system),
      system_(rows_left_),
      options_(options),
      sizes_(system.sizes()),
      // Where nothing is free, no error chooses the steps: work is not integrated by them.
      book_(system.sizes().v > 0 ? system.energy_book() : nullptr) {
  solver_by_name(options.solver);  // throws when the name is wrong
  dynamics_ = system::forward_dynamics(system);
  if (dynamics_ == nullptr) use_matrix();
  inverse_scale_ = system.displacement_scale().cwiseInverse();
  turn_scale_ = system::inverse_turn_scale(system);
  inverse_weights_.setOnes(size());
  curved_ = find_curvature();
}

void StateEquations::use_matrix() {
  if (!kkt_) {
    kkt_ = std::make_unique<constraint_handling::KktDynamics>(system_,
                                                              solver_by_name(options_.solver));
  }
  dynamics_ = kkt_.get();
}

// Rotations change what is pulled back.
bool StateEquations::find_curvature() {
  const Vector x = Vector::LinSpaced(sizes_.v, 0.3, 0.5);
  const Vector delta = Vector::LinSpaced(sizes_.v, 1.0, -0.7);
  system_.inverse_tangent(x, delta, dx_);
  return dx_ != delta;
}

void StateEquations::start(const system::Motion& motion,
                           const system::Power& work,
                           Vector& y,
                           Vector& dy) {
  motion_ = motion;
  projected_ = motion.state;
  spare_a_ = motion.a;
  spare_lambda_ = motion.lambda;
  origin_ = motion.state.q;
  y.resize(size());
  dy.resize(size());
  y.head(motion_size()) << Vector::Zero(sizes_.v), motion.state.v, motion.state.z;
  if (book_ != nullptr) y.tail<3>() << work.dissipated, work.loads, work.drives;
  rows_left_.begin(motion.state);
  find_round_off();
  // A recursion knows all rows, and needs mass at the ends of its tree; the KKT matrix does without
  // the rows that are left out, and may do without the mass.
  if (rows_left_.any_left_out()) use_matrix();
  if (!rates(motion.state.t, y, dy) && !kkt_) {
    use_matrix();
    rates(motion.state.t, y, dy);
  }
  see_start(y, dy);
}

bool StateEquations::begin_step(double t, const Vector& y) {
  if (!rows_left_.any_left_out()) return false;
  state(t, y, projected_);
  return rows_left_.revise(projected_);
}

void StateEquations::recentre(Vector& y) {
  x_ = y.head(sizes_.v);
  system_.retract(origin_, x_, origin_);
  y.head(sizes_.v).setZero();
  find_round_off();
}

void StateEquations::find_round_off() {
  if (sizes_.v == 0) return;
  projected_.q = origin_;
  system::position_round_off(system_, projected_, round_off_);
  largest_round_off_ = round_off_.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

bool StateEquations::far(const Vector& y) const {
  constexpr double limit = 1.0;  // rad
  return curved_ && largest_turn(y) > limit;
}

bool StateEquations::near(const Vector& x) const {
  constexpr double limit = 2.5;  // rad, below the half turn that can be told apart
  return largest_turn(x) < limit;
}

double StateEquations::largest_turn(const Vector& e) const {
  if (sizes_.v == 0) return 0.0;
  return e.head(sizes_.v).cwiseProduct(turn_scale_).lpNorm<Eigen::Infinity>();
}

bool StateEquations::resolved(const Vector& from, const Vector& to) const {
  constexpr double limit = 2.0;  // rad
  if (!curved_) return true;
  for (int i = 0; i < sizes_.v; ++i) {
    if (!(std::abs(to[i] - from[i]) * turn_scale_[i] <= limit)) return false;
  }
  return true;
}

void StateEquations::state(double t, const Vector& y, system::State& state) const {
  state.t = t;
  state.v = y.head(sizes_.v);  // serves as x
  system_.retract(origin_, state.v, state.q);
  state.v = y.segment(sizes_.v, sizes_.v);
  state.z = y.segment(2 * sizes_.v, sizes_.z);
}

system::Power StateEquations::work(const Vector& y) const {
  if (book_ == nullptr) return {};
  const auto w = y.tail<3>();
  return {.dissipated = w[0], .loads = w[1], .drives = w[2]};
}

void StateEquations::powers(const system::Motion& motion, Vector& dy) {
  if (book_ == nullptr) return;
  unique_ = motion;
  make_unique(unique_);
  book_powers(unique_, dy);
}

void StateEquations::book_powers(const system::Motion& motion, Vector& dy) {
  if (book_ == nullptr) return;
  const system::Power power = book_->power(motion);
  dy.tail<3>() << power.dissipated, power.loads, power.drives;
}

bool StateEquations::accelerations() {
  if (!dynamics_->accelerations(motion_.state, motion_.a, motion_.lambda)) return false;
  make_unique(motion_);
  if (options_.drift == DriftControl::baumgarte && sizes_.multipliers() > 0) add_baumgarte();
  return true;
}

// a += least change with G da = -(2 w g' + w^2 g): multipliers stay those of the true constraint.
void StateEquations::add_baumgarte() {
  const double w = options_.baumgarte_rate;
  system_.velocity_constraint(motion_.state, rows_);
  delta_ = 2.0 * w * rows_;
  system_.position_constraint(motion_.state, rows_);
  delta_ += w * w * rows_;
  dynamics_->constrain(delta_, dx_);
  motion_.a += dx_;
}

bool StateEquations::rates(double t, const Vector& y, Vector& dy) {
  ++evaluations_;
  state(t, y, motion_.state);
  if (!accelerations()) return false;
  if (curved_) {
    x_ = y.head(sizes_.v);
    system_.inverse_tangent(x_, motion_.state.v, dx_);
    dy.head(sizes_.v) = dx_;
  } else {
    dy.head(sizes_.v) = motion_.state.v;
  }
  dy.segment(sizes_.v, sizes_.v) = motion_.a;
  if (sizes_.z > 0) {
    system_.first_order_states()->rates(motion_.state, rates_);
    dy.segment(2 * sizes_.v, sizes_.z) = rates_;
  }
  if (!dy.head(motion_size()).allFinite()) return false;
  book_powers(motion_, dy);
  return true;
}

// One level of the constraints: positions (first = 0) or velocities.
bool StateEquations::project_level(Residual residual,
                                   system::LeastChange& metric,
                                   Vector& y,
                                   int first) {
  constexpr int most_steps = 8;
  constexpr double round_off = 1e-14;
  // Corrections that do not fall any more have met the round-off of positions, which lever arms
  // magnify: by less than this where mechanisms are far from singular.
  constexpr double lever = 1e3;
  const double good_enough = std::max(1e-8, lever * largest_round_off_);
  double speed = 1.0;
  if (first > 0) {
    const double present = projected_.v.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
    speed = std::max(std::min(1.0, largest_speed_), present);
  }
  double size = 0.0;
  for (int i = 0; i < most_steps; ++i) {
    (system_.*residual)(projected_, rows_);
    if (rows_.lpNorm<Eigen::Infinity>() == 0.0) return true;
    metric.constrain(rows_, delta_);
    const double last = size;
    size = delta_.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>() / speed;
    if (!std::isfinite(size)) return false;
    if (i > 0 && size > 0.5 * last) return last < good_enough;  // as good as it gets
    if (first == 0) {
      x_ = y.head(sizes_.v);
      system_.inverse_tangent(x_, delta_, dx_);
      x_ += dx_;
      y.head(sizes_.v) = x_;
      system_.retract(origin_, x_, projected_.q);
    } else {
      y.segment(first, sizes_.v) += delta_;
      projected_.v += delta_;
    }
    if (size < 10.0 * round_off) return true;
  }
  return size < good_enough;
}

bool StateEquations::project_levels(double t, Vector& y, system::LeastChange& metric) {
  using system::MechanicalSystem;
  state(t, y, projected_);
  return (sizes_.holonomic == 0 ||
          project_level(&MechanicalSystem::position_constraint, metric, y, 0)) &&
         project_level(&MechanicalSystem::velocity_constraint, metric, y, sizes_.v);
}

bool StateEquations::project(double t, Vector& y, system::LeastChange& metric) {
  if (options_.drift != DriftControl::projection || sizes_.multipliers() == 0) return true;
  unprojected_ = y;
  if (project_levels(t, y, metric)) return true;
  y = unprojected_;
  state(t, y, projected_);
  return dynamics_->accelerations(projected_, spare_a_, spare_lambda_) &&
         project_levels(t, y, *dynamics_);
}

double StateEquations::speed(const Vector& y) const {
  if (sizes_.v == 0) return 0.0;
  return y.segment(sizes_.v, sizes_.v).cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

// What loads and reactions leave of accelerations where they hold a mechanism at rest is round-off,
// and tells nothing of its speeds. Loads f that nothing resisted would accelerate it by about
// |f|.s/(s.M s) of its sizes s; springs that resist make accelerations of the round-off of
// positions.
bool StateEquations::rests(const Vector& dy) {
  constexpr double round_off = 1e-10;
  constexpr double margin = 10.0;
  if (margin * speed_of_round_off() >= speed(dy)) return true;
  if (book_ == nullptr) return false;
  projected_ = motion_.state;
  projected_.v = system_.displacement_scale();
  const double inertia = 2.0 * book_->energy(projected_).kinetic;
  system_.forces(motion_.state, beside_);
  const double loads = beside_.cwiseAbs().dot(system_.displacement_scale());
  return inertia > 0.0 && speed(dy) <= round_off * loads / inertia;
}

// By how much accelerations change where positions change in their last digits, in sizes.
double StateEquations::speed_of_round_off() {
  if (sizes_.v == 0) return 0.0;
  projected_ = motion_.state;
  x_ = round_off_;
  for (int i = 0; i < sizes_.v; i += 2) x_[i] *= -1.0;
  system_.retract(motion_.state.q, x_, projected_.q);
  if (!dynamics_->accelerations(projected_, spare_a_, spare_lambda_)) return 0.0;
  return (spare_a_ - motion_.a).cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

// From rest, accelerations a reach the speed sqrt(a s) over a way s.
void StateEquations::see_start(const Vector& y, const Vector& dy) {
  constexpr double rest = 1e-10;
  const double from_rest = rests(dy) ? 0.0 : std::sqrt(speed(dy));
  largest_speed_ = std::max(largest_speed_, speed(y));
  if (std::isfinite(from_rest)) largest_speed_ = std::max(largest_speed_, from_rest);
  if (largest_speed_ < rest) largest_speed_ = 1.0;
  if (book_ == nullptr) return;
  exchange_.last_work = work(y);
  projected_ = motion_.state;
  projected_.v = std::min(1.0, largest_speed_) * system_.displacement_scale();
  const double unit = book_->energy(projected_).kinetic;
  if (std::isfinite(unit)) exchange_.unit = unit;
  constexpr double clock_resolution = 1e3 * std::numeric_limits<double>::epsilon();
  projected_.v = clock_resolution * std::abs(motion_.state.t) * motion_.a;
  const double clock = book_->energy(projected_).kinetic;
  if (std::isfinite(clock)) exchange_.clock = clock;
  // Who starts again at an earlier time goes back in the book, too. At the same time something
  // happened that is none of the method's errors: an impact.
  const bool goes_on = exchange_.begun && motion_.state.t >= exchange_.time;
  const double before = exchange_.balance;
  estimated_lack_ = 0.0;
  see_energy(y, motion_.state);
  if (goes_on) exchange_.origin += exchange_.balance - before;
}

void StateEquations::see_energy(const Vector& y, const system::State& state) {
  constexpr int never_closes = 30;
  refusals_ = 0;
  if (missing_steps_ < never_closes) missing_steps_ = missing_ ? missing_steps_ + 1 : 0;
  if (missing_steps_ == never_closes) open_book_ = true;
  missing_ = false;
  if (book_ == nullptr) return;
  const system::Energy energy = book_->energy(state);
  const system::Power done = work(y);
  Exchange& e = exchange_;
  e.time = state.t;
  e.balance = energy.kinetic + energy.potential - (done.loads + done.drives - done.dissipated);
  if (!e.begun) {
    e.lowest_potential = e.highest_potential = energy.potential;
    e.origin = e.balance;
  }
  e.begun = true;
  e.estimated += estimated_lack_;
  e.magnitude = std::abs(energy.kinetic) + std::abs(energy.potential);
  e.kinetic = std::max(e.kinetic, energy.kinetic);
  e.lowest_potential = std::min(e.lowest_potential, energy.potential);
  e.highest_potential = std::max(e.highest_potential, energy.potential);
  e.work += std::abs(done.dissipated - e.last_work.dissipated) +
            std::abs(done.loads - e.last_work.loads) + std::abs(done.drives - e.last_work.drives);
  e.last_work = done;
}

void StateEquations::set_weights(const Vector& y, double share) {
  largest_speed_ = std::max(largest_speed_, speed(y));
  // Shares below this are round-off.
  constexpr double least = 2e-13;
  const auto part = [&](double tolerance) {
    return std::max(share * tolerance, std::min(tolerance, least));
  };
  const double absolute = part(options_.absolute_tolerance);
  const double relative = part(options_.relative_tolerance);
  const double absolute_velocity = absolute * std::min(1.0, largest_speed_);
  const Vector& scale = system_.displacement_scale();
  const int n = sizes_.v;
  for (int i = 0; i < n; ++i) {
    // Errors below round-off cannot be judged.
    constexpr double margin = 10.0;
    const double round_off =
        round_off_[i] + std::numeric_limits<double>::epsilon() * std::abs(y[i]);
    inverse_weights_[i] = 1.0 / std::max((absolute + relative) * scale[i], margin * round_off);
    inverse_weights_[n + i] = 1.0 / (absolute_velocity * scale[i] + relative * std::abs(y[n + i]));
  }
  for (int i = 2 * n; i < motion_size(); ++i) {
    inverse_weights_[i] = 1.0 / (absolute + relative * std::abs(y[i]));
  }
  set_work_weights();
}

// Shares of what was exchanged, and at first, when that is nothing, of the energy of a motion that
// is as slow as the tolerance. Errors of the balance have one sign for many steps where a method
// damps, or meets the same kink again and again: the share of each step falls with what is left of
// eight tolerances for all of them together.
void StateEquations::set_work_weights() {
  if (book_ == nullptr) return;
  constexpr double share_of_work = 0.5;
  constexpr double share_of_balance = 0.05;
  constexpr double share_missing = 0.5;
  constexpr double all_together = 8.0;
  // What Newton's iteration leaves of the balance is a twentieth: below that, steps of implicit
  // methods would be refused for their noise, which grows as they shrink.
  const double least_left = damps_ ? 1.0 : 0.05;
  constexpr int many_refusals = 8;
  constexpr double round_off = 100.0 * std::numeric_limits<double>::epsilon();
  const double absolute = options_.absolute_tolerance;
  const double relative = options_.relative_tolerance;
  const double least =
      absolute * absolute * exchange_.unit + exchange_.clock + round_off * exchange_.magnitude;
  const double patience = std::ldexp(1.0, 2 * std::max(0, refusals_ - many_refusals));
  const auto inverse_weight = [&](double share) {
    const double weight = share * (absolute + relative) * exchange_.total() + least;
    const bool too_many = damps_ && refusals_ >= many_refusals;
    return weight > 0.0 && !too_many ? 1.0 / (patience * weight) : 0.0;
  };
  const double quota = all_together * std::max(absolute, relative) * exchange_.total() + least;
  const double left = quota > 0.0 ? 1.0 - exchange_.lack(damps_ || open_book_) / quota : 1.0;
  const double scarce = std::max(left, least_left);
  inverse_weights_.tail<3>().setConstant(inverse_weight(share_of_work));
  inverse_lack_weight_ = inverse_weight(share_of_balance);
  inverse_energy_weight_ = inverse_weight(share_of_balance * scarce);
  inverse_missing_weight_ = inverse_weight(share_missing * scarce);
}

double StateEquations::energy(double t, const Vector& y) {
  state(t, y, projected_);
  const system::Energy all = book_->energy(projected_);
  return all.kinetic + all.potential;
}

// To first order in e: of second order, stiff springs make much of errors of positions that the
// motion does not have, since implicit methods damp them.
double StateEquations::energy_norm(double t, const Vector& y, const Vector& e) {
  if (book_ == nullptr) return 0.0;
  beside_ = y + e;
  const double above = energy(t, beside_);
  beside_ = y - e;
  const double below = energy(t, beside_);
  const auto w = e.tail<3>();
  const double lack = std::abs(w[1] + w[2] - w[0] - 0.5 * (above - below));
  estimated_lack_ = std::isfinite(lack) ? lack : 0.0;
  return estimated_lack_ * inverse_energy_weight_;
}

double StateEquations::missing_norm(double t, const Vector& y) {
  if (book_ == nullptr || damps_ || open_book_) return 0.0;
  const auto w = y.tail<3>();
  const double balance = energy(t, y) - (w[1] + w[2] - w[0]);
  const double lacked = std::abs(exchange_.balance - exchange_.origin);
  const double grown = std::abs(balance - exchange_.origin) - lacked;
  const double size = std::isfinite(grown) ? std::max(grown, 0.0) * inverse_missing_weight_ : 0.0;
  missing_ = missing_ || size > 1.0;
  return size;
}

double StateEquations::lack_norm(double energy) const {
  const double size = std::abs(energy) * inverse_lack_weight_;
  return std::isfinite(size) ? size : 0.0;
}

// Powers that are no numbers stop no motion.
double StateEquations::work_norm(const Vector& e) const {
  if (book_ == nullptr) return 0.0;
  const double size =
      e.tail<3>().cwiseProduct(inverse_weights_.tail<3>()).lpNorm<Eigen::Infinity>();
  return std::isfinite(size) ? size : 0.0;
}

double StateEquations::norm(const Vector& e) const {
  return std::max(motion_norm(e), work_norm(e));
}

double StateEquations::motion_norm(const Vector& e) const {
  const auto group = [&](int first, int count) {
    if (count == 0) return 0.0;
    const double sum =
        e.segment(first, count).cwiseProduct(inverse_weights_.segment(first, count)).squaredNorm();
    return std::sqrt(sum / count);
  };
  const int n = sizes_.v;
  const double largest = std::max({group(0, n), group(n, n), group(2 * n, sizes_.z)});
  return e.head(motion_size()).allFinite() ? largest : std::numeric_limits<double>::infinity();
}

double StateEquations::position_size(const Vector& e) const {
  if (sizes_.v == 0) return 0.0;
  return e.head(sizes_.v).cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

std::size_t StateEquations::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(3 * sizes_.q + 12 * sizes_.v + 4 * sizes_.z +
                                                2 * sizes_.multipliers());
  return numbers * sizeof(double) + (kkt_ ? kkt_->memory_bytes() : 0) + rows_left_.memory_bytes();
}

}  // namespace trammel::integrators
