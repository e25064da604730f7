// How the two grids of the staggered method are started, kept together and kept stable.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "trammel/integrators/staggered.h"

namespace trammel::integrators {

using system::Vector;

namespace {

constexpr int period_with_dampers = 10;  // steps between rebuilding half stations
constexpr int period_without = 20;       // odd ones keep constraints less well
constexpr int steps_between_looks = 50;  // at the stability limit
constexpr double stable = 2.0;           // of h w
constexpr double nearly_unstable = 1.8;
constexpr double noticeable_decay = 1e-8;  // of h c: exp(h c N) is 1 for a million steps

}  // namespace

// Puts a velocity on the smooth solution of the grids' velocity constraint, with the matrices of
// its station factored.
bool Staggered::balance(system::State& state) {
  const double r = 0.5 * h_;
  system_.velocity_constraint(state, rows_);
  probe_ = state;
  probe_.v = jerk_;
  system_.velocity_constraint(probe_, rows_of_jerk_);
  rows_ += 0.5 * r * r * rows_of_jerk_;
  probe_.v.setZero();
  system_.velocity_constraint(probe_, rows_of_jerk_);
  rows_ -= 0.5 * r * r * rows_of_jerk_;
  if (options_.penalty.nonholonomic == constraint_handling::NonholonomicRows::acceleration) {
    rows_.tail(sizes_.nonholonomic).setZero();
  }
  reactions_->constrain(rows_, x_);
  if (!x_.allFinite()) return false;
  state.v += x_;
  return true;
}

// a(q moved by dt velocity, v + dv) - a_n into `change`.
bool Staggered::change_of_acceleration(
    const Vector& velocity, double dt, double dv, const Vector& of_velocity, Vector& change) {
  move(now_.state.q, velocity, dt, half_.state.q);
  half_.state.v = now_.state.v + dv * of_velocity;
  if (!find_accelerations(half_)) return false;
  change = half_.a - now_.a;
  return true;
}

// The half station after t_n, from what is at t_n: a motion that begins there need not have been
// before. The formulas are those of the header.
bool Staggered::synchronise(double h) {
  if (!fresh_ && !find_accelerations(now_)) return false;
  const double r = 0.5 * h;
  if (reactions_ != nullptr && h != h_) reactions_->set_half_step(r);
  h_ = h;
  half_.lambda = now_.lambda;
  half_.state.t = now_.state.t + r;
  if (sizes_.z > 0) {
    set_rates(now_, last_rates_);
    half_.state.z = now_.state.z + r * last_rates_;
  }
  // Where joints hold, along the curved way that they leave.
  const double curved = constrained() ? 0.5 * r : 0.0;
  mean_velocity_ = now_.state.v + curved * now_.a;
  if (!change_of_acceleration(mean_velocity_, r, r, now_.a, jerk_)) return false;
  jerk_ /= r;
  if (sizes_.z > 0) {
    set_rates(half_, rates_);
    half_.state.z += 0.5 * r * (rates_ - last_rates_);
  }
  if (constrained() && options_.rule == ReactionRule::none) {
    second_change_.setZero();  // as published: what is left of constraints is to be seen
    fourth_change_.setZero();
  } else {
    half_.state.t = now_.state.t;
    const bool found = change_of_acceleration(now_.a, r * r, r * r, jerk_, second_change_) &&
                       change_of_acceleration(jerk_, r * r * r, r, second_change_, fourth_change_);
    if (!found) return false;
  }
  half_.state.t = now_.state.t + r;
  mean_velocity_ = now_.state.v + 0.5 * r * (now_.a - second_change_);
  move(now_.state.q, mean_velocity_, r, half_.state.q);
  half_.state.v = now_.state.v + r * now_.a + 0.5 * r * (r * jerk_ - fourth_change_) -
                  0.5 * curved * second_change_;
  if (constrained() && options_.rule == ReactionRule::penalty) {
    if (!reactions_->factor(half_.state) || !balance(half_.state) ||
        !reactions_->factor(now_.state) || !balance(now_.state)) {
      return false;
    }
  }
  if (!fresh_) ++resynchronisations_;
  fresh_ = false;
  since_rebuilt_ = 0;
  return true;
}

int Staggered::period() const {
  if (options_.resynchronise >= 0) return options_.resynchronise;
  return dissipates_ ? period_with_dampers : period_without;
}

bool Staggered::rebuilding_due() const {
  return period() > 0 && since_rebuilt_ >= period();
}

// ---- stability

double Staggered::fastest_rotation() const {
  double square = 0.0;
  for (const system::FreedomPart& part : parts_) {
    if (!part.rotation) continue;
    const double* const w = now_.state.v.data() + part.first_v;
    square = std::max(square, w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  }
  return std::sqrt(square);
}

// Springs and dampers as they are now.
void Staggered::look_at_limit(double h) {
  look_due_ = false;
  since_look_ = 0;
  force_limit_ = std::numeric_limits<double>::infinity();
  if (!limit_.has_value()) return;
  StepLimit::Accelerate accelerate;
  if (operators_ != nullptr) {
    accelerate = [this](const Vector& r, Vector& x) { operators_->solve_mass(now_.state, r, x); };
  } else {
    if (!reactions_->factor(now_.state)) return;
    accelerate = [this](const Vector& r, Vector& x) { reactions_->accelerate(r, x); };
  }
  limit_->look(now_, accelerate);
  set_force_limit(h);
  tell_rebuilding();
}

void Staggered::set_force_limit(double h) {
  dissipates_ = dissipates_ || sizes_.z > 0 || h * limit_->decay() > noticeable_decay;
  force_limit_ = longest_stable_step(limit_->frequency(), limit_->decay(), period());
}

void Staggered::tell_rebuilding() {
  if (rebuilding_told_ || !dissipates_ || options_.resynchronise > 0) return;
  rebuilding_told_ = true;
  if (options_.resynchronise == 0) {
    notes_.emplace_back(
        "something dissipates energy, or has states of its own, and resynchronise is 0: the two "
        "grids of the staggered method come apart exponentially; give resynchronise: 10");
  } else {
    notes_.push_back(fmt::format(
        "something dissipates energy, or has states of its own: half stations are rebuilt every {} "
        "steps (resynchronise)",
        period_with_dampers));
  }
}

bool Staggered::within_limit(double h) {
  if (look_due_ || since_look_ >= steps_between_looks || h > h_) look_at_limit(h);
  const double rotation = fastest_rotation();
  longest_step_ = force_limit_;
  if (rotation > 0.0) longest_step_ = std::min(longest_step_, stable / rotation);
  const bool stops = options_.above_limit == AboveLimit::stop;
  if (h > longest_step_ && stops) return false;
  if (!near_limit_told_ && h > nearly_unstable / stable * longest_step_) {
    near_limit_told_ = true;
    notes_.push_back(
        fmt::format("at t = {:.6g} s the step ({:.3g} s) is {} the stability limit of "
                    "the staggered method, {:.3g} s",
                    now_.state.t, h, h > longest_step_ ? "above" : "close to", longest_step_));
  }
  return true;
}

// ---- the end of a step

void Staggered::accept(double h, StepReport& report) {
  x_ = half_.state.v.cwiseQuotient(system_.displacement_scale());
  report.displacement = h * system::largest(x_);
  std::swap(now_, next_);
  if (constrained()) {
    rows_left_.make_unique(now_.state, now_.lambda);
    tell_penalty();
  }
  ++since_rebuilt_;
  ++since_look_;
  ++statistics_.steps;
  statistics_.iterations += 1;
  statistics_.most_iterations = 1;
  statistics_.residual_evaluations = evaluations_;
  if (reactions_ != nullptr) statistics_.factorisations = reactions_->factorisations();
  statistics_.largest_displacement =
      std::max(statistics_.largest_displacement, report.displacement);
}

// One note, written anew where the violation has grown, into memory that it has.
void Staggered::tell_penalty() {
  if (options_.rule != ReactionRule::penalty) return;
  const double violation = reactions_->violation();
  if (penalty_note_ >= 0 && violation < 1.5 * told_violation_) return;
  if (penalty_note_ < 0) {
    constexpr std::size_t long_enough = 500;
    penalty_note_ = static_cast<int>(notes_.size());
    notes_.emplace_back().reserve(long_enough);
  }
  told_violation_ = violation;
  std::string& text = notes_[static_cast<std::size_t>(penalty_note_)];
  text.clear();
  fmt::format_to(std::back_inserter(text),
                 "penalty constraint stabilisation: epsilon {:.2g} to {:.2g}{}, which lets "
                 "constraints be violated by {:.2g}",
                 reactions_->least_epsilon(), reactions_->largest_epsilon(),
                 options_.penalty.epsilon > 0.0 ? "" : " (chosen by row)", violation);
  constexpr double soft = 0.05;
  if (reactions_->softness() <= soft) return;
  fmt::format_to(std::back_inserter(text),
                 "; that is {:.2g} times the size (h/2)^2 G M^-1 G^T of a row, so that the penalty "
                 "softens the constraints: give a smaller epsilon, or 0 to have it chosen",
                 reactions_->softness());
}

std::size_t Staggered::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(
      4 * (sizes_.q + 2 * sizes_.v + sizes_.z + sizes_.multipliers()) + 6 * sizes_.v);
  return numbers * sizeof(double) + rows_left_.memory_bytes() +
         (reactions_ ? reactions_->memory_bytes() : 0) + (limit_ ? limit_->memory_bytes() : 0);
}

}  // namespace trammel::integrators
