// Plain looks at a system for tests: dense matrices, named observations, body motions, wrenches.
#pragma once

#include <map>
#include <string>

#include <Eigen/Core>

#include "trammel/model/model_system.h"

namespace trammel::support {

Eigen::MatrixXd dense(const system::KktMatrix& matrix);

/// A motion with this state and zero accelerations and multipliers.
system::Motion at_rest(const system::MechanicalSystem& system, const system::State& state);

/// The whole tangent, both triangles.
Eigen::MatrixXd tangent_matrix(system::MechanicalSystem& system,
                               const system::Motion& motion,
                               const system::Weights& weights,
                               const system::Vector* step = nullptr);

/// G: the rows of the multipliers.
Eigen::MatrixXd constraint_jacobian(system::MechanicalSystem& system, const system::State& state);

/// An orthonormal basis of the velocities v with G v = 0; the columns may be none.
Eigen::MatrixXd allowed_velocities(const Eigen::MatrixXd& G);

/// Rank by singular values above `tolerance` times the largest.
int rank_of(const Eigen::MatrixXd& matrix, double tolerance = 1e-9);

/// The described state moved onto the constraints, positions and velocities.
system::State assembled(model::ModelSystem& system);

using Observation = std::map<std::string, double>;
Observation observe(model::ModelSystem& system, const system::Motion& motion);

/// "b.position" from its components; planar ones have z = 0, and planar turns only z.
Eigen::Vector3d observed_vector(const Observation& observation, const std::string& name);

/// Motion of a body frame in world components; the ground rests at the origin.
struct BodyMotion {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  Eigen::Vector3d w = Eigen::Vector3d::Zero();
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_acceleration = Eigen::Vector3d::Zero();

  Eigen::Vector3d point(const Eigen::Vector3d& in_body) const { return p + R * in_body; }
  Eigen::Vector3d velocity_at(const Eigen::Vector3d& in_world) const {
    return v + w.cross(in_world - p);
  }
};
BodyMotion body_motion(const Observation& observation, const std::string& body);

/// A force and its moment about the world's origin.
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
};
Wrench operator+(const Wrench& a, const Wrench& b);

/// The frame an attachment names, in its body's components.
model::Frame frame_of(const model::Description& description, const std::string& attachment);

/// What the joint exerts on `body`, which must be one of its two: from the recorded reaction, which
/// acts on the second body at its attachment point, and with the opposite sign on the first.
Wrench joint_wrench(const model::Description& description,
                    const Observation& observation,
                    const std::string& joint,
                    const std::string& body);

}  // namespace trammel::support
