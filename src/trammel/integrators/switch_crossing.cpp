#include "trammel/integrators/switch_crossing.h"

#include <algorithm>

namespace trammel::integrators {

using system::TimeSwitch;

SwitchCrossing::SwitchCrossing(system::MechanicalSystem& system)
    : system_(system), start_(system), switches_(*system::time_switches(system)) {}

Failure SwitchCrossing::cross(system::Motion& motion, double slack) {
  see_before(motion);
  int order = switches_.held().order;
  motion.state.t = std::max(motion.state.t, switches_.held().last);
  switches_.hold_before({});
  while (true) {
    const TimeSwitch next = switches_.next_switch(motion.state.t, slack, TimeSwitch::restarts);
    if (next.time > motion.state.t + slack) break;
    motion.state.t = next.last;
    order = std::min(order, next.order);
  }
  if (!close_positions(motion.state)) return Failure::jump;
  const Failure failure = change_velocities(motion, order);
  if (failure != Failure::none) return failure;
  start_.accelerations(motion.state, motion.a, motion.lambda);
  if (!motion.a.allFinite() || !motion.lambda.allFinite()) return Failure::not_finite;
  see_after(motion);
  return Failure::none;
}

// Positions of a step are on the constraints but for its drift, a small part of the model's size.
bool SwitchCrossing::close_positions(system::State& state) {
  constexpr double drift = 1e-4;
  if (system_.sizes().holonomic == 0) return true;
  closed_ = state;
  if (!start_.positions(closed_, {}).converged) return false;
  system_.logarithm(state.q, closed_.q, x_);
  const double moved = x_.cwiseQuotient(system_.displacement_scale()).lpNorm<Eigen::Infinity>();
  state.q = closed_.q;
  return moved < drift;
}

Failure SwitchCrossing::change_velocities(system::Motion& motion, int /*order*/) {
  start_.velocities(motion.state, {});
  return motion.state.v.allFinite() ? Failure::none : Failure::singular;
}

}  // namespace trammel::integrators
