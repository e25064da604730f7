#include "trammel/integrators/state_space_newmark.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace trammel::integrators {

using system::Vector;

StateSpaceNewmark::StateSpaceNewmark(system::MechanicalSystem& system, StateSpaceOptions options)
    : StateSpaceIntegrator(system, std::move(options)), tangent_(form_) {
  residuals_.reserve(static_cast<std::size_t>(options_.most_iterations) + 1);
  // w h <= 1/sqrt(gamma/2 - beta) without damping [Hughes 1987, eq. 9.1.21].
  const double lack = 0.5 * options_.gamma - options_.beta;
  if (options_.rule != ImplicitRule::newmark || !(lack > 0.0)) return;
  form_.tell(fmt::format(
      "with 2 beta < gamma Newmark's rule is stable only where a step is at most {:.2g} "
      "of the shortest period of the model; beta: {:g} is stable always",
      1.0 / (2.0 * std::numbers::pi * std::sqrt(lack)), 0.5 * options_.gamma));
}

int StateSpaceNewmark::order() const {
  return options_.rule == ImplicitRule::newmark && options_.gamma == 0.5 ? 2 : 1;
}

void StateSpaceNewmark::begin() {
  x_.setZero(form_.sizes().v);
}

void StateSpaceNewmark::set_rule(double h) {
  if (options_.rule == ImplicitRule::backward_euler) {
    rule_ = {{h * h, h, h}, 0.0, 0.0, 1.0};
    return;
  }
  rule_ = {{options_.beta * h * h, options_.gamma * h, options_.gamma * h},
           0.5 - options_.beta,
           1.0 - options_.gamma,
           options_.gamma};
}

// What the rule knows before s, and where the iteration begins.
Failure StateSpaceNewmark::predict(double t, double h) {
  const system::State& state = now_.state;
  const int nd = form_.freedoms();
  const int nk = form_.carried();
  x_ = h * state.v + rule_.position_share * h * h * now_.a;
  form_.project_velocity(x_, x_known_);
  scratch_ = state.v + rule_.velocity_share * h * now_.a;
  form_.project_velocity(scratch_, v_known_);
  form_.project_position(state.v, p_);
  carried_known_ = (1.0 - rule_.theta) * h * p_.tail(nk);
  form_.project_velocity(now_.a, s_);
  if (form_.sizes().z > 0) form_.system().first_order_states()->rates(state, rates_);
  if (options_.predictor == StatePredictor::hold || nd == 0) {
    x_ = h * state.v + 0.5 * h * h * now_.a;
    form_.guess_displacement(x_);
    return Failure::none;
  }
  const bool taylor = options_.predictor == StatePredictor::taylor;
  if (taylor) x_ = h * state.v + 0.5 * h * h * now_.a;
  form_.guess_displacement(x_);
  form_.project_position(x_, p_);
  if (const Failure failure = form_.set_positions(t, p_); failure != Failure::none) return failure;
  if (taylor) {
    scratch_ = state.v + h * now_.a;
    form_.project_velocity(scratch_, p_rate_);
  } else {
    p_rate_ = v_known_;
  }
  form_.set_velocities(p_rate_);
  if (form_.sizes().z > 0) form_.motion().state.z = state.z + h * rates_;
  scratch_.setZero(nd);
  if (form_.accelerations(scratch_)) s_ = scratch_;
  return Failure::none;
}

// Positions and velocities of s; those of carried coordinates depend on each other.
Failure StateSpaceNewmark::set_state(double t, double h) {
  constexpr int most_rounds = 50;
  constexpr double tolerance = 1e-13;
  const int nd = form_.freedoms();
  const int nk = form_.carried();
  p_rate_ = v_known_ + rule_.weights.velocity * s_;
  p_.resize(nd + nk);
  p_.head(nd) = x_known_ + rule_.weights.position * s_;
  const std::vector<int>& independent = form_.partition().independent;
  for (int round = 0; round < most_rounds; ++round) {
    for (int i = 0; i < nk; ++i) {
      const int component = independent[static_cast<std::size_t>(nd + i)];
      p_[nd + i] = carried_known_[i] + rule_.theta * h * form_.motion().state.v[component];
    }
    if (const Failure failure = form_.set_positions(t, p_); failure != Failure::none) {
      return failure;
    }
    form_.set_velocities(p_rate_);
    double change = 0.0;
    for (int i = 0; i < nk; ++i) {
      const int component = independent[static_cast<std::size_t>(nd + i)];
      const double next = carried_known_[i] + rule_.theta * h * form_.motion().state.v[component];
      const double scale = form_.system().displacement_scale()[component];
      change = std::max(change, std::abs(next - p_[nd + i]) / scale);
    }
    if (!std::isfinite(change)) return Failure::not_finite;
    if (change <= std::max(tolerance, form_.floor())) return Failure::none;
  }
  return Failure::slow;
}

// z = z_n + h ((1 - theta) z'_n + theta z'(z)).
bool StateSpaceNewmark::solve_states(double h) {
  system::FirstOrderStates& states = *form_.system().first_order_states();
  system::State& next = form_.motion().state;
  constexpr int most_steps = 20;
  constexpr double tolerance = 1e-13;
  constexpr double good_enough = 1e-9;
  double last = 0.0;
  for (int i = 0; i < most_steps; ++i) {
    states.rates(next, state_rates_);
    states.rate_tangent(next, rate_tangent_);
    rate_tangent_ *= -rule_.theta * h;
    rate_tangent_.diagonal().array() += 1.0;
    state_factors_.compute(rate_tangent_);
    state_change_ =
        now_.state.z - next.z + h * ((1.0 - rule_.theta) * rates_ + rule_.theta * state_rates_);
    scratch_ = state_factors_.solve(state_change_);
    if (!scratch_.allFinite()) return false;
    next.z += scratch_;
    const double size = (scratch_.array().abs() / next.z.array().abs().max(1e-6)).maxCoeff();
    if (size <= tolerance || (i > 0 && size >= 0.5 * last && size <= good_enough)) return true;
    last = size;
  }
  return last <= good_enough;
}

Failure StateSpaceNewmark::evaluate(double t, double h) {
  if (const Failure failure = set_state(t, h); failure != Failure::none) return failure;
  if (form_.sizes().z > 0 && !solve_states(h)) return Failure::slow;
  form_.set_accelerations(s_);
  if (!form_.set_multipliers(psi_)) return Failure::slow;
  double size = 0.0;
  for (Eigen::Index i = 0; i < psi_.size(); ++i) {
    size = std::max(size, std::abs(psi_[i]) * form_.independent_scale()[i]);
    if (!std::isfinite(psi_[i])) return Failure::not_finite;
  }
  if (!form_.motion().lambda.allFinite()) return Failure::not_finite;
  const double load = form_.load_size();
  residuals_.push_back(load > 0.0 ? size / load : size);
  return Failure::none;
}

bool StateSpaceNewmark::arrived(int iterations, double h, double size, double last) {
  constexpr double round_off = 1e-15;
  constexpr double stagnant = 1e-9;
  if (residuals_.back() <= options_.newton_tolerance) return true;
  if (iterations == 0) return false;
  const double moved = std::max(rule_.weights.position, rule_.weights.velocity * h) * size;
  if (moved <= round_off) return true;
  if (iterations == 1) return false;
  const double rate = size / last;
  const Vector& scale = form_.system().displacement_scale();
  const double accelerations = form_.motion().a.cwiseQuotient(scale).lpNorm<Eigen::Infinity>();
  if (rate < 0.5 && rate / (1.0 - rate) * size <= options_.newton_tolerance * accelerations) {
    return true;
  }
  return iterations > 2 && rate > 0.3 && moved <= std::max(stagnant, form_.floor());
}

Failure StateSpaceNewmark::advance(double t, double h, int& iterations) {
  constexpr double hopeless = 1e6;
  set_rule(h);
  residuals_.clear();
  if (const Failure failure = predict(t, h); failure != Failure::none) return failure;
  if (const Failure failure = evaluate(t, h); failure != Failure::none) return failure;
  const double first = residuals_.front();
  double size = 0.0;
  double last = 0.0;
  for (int i = 0;; ++i) {
    if (psi_.size() == 0 || arrived(i, h, size, last)) return Failure::none;
    if (i == options_.most_iterations) return Failure::slow;
    if (residuals_.back() > hopeless * std::max(first, options_.newton_tolerance)) {
      return Failure::diverged;
    }
    factors_.compute(tangent_.jacobian(rule_.weights, options_.iteration));
    ds_ = factors_.solve(psi_);
    if (!ds_.allFinite()) return Failure::singular;
    s_ -= ds_;
    ++iterations;
    last = size;
    size = ds_.cwiseQuotient(form_.independent_scale()).lpNorm<Eigen::Infinity>();
    if (const Failure failure = evaluate(t, h); failure != Failure::none) return failure;
  }
}

}  // namespace trammel::integrators
