#include "trammel/analysis/kinematic_march.h"

#include <algorithm>
#include <cmath>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/dense_factors.h"
#include "trammel/linear/block_ldlt.h"

namespace trammel::analysis {
namespace {

constexpr double largest_turn = 0.5;  // of the displacement scale: half a radian, half the model

}  // namespace

Orientation::Orientation(system::MechanicalSystem& system, const system::State& state) {
  const int n = system.sizes().v;
  if (n == 0 || n > comfortable_size) return;
  const Matrix scaled =
      constraint_jacobian(system, state) * system.displacement_scale().asDiagonal();
  rows_ = independent_rows(scaled, Matrix::Identity(n, n), Vector::Ones(n), n, subspace_tolerance);
  if (static_cast<int>(rows_.size()) < n) rows_.clear();
  std::sort(rows_.begin(), rows_.end());
}

int Orientation::sign(system::MechanicalSystem& system, const system::State& state) const {
  if (rows_.empty()) return 1;
  const Matrix G = constraint_jacobian(system, state);
  Matrix square(static_cast<Eigen::Index>(rows_.size()), G.cols());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    square.row(static_cast<Eigen::Index>(i)) = G.row(rows_[i]);
  }
  // The determinant itself could overflow.
  const Eigen::PartialPivLU<Matrix> lu(square);
  auto sign = static_cast<int>(lu.permutationP().determinant());
  for (const double pivot : lu.matrixLU().diagonal()) {
    if (pivot < 0.0) sign = -sign;
  }
  return sign;
}

KinematicMarch::KinematicMarch(model::ModelSystem& system, bool positions_determined)
    : system_(system),
      switches_(system::time_switches(system)),
      positions_determined_(positions_determined),
      closure_(system),
      projection_(system, std::make_unique<linear::BlockLdlt>()) {}

void KinematicMarch::start(const system::Motion& motion) {
  motion_ = motion;
  last_a_ = motion.a;
  last_h_ = 0.0;
  orientation_ = Orientation(system_, motion.state);
  sign_ = orientation_.sign(system_, motion.state);
  turned_ = false;
  time_carry_ = 0.0;
  system_.accept(motion.state);
}

// x' = inverse_tangent(x, v(t, q)), where v solves KSP/1.
bool KinematicMarch::runge_kutta(double h, Vector& x) {
  Vector k[4];
  const double nodes[] = {0.0, 0.5, 0.5, 1.0};
  system::State stage = motion_.state;
  Vector at;
  for (int i = 0; i < 4; ++i) {
    at = i == 0 ? Vector::Zero(x.size()) : Vector(nodes[i] * h * k[i - 1]);
    stage.t = motion_.state.t + nodes[i] * h;
    system_.retract(motion_.state.q, at, stage.q);
    stage.v = motion_.state.v + nodes[i] * h * motion_.a;
    if (!projection_.velocities(stage)) return false;
    system_.inverse_tangent(at, stage.v, k[i]);
  }
  x = h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3]);
  return x.allFinite();
}

bool KinematicMarch::predict(double h, system::State& state, Vector& x) {
  state = motion_.state;
  x = h * motion_.state.v + 0.5 * h * h * motion_.a;
  if (!positions_determined_ && !runge_kutta(h, x)) return false;
  if (!(scaled_size(x, system_.displacement_scale()) < largest_turn)) return false;
  state.t += h;
  system_.retract(motion_.state.q, x, state.q);
  state.v = motion_.state.v + h * motion_.a;
  return true;
}

// Velocities, accelerations and multipliers of a new position.
bool KinematicMarch::follow(double h,
                            const system::State& state,
                            const Vector& x,
                            system::Motion& next) {
  next.state = state;
  if (!projection_.velocities(next.state)) return false;
  const double scale_of_change =
      h * scaled_size(next.state.v - state.v, system_.displacement_scale());
  // Where the motion is smooth, velocities follow their extrapolation.
  if (!(scale_of_change <= std::max(0.02, scaled_size(x, system_.displacement_scale())))) {
    return false;
  }
  next.a = motion_.a;
  if (last_h_ > 0.0) next.a += (motion_.a - last_a_) * (h / last_h_);
  projection_.accelerations(next.state, next.a);
  if (!next.a.allFinite()) return false;
  return projection_.multipliers(next.state, next.a, next.lambda);
}

bool KinematicMarch::step(double h) {
  system::State state;
  Vector x;
  if (!predict(h, state, x)) return false;
  const Vector predicted = state.q;
  const constraint_handling::ProjectionReport closed = closure_.positions(state, {});
  iterations_ += closed.iterations;
  if (!closed.converged) return false;
  Vector correction;
  system_.logarithm(predicted, state.q, correction);
  const Vector& scale = system_.displacement_scale();
  const double size = scaled_size(correction, scale);
  const double move = scaled_size(x, scale);
  if (!(size <= std::max(0.02, 0.2 * move))) return false;
  const int sign = orientation_.sign(system_, state);
  const bool turned = sign != sign_;
  // Through a singular position the motion is smooth; onto the mirrored assembly it is a jump.
  if (turned && !(size <= 0.01 * move + 1e-9)) return false;
  system::Motion next;
  if (!follow(h, state, x, next)) return false;
  last_a_ = motion_.a;
  last_h_ = h;
  motion_ = std::move(next);
  sign_ = sign;
  turned_ = turned;
  ++steps_;
  system_.accept(motion_.state);
  return true;
}

double KinematicMarch::part_to_switch(double h) {
  if (switches_ == nullptr) return h;
  const double t = motion_.state.t;
  const system::TimeSwitch next = switches_->next_switch(t, h, system::TimeSwitch::restarts);
  switches_->hold_before(next);
  return std::min(h, next.time - t);
}

// Positions go on; velocities and accelerations are those of the other side.
bool KinematicMarch::cross(double slack) {
  if (switches_ == nullptr || motion_.state.t < switches_->held().time - slack) return true;
  system::Motion motion = motion_;
  motion.state.t = std::max(motion.state.t, switches_->held().last);
  switches_->hold_before({});
  if (!closure_.positions(motion.state, {}).converged) return false;
  if (!projection_.velocities(motion.state)) return false;
  projection_.accelerations(motion.state, motion.a);
  if (!motion.a.allFinite()) return false;
  if (!projection_.multipliers(motion.state, motion.a, motion.lambda)) return false;
  start(motion);
  return true;
}

bool KinematicMarch::advance(double h) {
  // Compensated summation: after any number of steps the time is right.
  const double begin = motion_.state.t;
  const double advance = h - time_carry_;
  const double end = begin + advance;
  const double carry = (end - begin) - advance;
  const double smallest = std::ldexp(h, -most_halvings);
  double part = h;
  bool turned = false;
  while (end - motion_.state.t > 0.5 * smallest) {
    part = std::min(part, end - motion_.state.t);
    const double taken = part_to_switch(part);
    const bool at_switch =
        switches_ != nullptr && switches_->held().time <= motion_.state.t + smallest;
    if (at_switch || step(taken)) {
      turned = turned || turned_;
      if (!cross(smallest)) return false;
      if (taken == part) part *= 2.0;
    } else {
      part = 0.5 * taken;
      if (part < smallest) return false;
    }
  }
  motion_.state.t = end;
  time_carry_ = carry;
  turned_ = turned;
  return true;
}

}  // namespace trammel::analysis
