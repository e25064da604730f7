#include "trammel/analysis/euler_angle_watch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "trammel/analysis/unilateral_model.h"
#include "trammel/formulation/relative_system.h"
#include "trammel/model/assembly/mechanism_system.h"
#include "trammel/model/euler_coordinate.h"
#include "trammel/model/node_state.h"

namespace trammel::analysis {
namespace {

constexpr double radians_per_degree = std::numbers::pi / 180.0;
// Of the second angle from its singular value: read angles are of no use there, held ones soon.
constexpr double near_for_readers = 1.0 * radians_per_degree;
constexpr double near_for_drives = 5.0 * radians_per_degree;

// Whether a constraint reads it.
bool held_by_constraint(const model::Mechanism<model::Spatial>& mechanism,
                        const model::Coordinate<model::Spatial>* angle) {
  const model::Direction<model::Spatial>* direction = angle;
  for (const auto& named : mechanism.relations) {
    for (const auto& input : named.relation.formula().inputs()) {
      if (input.direction.get() == direction) return true;
    }
  }
  return false;
}

const model::EulerCoordinate* as_euler(const model::Coordinate<model::Spatial>* coordinate) {
  return dynamic_cast<const model::EulerCoordinate*>(coordinate);
}

std::string other_sequences(const std::string& sequence) {
  return sequence.front() == sequence.back() ? "xyz or zyx" : "zxz or xyx";
}

}  // namespace

EulerAngleWatch::EulerAngleWatch(model::ModelSystem& system)
    : relative_(relative_model(system)), scale_(system.displacement_scale()) {
  system::MechanicalSystem* at = relative_ != nullptr ? &relative_->absolute() : &system;
  for (; at != nullptr; at = at->behind()) {
    const auto* spatial = dynamic_cast<model::MechanismSystem<model::Spatial>*>(at);
    if (spatial != nullptr) mechanism_ = &spatial->mechanism();
  }
  if (mechanism_ != nullptr) find();
}

void EulerAngleWatch::find() {
  for (const auto& joint : mechanism_->joints) {
    Angles angles{.name = joint.name};
    for (const auto& named : joint.coordinates) {
      const model::EulerCoordinate* euler = as_euler(named.coordinate.get());
      if (euler == nullptr) continue;
      angles.angle = euler;
      angles.held = angles.held || held_by_constraint(*mechanism_, euler);
    }
    angles.node_a = joint.a.node;
    angles.node_b = joint.b.node;
    if (angles.angle != nullptr) angles_.push_back(std::move(angles));
  }
  for (const auto& sensor : mechanism_->sensors) {
    const model::EulerCoordinate* euler = as_euler(sensor.measure.coordinate.get());
    if (euler == nullptr) continue;
    angles_.push_back({.name = sensor.name,
                       .held = held_by_constraint(*mechanism_, euler),
                       .angle = euler,
                       .node_a = sensor.measure.node_a,
                       .node_b = sensor.measure.node_b});
  }
  for (Angles& angles : angles_) angles.sequence = angles.angle->sequence().name();
}

void EulerAngleWatch::look(const system::Motion& motion) {
  const system::State& state =
      relative_ != nullptr ? relative_->to_absolute(motion).state : motion.state;
  const auto nodes = model::kinematics_at(*mechanism_, state);
  for (Angles& angles : angles_) {
    angles.distance =
        angles.angle->distance_from_singularity(nodes[static_cast<std::size_t>(angles.node_a)],
                                                nodes[static_cast<std::size_t>(angles.node_b)]);
  }
}

void EulerAngleWatch::follow(const system::Motion& motion) {
  if (angles_.empty()) return;
  const system::State& state = motion.state;
  constexpr double part = 0.5;  // of the way to the nearest singularity
  path_ += state.v.cwiseQuotient(scale_).lpNorm<1>() * std::abs(state.t - time_);
  time_ = state.t;
  if (looked_ && path_ < part * distance_) return;
  looked_ = true;
  look(motion);
  path_ = 0.0;
  distance_ = std::numbers::pi;
  for (Angles& angles : angles_) {
    distance_ = std::min(distance_, angles.distance);
    if (angles.distance >= angles.nearest) continue;
    angles.nearest = angles.distance;
    angles.nearest_time = state.t;
  }
}

bool EulerAngleWatch::near(const Angles& angles, double distance) const {
  return distance < (angles.held ? near_for_drives : near_for_readers);
}

std::vector<std::string> EulerAngleWatch::notes() const {
  constexpr std::size_t most = 10;
  std::vector<std::string> list;
  for (const Angles& a : angles_) {
    if (!near(a, a.nearest)) continue;
    const std::string where = fmt::format(
        "the angles {} of '{}' come within {:.2g} deg of where they are singular, at t "
        "= {:.6g} s: ",
        a.sequence, a.name, a.nearest / radians_per_degree, a.nearest_time);
    list.push_back(
        where +
        (a.held ? fmt::format("what drives or couples them asks for ever faster turns there; use "
                              "another sequence such as {}, or rates of rotation",
                              other_sequences(a.sequence))
                : fmt::format("the first and the third jump and their rates are without bound; the "
                              "motion is not concerned. Another sequence such as {} has its "
                              "singularity elsewhere",
                              other_sequences(a.sequence))));
    if (list.size() == most) break;
  }
  return list;
}

EulerAngleWatch::Trouble EulerAngleWatch::trouble(const system::Motion& motion) {
  if (angles_.empty()) return {};
  look(motion);
  for (const Angles& a : angles_) {
    if (!a.held || !near(a, a.distance)) continue;
    return {fmt::format("the angles {} of '{}' are {:.2g} deg from where they are singular, and a "
                        "drive or coupling holds them",
                        a.sequence, a.name, a.distance / radians_per_degree),
            fmt::format("use another sequence of angles, such as {}, whose singularity the motion "
                        "does not meet; or drive components of the angular velocity (type: rate)",
                        other_sequences(a.sequence))};
  }
  return {};
}

}  // namespace trammel::analysis
