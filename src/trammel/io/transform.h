// Where a copy of a sub-assembly stands: mirrored in its own coordinates, then turned and shifted.
//
//     x' = t + Q S x,   S = diag(+-1, +-1, +-1)
//
// A mirrored body needs a right-handed frame of its own, so the same S acts on the components in
// every frame fixed to a body as well [each R' = Q S R S]:
//
//     polar vectors (positions, forces)                u' = S u
//     axial vectors (angular velocities, torques)      a' = det(S) S a
//     rotations                                        R' = S R S
//     inertia tensors                                  J' = S J S
//
// In the plane, angles change their sign with det(S).
#pragma once

#include <string>

#include <Eigen/Geometry>

#include "trammel/model/description.h"

namespace trammel::io {

struct Transform {
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();           ///< t, m
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  ///< Q
  Eigen::Vector3d stated_turn =
      Eigen::Vector3d::Zero();                      ///< of Q, as in model::Body; its parent's axes
  Eigen::Vector3d signs = Eigen::Vector3d::Ones();  ///< the diagonal of S

  bool is_identity() const;
  /// Moves without turning or mirroring.
  bool is_shift() const;
  bool is_mirrored() const { return handedness() < 0.0; }
  /// det(S)
  double handedness() const { return signs.prod(); }

  Eigen::Vector3d point(const Eigen::Vector3d& p) const { return shift + vector(p); }
  /// A polar vector in axes that the transform turns.
  Eigen::Vector3d vector(const Eigen::Vector3d& u) const { return turn * mirrored(u); }
  /// S u, for components in a frame fixed to a body.
  Eigen::Vector3d mirrored(const Eigen::Vector3d& u) const { return signs.cwiseProduct(u); }
  Eigen::Vector3d mirrored_axial(const Eigen::Vector3d& a) const {
    return handedness() * mirrored(a);
  }
  /// The stated turn of a rotation R after the transform, both in axes outside of R.
  Eigen::Vector3d turned(const Eigen::Vector3d& stated) const {
    return stated_turn + turn * mirrored_axial(stated);
  }
  /// S R S
  Eigen::Quaterniond mirrored(const Eigen::Quaterniond& rotation) const;
};

/// First `inner`, then `outer`.
Transform operator*(const Transform& outer, const Transform& inner);

/// A frame fixed in a body.
void mirror(const Transform& transform, model::Frame& frame);
/// A frame fixed to the ground.
void move(const Transform& transform, model::Frame& frame);

/// Moves a body with its frames, mass and initial velocities. Returns what cannot be kept: empty,
/// or why the marks of fixed components have no meaning after a turn.
std::string move(const Transform& transform, model::Space space, model::Body& body);

}  // namespace trammel::io
