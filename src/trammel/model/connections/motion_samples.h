// Places to which a kinematic connection can move, with what it allows and forbids there.
#pragma once

#include <vector>

#include "trammel/model/connections/kinematic_connection.h"

namespace trammel::model {

template <class S>
struct MotionSample {
  typename S::Kinematics b;  ///< in the axes of a
  /// Rows by the velocity of b's centre and its turn, and motions that they allow, by columns; all
  /// in the axes of a.
  Eigen::MatrixXd rows;
  Eigen::MatrixXd free;
};

/// The reference, then places around it, by the same steps every time.
template <class S>
std::vector<MotionSample<S>> motion_samples(const KinematicConnection<S>& connection);

}  // namespace trammel::model
