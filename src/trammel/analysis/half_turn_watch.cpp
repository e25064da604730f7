#include "trammel/analysis/half_turn_watch.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "trammel/analysis/part_observables.h"

namespace trammel::analysis {

HalfTurnWatch::HalfTurnWatch(model::ModelSystem& system) : system_(system) {
  const std::string ending = ".rotation.x";
  const model::ObservableChoice loads =
      observables_of(system, [](model::PartKind kind, std::string_view) {
        return kind == model::PartKind::force || kind == model::PartKind::connection;
      });
  for (const model::Observable& each : loads.chosen) {
    const std::string& name = each.quantity.name;
    if (each.quantity.description != "rotation vector" || !name.ends_with(ending)) continue;
    watched_.push_back(
        {.name = name.substr(0, name.size() - ending.size()), .channel = each.number});
  }
  if (!watched_.empty()) values_.resize(loads.total);
}

// Steps turn bodies by much less than a quarter of a turn: what points the other way then, and was
// and is longer than that, has jumped. Without stiffness nothing comes of it.
void HalfTurnWatch::follow(const system::Motion& motion) {
  if (watched_.empty()) return;
  constexpr double long_vector = 0.5 * std::numbers::pi;
  constexpr double noticeable = 0.2;
  constexpr std::size_t torques = 6;  // behind the rotation: three forces
  system_.observe(motion, values_.data());
  const auto vector = [&](std::size_t i) {
    return Eigen::Vector3d(values_[i], values_[i + 1], values_[i + 2]);
  };
  for (Watched& one : watched_) {
    const Eigen::Vector3d theta = vector(one.channel);
    const Eigen::Vector3d torque = vector(one.channel + torques);
    const bool both_long = theta.norm() > long_vector && one.theta.norm() > long_vector;
    const double change = (torque - one.torque).norm();
    const bool felt = change > noticeable * std::max(torque.norm(), one.torque.norm());
    if (both_long && felt && theta.dot(one.theta) < 0.0 && one.jumps++ == 0) {
      one.first_time = motion.state.t;
    }
    one.theta = theta;
    one.torque = torque;
  }
}

std::vector<Doubt> HalfTurnWatch::doubts() const {
  std::vector<Doubt> list;
  for (const Watched& one : watched_) {
    if (one.jumps == 0) continue;
    const std::string times = one.jumps == 1 ? "once" : fmt::format("{} times", one.jumps);
    list.push_back(
        {"bushing",
         fmt::format("'{}' passed half a turn {}, first at t = {:.6g} s: its rotation vector and "
                     "its torque jumped to the other side there, and are not those of a mount that "
                     "is wound up",
                     one.name, times, one.first_time),
         "hold turns as large as that by a joint with a coordinate_spring along its angle, which "
         "counts whole turns, and give the bushing no rotational stiffness"});
  }
  return list;
}

}  // namespace trammel::analysis
