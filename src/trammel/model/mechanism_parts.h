// Steps of building a mechanism that joints, forces and connections share.
#pragma once

#include "trammel/model/kinds.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
typename S::Point point(const Eigen::Vector3d& p) {
  return p.head<S::dimension>();
}

/// Kinematics of a body's centre of mass from the described pose and velocity of its frame.
inline Planar::Kinematics described_kinematics(const Body& body, const Planar&) {
  Planar::Kinematics k;
  k.angle = body.kind == BodyKind::point ? 0.0 : body.angle;
  k.R = Eigen::Rotation2Dd(k.angle).toRotationMatrix();
  k.w = body.kind == BodyKind::point ? 0.0 : body.angular_velocity.z();
  const Eigen::Vector2d arm = k.R * body.mass.center.head<2>();
  k.p = body.position.head<2>() + arm;
  k.v = body.velocity.head<2>() + k.w * perpendicular(arm);
  return k;
}

inline Spatial::Kinematics described_kinematics(const Body& body, const Spatial&) {
  Spatial::Kinematics k;
  if (body.kind == BodyKind::rigid) {
    k.R = body.orientation.normalized().toRotationMatrix();
    k.w = body.angular_velocity;
  }
  k.p = body.position + k.R * body.mass.center;
  k.v = body.velocity + k.R * k.w.cross(body.mass.center);
  return k;
}

/// Mistakes that show only when an item is built get its name; what they named before stays.
[[noreturn]] inline void throw_under(const std::string& path, const core::InputError& error) {
  std::vector<core::Diagnostic> diagnostics = error.diagnostics();
  for (core::Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.path.empty()) diagnostic.message = diagnostic.path + ": " + diagnostic.message;
    diagnostic.path = path;
  }
  throw core::InputError(std::move(diagnostics));
}

template <class S>
std::unique_ptr<Force<S>> build_force(const ForceKind& kind,
                                      const Values& values,
                                      const NodeFrame<S>& a,
                                      const NodeFrame<S>& b) {
  if constexpr (S::space == Space::planar) {
    return kind.build_planar(values, a, b);
  } else {
    return kind.build_spatial(values, a, b);
  }
}

template <class S>
void build_joint(const JointKind& kind, const Values& values, JointAssembly<S>& assembly) {
  if constexpr (S::space == Space::planar) {
    kind.build_planar(values, assembly);
  } else {
    kind.build_spatial(values, assembly);
  }
}

}  // namespace trammel::model
