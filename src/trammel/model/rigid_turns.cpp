// Angles that are known only up to whole turns, continued from one accepted state to the next.
#include <algorithm>

#include "trammel/model/mechanism_parts.h"
#include "trammel/model/rigid_system.h"

namespace trammel::model {
namespace {

double relative_speed(const Planar::Kinematics& a, const Planar::Kinematics& b) {
  return std::abs(b.w - a.w);
}
double relative_speed(const Spatial::Kinematics& a, const Spatial::Kinematics& b) {
  return (b.R * b.w - a.R * a.w).norm();
}

}  // namespace

template <class S>
void RigidSystem<S>::track_angles(const system::State& state) {
  update(state);
  settle(state);
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    mechanism_->connections[i].connection->accept(memories_[i]);
  }
  std::size_t number = 0;
  for_wrapping(*mechanism_, [&](const Coordinate<S>& coordinate, int a, int b) {
    double& last = tracked_[number++];
    last = nearest_turn(coordinate.value(at(a), at(b)), last);
  });
}

template <class S>
void RigidSystem<S>::restart_angles() {
  tracked_ = mechanism_->described_turns;
  track_angles(mechanism_->described);
}

// Angles of which two are the same in some position (Bryant angles) have rates without bound near
// it; what counts is how fast the bodies turn against each other.
template <class S>
double RigidSystem<S>::fastest_turn(const system::State& state) {
  if (tracked_.empty()) return 0.0;
  constexpr double most = 4.0;  // times the relative angular velocity
  update(state);
  if (!memories_.empty()) settle_moving(state);
  double fastest = 0.0;
  for_wrapping(*mechanism_, [&](const Coordinate<S>& coordinate, int a, int b) {
    const double speed = most * relative_speed(at(a), at(b));
    if (speed <= fastest) return;
    fastest = std::max(fastest, std::min(speed, std::abs(coordinate.rate(at(a), at(b)))));
  });
  return fastest;
}

template void RigidSystem<Planar>::track_angles(const system::State&);
template void RigidSystem<Spatial>::track_angles(const system::State&);
template void RigidSystem<Planar>::restart_angles();
template void RigidSystem<Spatial>::restart_angles();
template double RigidSystem<Planar>::fastest_turn(const system::State&);
template double RigidSystem<Spatial>::fastest_turn(const system::State&);

}  // namespace trammel::model
