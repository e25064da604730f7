#include "trammel/integrators/staggered.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "trammel/integrators/solver_choice.h"

namespace trammel::integrators {

using system::Vector;

namespace {

constexpr double stability = 2.0;  // of h w

}  // namespace

void move_by_parts(const system::MechanicalSystem& system,
                   std::span<const system::FreedomPart> parts,
                   const Vector& q,
                   const Vector& v,
                   double h,
                   Vector& scratch,
                   Vector& moved) {
  if (parts.empty()) {
    scratch = h * v;
    system.retract(q, scratch, moved);
    return;
  }
  moved.resize(q.size());
  for (const system::FreedomPart& part : parts) {
    if (!part.rotation) {
      moved.segment(part.first_q, part.count) =
          q.segment(part.first_q, part.count) + h * v.segment(part.first_v, part.count);
      continue;
    }
    const double* const e = q.data() + part.first_q;
    const double* const w = v.data() + part.first_v;
    const double k = 0.25 * h;
    const double s = k * k * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double own = (1.0 - s) / (1.0 + s);
    const double turn = 2.0 * k / (1.0 + s);
    const double e0 = own * e[0] - turn * (w[0] * e[1] + w[1] * e[2] + w[2] * e[3]);
    const double e1 = own * e[1] + turn * (w[0] * e[0] + w[2] * e[2] - w[1] * e[3]);
    const double e2 = own * e[2] + turn * (w[1] * e[0] - w[2] * e[1] + w[0] * e[3]);
    const double e3 = own * e[3] + turn * (w[2] * e[0] + w[1] * e[1] - w[0] * e[2]);
    // Round-off alone is left to remove.
    const double unit = 1.5 - 0.5 * (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3);
    moved.segment<4>(part.first_q) = unit * Eigen::Vector4d(e0, e1, e2, e3);
  }
}

namespace {

// Whether q'' = -w^2 q - c q', with h = 1, does not grow when half stations are rebuilt every K
// steps: the spectral radius of what K steps make of (q, v).
bool stays_bounded(double w, double c, int K) {
  using State = Eigen::Vector2d;
  const double r = 0.5;
  const auto f = [&](const State& y) { return State(y[1], -w * w * y[0] - c * y[1]); };
  const auto after = [&](State y) {
    const State second = r * r * f(f(y));
    State half = y + r * f(y) + 0.5 * second - 0.5 * r * r * f(f(second));
    for (int i = 0; i < K; ++i) {
      if (i > 0) half += f(y);
      y += f(half);
    }
    return y;
  };
  Eigen::Matrix2d A;
  A << after({1.0, 0.0}), after({0.0, 1.0});
  const double trace = A.trace();
  const double determinant = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  const double square = 0.25 * trace * trace - determinant;
  const double radius =
      square < 0.0 ? std::sqrt(determinant) : 0.5 * std::abs(trace) + std::sqrt(square);
  constexpr double round_off = 1e-9;
  return radius <= 1.0 + round_off;
}

}  // namespace

double longest_stable_step(double frequency, double decay, int resynchronise) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double by_frequency = frequency > 0.0 ? stability / frequency : infinity;
  // Grids that are never rebuilt come apart with dampers at any step, which is told elsewhere.
  if (decay == 0.0 || resynchronise == 0) return by_frequency;
  // Which oscillation has the damper is not known.
  constexpr int parts = 100;
  const double most = std::min(by_frequency, stability / decay);
  double h = most;
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    for (int i = 1; i <= parts; ++i) {
      const double tried = most * i / parts;
      if (tried > h) break;
      if (!stays_bounded(share * frequency * tried, decay * tried, resynchronise)) {
        h = most * (i - 1) / parts;
        break;
      }
    }
  }
  return h;
}

Staggered::Staggered(system::MechanicalSystem& system, StaggeredOptions options)
    : rows_left_(system),
      system_(rows_left_),
      options_(std::move(options)),
      sizes_(system.sizes()),
      parts_(system::freedom_parts(system)) {
  if (!constrained()) {
    system::Operators* products = system::operators(system);
    if (products != nullptr && products->mass_obstacle().empty()) operators_ = products;
    if (operators_ == nullptr) recursion_ = system::forward_dynamics(system);
  }
  auto solver = solver_by_name(options_.solver);
  if (operators_ == nullptr && recursion_ == nullptr) {
    reactions_ = std::make_unique<constraint_handling::PenaltyStabilisation>(
        system_, std::move(solver), options_.penalty);
  }
  // Recursions do without a matrix, and would need one for this.
  if (recursion_ == nullptr && sizes_.v > 0) limit_.emplace(system_);
  longest_step_ = std::numeric_limits<double>::infinity();
}

void Staggered::start(const system::Motion& motion) {
  now_ = motion;
  if (constrained()) {
    rows_left_.begin(motion.state);
    rows_left_.regroup(now_.lambda);
    reactions_->begin(now_.lambda);
  }
  half_ = now_;
  next_ = now_;
  rows_left_.make_unique(now_.state, now_.lambda);
  h_ = 0.0;
  fresh_ = true;
  time_carry_ = 0.0;
  look_due_ = true;
  for (Vector* v : {&x_, &f_, &jerk_, &second_change_, &fourth_change_, &mean_velocity_}) {
    v->setZero(sizes_.v);
  }
  rates_.setZero(sizes_.z);
  settle_memory();
}

// ---- accelerations

bool Staggered::free_accelerations(system::Motion& m) {
  if (operators_ != nullptr) {
    system_.forces(m.state, f_);
    operators_->solve_mass(m.state, f_, m.a);
    return m.a.allFinite();
  }
  if (recursion_ != nullptr) {
    return recursion_->accelerations(m.state, m.a, m.lambda) && m.a.allFinite();
  }
  return reactions_->solve_accelerations(m);
}

// At acceleration level.
bool Staggered::find_accelerations(system::Motion& m) {
  ++evaluations_;
  return constrained() ? reactions_->solve_accelerations(m) : free_accelerations(m);
}

bool Staggered::solve_station(const system::Motion& before, system::Motion& m) {
  if (!constrained() || options_.rule == ReactionRule::none) return find_accelerations(m);
  ++evaluations_;
  return reactions_->solve(before.state.v, before.lambda, m);
}

bool Staggered::solve_full_station() {
  const bool extrapolates = constrained() && options_.rule == ReactionRule::penalty &&
                            options_.full_stations == FullStations::extrapolated;
  if (!extrapolates) return solve_station(half_, next_);
  ++evaluations_;
  next_.lambda = 2.0 * half_.lambda - now_.lambda;
  return reactions_->solve_with_multipliers(next_);
}

void Staggered::set_rates(const system::Motion& motion, Vector& rates) {
  if (sizes_.z > 0) system_.first_order_states()->rates(motion.state, rates);
}

// ---- the step

// One grid, from `motion` over h by what the other one has in the middle.
bool Staggered::advance(double h, const system::Motion& middle, system::Motion& motion) {
  move(motion.state.q, middle.state.v, h, motion.state.q);
  motion.state.v += h * middle.a;
  if (sizes_.z > 0) {
    set_rates(middle, rates_);
    motion.state.z += h * rates_;
  }
  return motion.state.q.allFinite() && motion.state.v.allFinite();
}

bool Staggered::next_half_station(double h) {
  if (h != h_ || rebuilding_due()) return synchronise(h);
  half_.state.t = now_.state.t + 0.5 * h;
  return advance(h, now_, half_);
}

StepReport Staggered::step(double h) {
  StepReport report;
  if (constrained() && rows_left_.revise(now_.state)) {
    rows_left_.regroup(now_.lambda);
    h_ = 0.0;
  }
  const auto failed = [&](Failure failure) {
    h_ = 0.0;
    ++statistics_.failed_steps;
    report.failure = failure;
    return report;
  };
  if (!within_limit(h)) return failed(Failure::unstable);
  // Compensated summation: after any number of steps the time is right to the last digit.
  const double step = h - time_carry_;
  const double end = now_.state.t + step;
  bool ok = next_half_station(h) && solve_station(now_, half_);
  if (ok) {
    next_ = now_;
    next_.state.t = end;
    ok = advance(h, half_, next_);
    ok = ok && solve_full_station();
  }
  if (!ok) return failed(Failure::not_finite);
  time_carry_ = (end - now_.state.t) - step;
  accept(h, report);
  return report;
}

}  // namespace trammel::integrators
