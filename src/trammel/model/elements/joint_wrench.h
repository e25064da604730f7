// Moments of a generalised force on a node (force in world axes, moment about the centre of mass in
// body axes) about a point l of the node, body axes.
#pragma once

#include "trammel/math/rotation.h"
#include "trammel/model/space.h"

namespace trammel::model {

/// World axes.
inline double moment_at(const Planar::Kinematics& k,
                        const Eigen::Vector2d& l,
                        const Eigen::Matrix<double, 3, 1>& wrench) {
  return wrench[2] - perpendicular(k.R * l).dot(wrench.head<2>());
}

inline Eigen::Vector3d moment_at(const Spatial::Kinematics& k,
                                 const Eigen::Vector3d& l,
                                 const Eigen::Matrix<double, 6, 1>& wrench) {
  return k.R * wrench.tail<3>() - (k.R * l).cross(wrench.head<3>());
}

inline double squared_moment(const Planar::Kinematics& k,
                             const Eigen::Vector2d& l,
                             const Eigen::Matrix<double, 3, 1>& wrench) {
  const double moment = moment_at(k, l, wrench);
  return moment * moment;
}

inline double squared_moment(const Spatial::Kinematics& k,
                             const Eigen::Vector3d& l,
                             const Eigen::Matrix<double, 6, 1>& wrench) {
  return (wrench.tail<3>() - l.cross(k.R.transpose() * wrench.head<3>())).squaredNorm();
}

/// The moment in body axes (its size is that in world axes), and its derivative by the positions of
/// a pair whose second node it is, from that of the wrench.
template <class S>
struct MomentSlope {
  Eigen::Matrix<double, S::rotations, 1> value;
  Eigen::Matrix<double, S::rotations, pair_freedoms<S>> slope;
};

inline MomentSlope<Spatial> moment_slope(const Spatial::Kinematics& k,
                                         const Eigen::Vector3d& l,
                                         const Eigen::Matrix<double, 6, 1>& wrench,
                                         const Eigen::Matrix<double, 6, 12>& wrench_q) {
  const Eigen::Vector3d force = k.R.transpose() * wrench.head<3>();
  Eigen::Matrix<double, 3, 12> force_q = k.R.transpose() * wrench_q.topRows<3>();
  force_q.rightCols<3>() += math::skew(force);
  return {wrench.tail<3>() - l.cross(force), wrench_q.bottomRows<3>() - math::skew(l) * force_q};
}

inline MomentSlope<Planar> moment_slope(const Planar::Kinematics& k,
                                        const Eigen::Vector2d& l,
                                        const Eigen::Matrix<double, 3, 1>& wrench,
                                        const Eigen::Matrix<double, 3, 6>& wrench_q) {
  const Eigen::Vector2d arm = k.R * l;
  MomentSlope<Planar> moment;
  moment.value[0] = wrench[2] - perpendicular(arm).dot(wrench.head<2>());
  moment.slope = wrench_q.row(2) - perpendicular(arm).transpose() * wrench_q.topRows<2>();
  moment.slope(0, 5) += arm.dot(wrench.head<2>());
  return moment;
}

}  // namespace trammel::model
